// SPDX-License-Identifier: Apache-2.0
//
// OpResolver under its usual path, and with it the resolver that applications fill themselves.
#ifndef TERN_TENSORFLOW_LITE_OP_RESOLVER_H_
#define TERN_TENSORFLOW_LITE_OP_RESOLVER_H_

#include "tensorflow/lite/core/api/op_resolver.h"
#include "tensorflow/lite/mutable_op_resolver.h"

#endif  // TERN_TENSORFLOW_LITE_OP_RESOLVER_H_
