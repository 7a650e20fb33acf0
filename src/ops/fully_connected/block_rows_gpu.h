// SPDX-License-Identifier: Apache-2.0
// Rows times weights with scales by block of a row, on the GPU.
#ifndef TERN_OPS_FULLY_CONNECTED_BLOCK_ROWS_GPU_H_
#define TERN_OPS_FULLY_CONNECTED_BLOCK_ROWS_GPU_H_

#include "gpu/lower/lowering.h"
#include "ops/gpu_kit/conv_algorithm_gpu.h"

namespace tern::gpu {

// Whether the weights are constants with such scales, and each block is whole slices.
bool SuitsBlockKernels(const GraphTensor& weights, const Lowering& lower);

KernelId BlockKernelOf(const ConvChoice& choice);

// `dispatch` has been begun with that kernel and reads "src"; the output is viewed as `out`.
absl::Status EmitBlocks(const Node& node, Lowering& lower, const KernelConv& shape, const Box& out,
                        const ConvChoice& choice, TfLiteFusedActivation activation,
                        DispatchBuilder& dispatch);

}  // namespace tern::gpu

#endif  // TERN_OPS_FULLY_CONNECTED_BLOCK_ROWS_GPU_H_
