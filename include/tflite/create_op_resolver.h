// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/create_op_resolver.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CREATE_OP_RESOLVER_H_
#define TERN_TFLITE_CREATE_OP_RESOLVER_H_

#include "tensorflow/lite/create_op_resolver.h"

#endif  // TERN_TFLITE_CREATE_OP_RESOLVER_H_
