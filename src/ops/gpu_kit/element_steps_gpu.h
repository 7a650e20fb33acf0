// SPDX-License-Identifier: Apache-2.0
// Epilogue ops that compute with stored integers, as the CPU does.
#ifndef TERN_OPS_GPU_KIT_ELEMENT_STEPS_GPU_H_
#define TERN_OPS_GPU_KIT_ELEMENT_STEPS_GPU_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/tensor/multiplier.h"
#include "base/tensor/quantized_range.h"
#include "gpu/graph/graph.h"

namespace tern::gpu {

// How a tensor is quantized that runs, or a constant of 8 or 16 bits beside such ones.
std::optional<QuantizedType> ElementsOf(const GraphTensor& tensor);

inline Quantization ScaleOf(const QuantizedType& q) { return {q.scale, q.zero_point}; }

// The elements of v and w less their zero points, where a and b are the inverses of their scales.
inline constexpr char kElementOfV[] = "whole_islice(round_even(v * splat(a)))";
inline constexpr char kElementOfW[] = "whole_islice(round_even(w * splat(b)))";

// One step under construction. Its texts are the same for all nodes of a kind, so that these share
// programs.
class ElementStep {
 public:
  // `b` and `operand` belong to steps with a second operand.
  explicit ElementStep(const QuantizedType& v) { step_.a = 1 / v.scale; }
  ElementStep(const QuantizedType& v, const QuantizedType& w, TensorId operand) : ElementStep(v) {
    step_.b = 1 / w.scale;
    step_.operand = operand;
  }

  // An islice that is this number in all lanes.
  std::string Int(int64_t value);
  // The islice `text`, whose magnitude is at most `max`, times the multiplier as on the CPU.
  std::string Requantized(const std::string& text, const Multiplier& multiplier, int64_t max);
  // The step whose elements, less the zero point of `to`, are the islice `text`; those outside
  // `range` become its ends.
  EpilogueOp Finish(const std::string& text, const IntRange& range, const QuantizedType& to);
  // The step whose elements are the islice `text`, the zero point of `to` included; those outside
  // its type, INT8 or INT16, wrap.
  EpilogueOp FinishWrapped(const std::string& text, const QuantizedType& to);
  // The step of the slice `text`.
  EpilogueOp FinishReal(std::string text);

 private:
  EpilogueOp step_;
};

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_ELEMENT_STEPS_GPU_H_
