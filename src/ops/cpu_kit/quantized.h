// SPDX-License-Identifier: Apache-2.0
// Quantization parameters of tensors.
#ifndef TERN_OPS_CPU_KIT_QUANTIZED_H_
#define TERN_OPS_CPU_KIT_QUANTIZED_H_

#include <cstdint>
#include <vector>

#include "cpu/output_stage.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/rules_kit/quantized_numbers.h"

namespace tern {

// A quantized type in the words of src/cpu.
inline IntegerType IntegerTypeOf(TfLiteType type) {
  if (type == kTfLiteUInt8) return IntegerType::kUInt8;
  return type == kTfLiteInt8 ? IntegerType::kInt8 : IntegerType::kInt16;
}

// Numbers of 8 bits relative to their zero point.
template <class T>
void Relative(const T* from, int64_t count, int32_t zero_point, int16_t* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<int16_t>(int32_t{from[i]} - zero_point);
}

// The scale and zero point of a whole tensor. Errors: none given, one per channel, a scale that is
// not a positive finite number, a zero point outside the type. `what` names the operand.
StatusOr<Quantization> QuantizationOf(const TfLiteTensor* t, const char* what);

// One scale per index along `axis`, or the only scale repeated; `channels` of them. Zero points
// must be 0. `axis` is compared with the tensor's own only where there are several scales.
StatusOr<std::vector<float>> ChannelScales(const TfLiteTensor* t, int64_t channels, int axis,
                                           const char* what);

// ScaleWide takes the multiplier.
Status CheckWideMultiplier(const Multiplier& multiplier);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_QUANTIZED_H_
