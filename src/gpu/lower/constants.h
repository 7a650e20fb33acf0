// SPDX-License-Identifier: Apache-2.0
// Constant operands as numbers, and in the layouts of device memory.
#ifndef TERN_GPU_LOWER_CONSTANTS_H_
#define TERN_GPU_LOWER_CONSTANTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/graph/graph.h"

namespace tern::gpu {

// A constant that can be read as floats: FLOAT32, FLOAT16, BOOL as 0 and 1, and INT8, UINT8, INT16,
// INT4, INT32 or INT64 with their quantization parameters applied. Making one looks at the tensor's
// type and shape alone, so that a dry run touches no data; the tensor must outlive it.
class ConstantFloats {
 public:
  // An error when the tensor cannot be read so.
  static absl::StatusOr<ConstantFloats> Of(const GraphTensor& tensor);
  // The integer weights of products with floats: all are signed, UINT8 too, and no zero point
  // counts.
  static absl::StatusOr<ConstantFloats> OfWeights(const GraphTensor& tensor);

  int64_t size() const;  // elements
  // Row-major elements, copied.
  std::vector<float> Read() const;

 private:
  explicit ConstantFloats(const GraphTensor& tensor) : tensor_(&tensor) {}
  const GraphTensor* tensor_;
  bool weights_ = false;
};

// Row-major elements of a constant of integers, as they are stored.
absl::StatusOr<std::vector<int64_t>> ConstantInts(const GraphTensor& tensor);

// The low (word 0) or high (1) halves of their bits.
absl::StatusOr<std::vector<int32_t>> ConstantWords(const GraphTensor& tensor, int word);

// Row-major elements of a box in the order of Layout::kSlices, lanes past the channels zero.
std::vector<float> ToSlices(const std::vector<float>& rows, const Box& box, int slice_width);
std::vector<int32_t> ToSlices(const std::vector<int32_t>& rows, const Box& box, int slice_width);

}  // namespace tern::gpu

#endif  // TERN_GPU_LOWER_CONSTANTS_H_
