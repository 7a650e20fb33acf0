// SPDX-License-Identifier: Apache-2.0
// The resolver of reference kernels: clear code on one thread, the oracle of the optimized kernels.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_REGISTER_REF_H_
#define TERN_TENSORFLOW_LITE_KERNELS_REGISTER_REF_H_

#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite {
namespace ops {
namespace builtin {

class BuiltinRefOpResolver : public MutableOpResolver {
 public:
  BuiltinRefOpResolver();
};

}  // namespace builtin
}  // namespace ops
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_REGISTER_REF_H_
