// SPDX-License-Identifier: Apache-2.0
// Quantization parameters of constants that no model has given them.
#ifndef TERN_GPU_GRAPH_OWN_QUANTIZATION_H_
#define TERN_GPU_GRAPH_OWN_QUANTIZATION_H_

#include <memory>

#include "gpu/graph/graph.h"

namespace tern::gpu {

// Allocates `scales` scales along an axis, to be filled in, and the zero point 0.
std::shared_ptr<TfLiteAffineQuantization> MakeQuantization(int scales, int dimension);

// Gives the tensor one scale and a zero point that it owns.
void SetQuantization(GraphTensor& tensor, float scale, int zero_point);

}  // namespace tern::gpu

#endif  // TERN_GPU_GRAPH_OWN_QUANTIZATION_H_
