// SPDX-License-Identifier: Apache-2.0
// How the GPU sees tensors of a model: constants that nodes only unpack are known, and quantized
// tensors are floats that know their elements.
#ifndef TERN_GPU_LEGALIZE_SEEN_TENSORS_H_
#define TERN_GPU_LEGALIZE_SEEN_TENSORS_H_

#include <functional>
#include <optional>
#include <vector>

#include "gpu/graph/graph.h"

namespace tern::gpu {

// Elements of 8 or 16 bits, which go in and out packed.
bool IsNarrow(TfLiteType type);

// How a runtime tensor of the model can be seen as floats. Without parameters its elements are
// numbers as they are, as for operations that only move or compare them; with scales along an axis
// likewise. nullopt: it is not narrow, or its parameters are no good.
std::optional<Quantized> QuantizedOf(const GraphTensor& tensor);

// Gives the results of DEQUANTIZE and DENSIFY of constants the data of the constants. `is_whole`
// tells whether the bytes of a constant fit its shape.
void FoldConstants(const std::vector<Node>& nodes, const std::function<bool(TensorId)>& is_whole,
                   std::vector<GraphTensor>& tensors);

// Makes quantized tensors FLOAT32, and the constants beside them: operations compute with their
// numbers, not with their elements. A constant without parameters is one of plain numbers where
// all tensors beside it have none either.
void SeeAsFloats(const std::vector<Node>& nodes, std::vector<GraphTensor>& tensors);

}  // namespace tern::gpu

#endif  // TERN_GPU_LEGALIZE_SEEN_TENSORS_H_
