// SPDX-License-Identifier: Apache-2.0
// Shapes and types of a node's tensors, and the refusals of those that do not fit.
#ifndef TERN_OPS_GPU_KIT_SHAPE_CHECKS_GPU_H_
#define TERN_OPS_GPU_KIT_SHAPE_CHECKS_GPU_H_

#include <string>

#include "absl/status/status.h"
#include "base/tensor/shape_math.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// Sizes of a tensor as the rules of shapes take them.
Shape ShapeOf(const GraphTensor& tensor);
// An error that names both shapes unless the output has the shape `want`.
absl::Status CheckOutputShape(const Node& node, const Lowering& lower, const GraphTensor& output,
                              const Shape& want);
// Text of a refusal: both types by name.
std::string DifferentTypes(const GraphTensor& input, const GraphTensor& output);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_SHAPE_CHECKS_GPU_H_
