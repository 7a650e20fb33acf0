// SPDX-License-Identifier: Apache-2.0
// The resolvers that know every built-in op of this library.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_REGISTER_H_
#define TERN_TENSORFLOW_LITE_KERNELS_REGISTER_H_

#include "tensorflow/lite/mutable_op_resolver.h"

namespace tflite {
namespace ops {
namespace builtin {

// All built-in ops and the bundled custom ops. Their optimized kernels are part of the ops
// themselves, so no delegate is created by default.
class BuiltinOpResolver : public MutableOpResolver {
 public:
  BuiltinOpResolver();
};

// The same set; the optimized kernels need no delegate.
class BuiltinOpResolverWithXNNPACK : public BuiltinOpResolver {
 public:
  explicit BuiltinOpResolverWithXNNPACK(bool /*enable_xnnpack_unsigned_quantized*/ = true) {}
};

class BuiltinOpResolverWithoutDefaultDelegates : public BuiltinOpResolver {
 public:
  BuiltinOpResolverWithoutDefaultDelegates() = default;
};

}  // namespace builtin
}  // namespace ops
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_REGISTER_H_
