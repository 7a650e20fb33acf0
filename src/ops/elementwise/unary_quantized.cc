// SPDX-License-Identifier: Apache-2.0
// Eight bits by a table of all results; 16 bits by interpolation between 513 of them, or with
// integers alone where the reference computes so.
#include "ops/elementwise/unary_quantized.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "cpu/byte_rows.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/elementwise/int16_lookup_rules.h"
#include "ops/elementwise/unary_rules.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern {
namespace {

using elementwise::UnaryElements;
using Function = std::function<float(float)>;

Status Refuse(TfLiteType type) {
  return Unsupported("type ", TypeText(type), " is not supported yet (input)");
}

// `value` maps an element to an element.
template <class F>
UnaryLoop Int16Loop(const F& value) {
  return [value](const void* in, void* out, int64_t begin, int64_t end) {
    const int16_t* from = static_cast<const int16_t*>(in);
    int16_t* to = static_cast<int16_t*>(out);
    for (int64_t i = begin; i < end; ++i) to[i] = static_cast<int16_t>(value(from[i]));
  };
}

UnaryLoop ByInt16Lookup(int builtin, const UnaryElements& e, const Function& function) {
  const auto table = std::make_shared<const Int16Table>(elementwise::MakeInt16Lookup(
      builtin, {e.in.scale, e.in.zero_point}, {e.out.scale, e.out.zero_point}, function));
  return Int16Loop([table](int32_t v) { return Interpolate(*table, v); });
}

// ---- LOGISTIC and TANH of 16 bits

// Interpolates between two entries; `v` has `bits` bits below those of an index.
int32_t SigmoidAt(int32_t v, int bits, int32_t end) {
  const std::array<int32_t, 256>& table = elementwise::SigmoidTable();
  const int32_t index = v >> bits;
  if (index >= 255) return end << bits;
  const int32_t part = v & ((1 << bits) - 1);
  return (table[index] << bits) + part * (table[index + 1] - table[index]);
}

int32_t Int16Logistic(int32_t v) {
  const int32_t half = SigmoidAt(std::abs(v), 9, 0x7FFF << 1);
  const int32_t result = v >= 0 ? half + (1 << 9) : (1 << 25) - half + (1 << 9) - 1;
  return result >> 10;
}

int32_t Int16Tanh(int32_t v) {
  const int32_t sigmoid = SigmoidAt(std::abs(v), 8, 0xFFFF) - (1 << 23);
  const int32_t result = v >= 0 ? sigmoid + (1 << 7) : -sigmoid + (1 << 7) - 1;
  return result >> 8;
}

StatusOr<UnaryLoop> Int16Sigmoid(const UnaryElements& e, bool is_tanh) {
  if (e.in.zero_point != 0 || e.out.zero_point != 0) {
    return Invalid("zero points of INT16 must be 0 (", e.in.zero_point, ", ", e.out.zero_point,
                   ")");
  }
  const elementwise::SigmoidInput scaled = elementwise::ScaleToSigmoid(e.in.scale);
  return Int16Loop([is_tanh, scaled](int32_t v) {
    const int64_t nudge = scaled.shift > 0 ? int64_t{1} << (scaled.shift - 1) : 0;
    const int64_t wide = (int64_t{v} * scaled.multiplier + nudge) >> scaled.shift;
    const auto x = static_cast<int32_t>(std::clamp<int64_t>(wide, -(1 << 28), 1 << 28));
    return is_tanh ? Int16Tanh(x) : Int16Logistic(x);
  });
}

StatusOr<UnaryLoop> Int16Form(int builtin, const UnaryElements& e, const Function& function,
                              float alpha) {
  if (elementwise::IsSigmoid(builtin)) return Int16Sigmoid(e, builtin == kTfLiteBuiltinTanh);
  if (elementwise::HasInt16Lookup(builtin)) return ByInt16Lookup(builtin, e, function);
  UnaryLoop loop;
  const auto set = [&](const auto& integers) { loop = Int16Loop(integers); };
  if (!elementwise::WithIntegers(builtin, e, alpha, set)) return Refuse(e.type);
  return loop;
}

// ---- eight bits

bool HasByteForm(int builtin, TfLiteType type) {
  switch (builtin) {
    case kTfLiteBuiltinRsqrt:
    case kTfLiteBuiltinSqrt:
      return type == kTfLiteInt8;
    case kTfLiteBuiltinAbs:
    case kTfLiteBuiltinElu:
    case kTfLiteBuiltinExp:
    case kTfLiteBuiltinGelu:
    case kTfLiteBuiltinHardSwish:
    case kTfLiteBuiltinLeakyRelu:
    case kTfLiteBuiltinLog:
    case kTfLiteBuiltinLogistic:
    case kTfLiteBuiltinRelu:
    case kTfLiteBuiltinRelu0To1:
    case kTfLiteBuiltinRelu6:
    case kTfLiteBuiltinReluN1To1:
    case kTfLiteBuiltinTanh:
      return true;
    default:
      return false;
  }
}

StatusOr<UnaryLoop> ByteForm(int builtin, const UnaryElements& e, const Function& function,
                             float alpha) {
  if (!HasByteForm(builtin, e.type)) return Refuse(e.type);
  if (builtin == kTfLiteBuiltinHardSwish && !elementwise::HardSwish(e).is_possible()) {
    return Invalid("the output's scale is too small for the input's (", e.out.scale, ", ",
                   e.in.scale, ")");
  }
  return UnaryLoop([table = elementwise::UnaryTable(builtin, e, function, alpha)](
                       const void* in, void* out, int64_t begin, int64_t end) {
    MapBytes(table.data(), static_cast<const uint8_t*>(in) + begin,
             static_cast<uint8_t*>(out) + begin, end - begin);
  });
}

}  // namespace

StatusOr<UnaryKernel> QuantizedUnary(int builtin, const TfLiteTensor* input,
                                     const TfLiteTensor* output,
                                     const std::function<float(float)>& function, float alpha) {
  if (!IsQuantizedType(input->type)) return Refuse(input->type);
  UnaryElements e{input->type, {}, {}, TypeRange(input->type)};
  TERN_ASSIGN_OR_RETURN(e.in, QuantizationOf(input, "input"));
  TERN_ASSIGN_OR_RETURN(e.out, QuantizationOf(output, "output"));
  UnaryKernel kernel;
  if (e.type == kTfLiteInt16) {
    TERN_ASSIGN_OR_RETURN(kernel.loop, Int16Form(builtin, e, function, alpha));
  } else {
    TERN_ASSIGN_OR_RETURN(kernel.loop, ByteForm(builtin, e, function, alpha));
  }
  const bool is_root = builtin == kTfLiteBuiltinSqrt || builtin == kTfLiteBuiltinRsqrt;
  if (is_root) kernel.min = e.in.zero_point;
  return kernel;
}

}  // namespace tern
