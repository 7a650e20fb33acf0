// SPDX-License-Identifier: Apache-2.0
// The resolver that the C API and the language bindings use.
#ifndef TERN_TENSORFLOW_LITE_CREATE_OP_RESOLVER_H_
#define TERN_TENSORFLOW_LITE_CREATE_OP_RESOLVER_H_

#include <memory>

#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite {

// A new resolver that knows every built-in operation; never null.
std::unique_ptr<MutableOpResolver> CreateOpResolver();

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CREATE_OP_RESOLVER_H_
