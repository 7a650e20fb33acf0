// SPDX-License-Identifier: Apache-2.0
// The default set of operations.
#include "tensorflow/lite/create_op_resolver.h"

#include "tensorflow/lite/kernels/register.h"

namespace tflite {

std::unique_ptr<MutableOpResolver> CreateOpResolver() {
  return std::make_unique<ops::builtin::BuiltinOpResolver>();
}

}  // namespace tflite
