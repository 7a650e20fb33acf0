// SPDX-License-Identifier: Apache-2.0
// Constant operands as numbers, and as the elements of device memory.
#ifndef TERN_GPU_LOWER_CONSTANTS_H_
#define TERN_GPU_LOWER_CONSTANTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/plan_tensor.h"
#include "gpu/graph/graph.h"

namespace tern::gpu {

// Whether a constant can be read so: its type, shape and quantization parameters alone are looked
// at. As numbers can be read FLOAT32, FLOAT16, BOOL as 0 and 1, and INT8, UINT8, INT16, INT4, INT32
// or INT64 with quantization parameters.
absl::Status CheckDecoding(const GraphTensor& tensor, Decoding decoding);

// How a filter can lie in memory in no more bits than in the model, the numbers less `zero` and,
// for bytes, without their scales, which belong to its output channels.
struct PackedForm {
  Element element = Element::kByte;  // or kFloat16
  Decoding decoding = Decoding::kBytes;
  int zero = 0;
};
// nullopt: in no such form. `reading`, which CheckDecoding takes, is that of its numbers.
std::optional<PackedForm> PackedFormOf(const GraphTensor& tensor, Decoding decoding,
                                       const FilterPacking& filter, int64_t first);

// Sums of the positive and the negative elements less their zero point at a place of an axis.
struct ElementSums {
  int64_t positive = 0, negative = 0;
};
// Of a constant that can be read as elements, by place along `axis`.
std::vector<ElementSums> SumElements(const GraphTensor& tensor, Decoding decoding, int axis);

// The packed form of a constant with scales by block, which stay beside it.
std::optional<PackedForm> PackedBlocksOf(const GraphTensor& tensor);

// The first element of a constant as a number.
absl::StatusOr<float> FirstNumber(const GraphTensor& tensor);

// Row-major elements of a constant of INT32 or INT64, whatever they stand for; empty for others.
std::vector<int64_t> WholeElements(const GraphTensor& tensor);

// Row-major elements of a constant of integers, as they are stored.
absl::StatusOr<std::vector<int64_t>> ConstantInts(const GraphTensor& tensor);

// The tensors that the constants of a plan are made from, by the numbers in ConstantPart::source.
// Their data and quantization belong to the model.
class ConstantSources {
 public:
  // The number of a tensor that CheckDecoding takes.
  int Add(const GraphTensor& tensor);

  // Elements of a constant from slice `first_slice` on, as they lie in device memory; `bytes` is
  // whole slices.
  void Fill(const PlanTensor& constant, int slice_width, int64_t first_slice,
            std::span<std::byte> bytes) const;

 private:
  std::vector<GraphTensor> tensors_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_LOWER_CONSTANTS_H_
