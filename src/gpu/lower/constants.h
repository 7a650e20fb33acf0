// SPDX-License-Identifier: Apache-2.0
// Constant operands as numbers, and in the layouts of device memory.
#ifndef TERN_GPU_LOWER_CONSTANTS_H_
#define TERN_GPU_LOWER_CONSTANTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/graph/graph.h"

namespace tern::gpu {

// Row-major elements of a constant. As floats: FLOAT32, FLOAT16, and INT8 or UINT8 with their
// quantization parameters applied. As ints: INT32 and INT64.
absl::StatusOr<std::vector<float>> ConstantFloats(const GraphTensor& tensor);
absl::StatusOr<std::vector<int64_t>> ConstantInts(const GraphTensor& tensor);

// Row-major elements of a box in the order of Layout::kSlices, lanes past the channels zero.
std::vector<float> ToSlices(const std::vector<float>& rows, const Box& box, int slice_width);

}  // namespace tern::gpu

#endif  // TERN_GPU_LOWER_CONSTANTS_H_
