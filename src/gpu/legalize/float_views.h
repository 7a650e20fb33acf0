// SPDX-License-Identifier: Apache-2.0
// How the GPU views tensors of a model: constants that nodes only unpack stay constants, and
// quantized tensors are floats with a quantized type.
#ifndef TERN_GPU_LEGALIZE_FLOAT_VIEWS_H_
#define TERN_GPU_LEGALIZE_FLOAT_VIEWS_H_

#include <functional>
#include <optional>
#include <vector>

#include "gpu/graph/graph.h"

namespace tern::gpu {

// Elements of 8 or 16 bits, which go in and out packed.
bool IsNarrow(TfLiteType type);

// How floats view a runtime tensor of the model. Without parameters, or with scales along an axis,
// stored values are real values. nullopt: not narrow, or invalid parameters.
std::optional<QuantizedType> QuantizedOf(const GraphTensor& tensor);

// Gives the results of DEQUANTIZE and DENSIFY of constants the data of the constants. `is_whole`
// tells whether the bytes of a constant fit its shape.
void FoldConstants(const std::vector<Node>& nodes, const std::function<bool(TensorId)>& is_whole,
                   std::vector<GraphTensor>& tensors);

// Makes quantized tensors FLOAT32, and the constants beside them: operations compute with their
// numbers, not with their elements. A constant without parameters is one of plain numbers where
// all tensors beside it have none either.
void SeeAsFloats(const std::vector<Node>& nodes, std::vector<GraphTensor>& tensors);

}  // namespace tern::gpu

#endif  // TERN_GPU_LEGALIZE_FLOAT_VIEWS_H_
