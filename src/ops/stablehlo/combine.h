// SPDX-License-Identifier: Apache-2.0
// The functions by which two numbers become one, by the operation that computes them.
#ifndef TERN_OPS_STABLEHLO_COMBINE_H_
#define TERN_OPS_STABLEHLO_COMBINE_H_

#include <optional>

#include "tensorflow/lite/builtin_ops.h"

namespace tern {

// kAnd and kOr combine the bits of integers; kAll and kAny give 0 or 1 in every type.
enum class Combine { kSecond, kAdd, kMultiply, kSmaller, kLarger, kAnd, kOr, kAll, kAny };

// The function of an operation; nothing for those that join no two numbers.
inline std::optional<Combine> CombineOfOp(int builtin_code) {
  switch (builtin_code) {
    case kTfLiteBuiltinAdd:
    case kTfLiteBuiltinStablehloAdd:
      return Combine::kAdd;
    case kTfLiteBuiltinMul:
    case kTfLiteBuiltinStablehloMultiply:
      return Combine::kMultiply;
    case kTfLiteBuiltinMinimum:
    case kTfLiteBuiltinStablehloMinimum:
      return Combine::kSmaller;
    case kTfLiteBuiltinMaximum:
    case kTfLiteBuiltinStablehloMaximum:
      return Combine::kLarger;
    case kTfLiteBuiltinLogicalAnd:
    case kTfLiteBuiltinStablehloAnd:
      return Combine::kAnd;
    case kTfLiteBuiltinLogicalOr:
    case kTfLiteBuiltinStablehloOr:
      return Combine::kOr;
    default:
      return std::nullopt;
  }
}

}  // namespace tern

#endif  // TERN_OPS_STABLEHLO_COMBINE_H_
