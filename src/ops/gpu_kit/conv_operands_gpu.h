// SPDX-License-Identifier: Apache-2.0
// The tensors of convolutions of images.
#ifndef TERN_OPS_GPU_KIT_CONV_OPERANDS_GPU_H_
#define TERN_OPS_GPU_KIT_CONV_OPERANDS_GPU_H_

#include "absl/status/statusor.h"
#include "base/tensor/shape_math.h"
#include "gpu/lower/lowering.h"
#include "ops/gpu_kit/conv_weights_gpu.h"
#include "ops/rules_kit/window_rules.h"

namespace tern::gpu {

struct ConvShapes {
  Shape input, filter, output;
};

// Of rank 4 and with one batch size, or refused. `input` and `filter` are indices of operands.
absl::StatusOr<ConvShapes> ConvShapesOf(const Node& node, const Lowering& lower, int input,
                                        int filter);

// The numbers that kernels of convolutions take, all of which come from tensors' sizes.
KernelConv KernelConvOf(int64_t in, int64_t out, int64_t groups, const Window& window);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_CONV_OPERANDS_GPU_H_
