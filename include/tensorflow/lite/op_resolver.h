// SPDX-License-Identifier: Apache-2.0
//
// The header of OpResolver under its usual path.
#ifndef TERN_TENSORFLOW_LITE_OP_RESOLVER_H_
#define TERN_TENSORFLOW_LITE_OP_RESOLVER_H_

#include "tensorflow/lite/core/api/op_resolver.h"

#endif  // TERN_TENSORFLOW_LITE_OP_RESOLVER_H_
