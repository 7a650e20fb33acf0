// SPDX-License-Identifier: Apache-2.0
// The composites that the GPU knows by name. Each computes what its attributes say; the
// decomposition, which the CPU runs, is not looked at. An error says what is not understood.
#ifndef TERN_OPS_COMPOSITE_COMPOSITE_GPU_H_
#define TERN_OPS_COMPOSITE_COMPOSITE_GPU_H_

#include "absl/status/status.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// odml.rms_norm: x [..., C], gamma [C] if any -> x / sqrt(mean of x^2 over C + epsilon) * gamma.
absl::Status LowerRmsNorm(const Node& node, Lowering& lower);
// odml.l2_norm: x [..., C] -> x / sqrt(sum of x^2 over C + epsilon).
absl::Status LowerL2Norm(const Node& node, Lowering& lower);
// odml.group_norm: x [N, ..., C], gamma [C] and beta [C] if any -> (x - mean) / sqrt(variance +
// epsilon) * gamma + beta, of each image's groups of channels or of each pixel's channels.
absl::Status LowerGroupNorm(const Node& node, Lowering& lower);
// odml.scaled_dot_product_attention: queries [B, T, N, H], keys and values [B, S, K, H], a mask
// that broadcasts to [B, N, T, S] if any -> softmax(scale * queries . keys + mask) . values [B, T,
// N, H]; N is a multiple of K.
absl::Status LowerAttention(const Node& node, Lowering& lower);

}  // namespace tern::gpu

#endif  // TERN_OPS_COMPOSITE_COMPOSITE_GPU_H_
