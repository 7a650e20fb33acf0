// SPDX-License-Identifier: Apache-2.0
// Steps of a chain that compute with elements in whole numbers, as the CPU does.
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
std::optional<Quantized> ElementsOf(const GraphTensor& tensor);

inline Quantization ScaleOf(const Quantized& q) { return {q.scale, q.zero_point}; }

// The elements of v and w less their zero points, where a and b are the inverses of their scales.
inline constexpr char kElementOfV[] = "whole_islice(round_even(v * splat(a)))";
inline constexpr char kElementOfW[] = "whole_islice(round_even(w * splat(b)))";

// One step under construction. Its texts are the same for all nodes of a kind, so that these share
// programs.
class ElementStep {
 public:
  // `b` and `operand` belong to steps with a second operand.
  explicit ElementStep(const Quantized& v) { step_.a = 1 / v.scale; }
  ElementStep(const Quantized& v, const Quantized& w, TensorId operand) : ElementStep(v) {
    step_.b = 1 / w.scale;
    step_.operand = operand;
  }

  // An islice that is this number in all lanes.
  std::string Int(int64_t value);
  // The islice `text`, whose magnitude is at most `most`, times the multiplier as on the CPU.
  std::string Requantized(const std::string& text, const Multiplier& multiplier, int64_t most);
  // The step whose elements, less the zero point of `to`, are the islice `text`; those outside
  // `range` become its ends.
  ElementwiseStep Finish(const std::string& text, const IntRange& range, const Quantized& to);
  // The step whose elements are the islice `text`, the zero point of `to` included; those outside
  // its type, INT8 or INT16, wrap.
  ElementwiseStep FinishWrapped(const std::string& text, const Quantized& to);
  // The step of the slice `text`.
  ElementwiseStep FinishReal(std::string text);

 private:
  ElementwiseStep step_;
};

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_ELEMENT_STEPS_GPU_H_
