// SPDX-License-Identifier: Apache-2.0
// The weights lie as the model has them, in bits of their own, and the scales beside them.
#include "ops/fully_connected/block_rows_gpu.h"

#include <algorithm>

#include "base/status.h"

namespace tern::gpu {

bool SuitsBlockKernels(const GraphTensor& weights, const Lowering& lower) {
  return weights.is_constant() && weights.blocks() != nullptr && weights.blocks()->size >= 1 &&
         weights.blocks()->size % lower.slice_width() == 0;
}

KernelId BlockKernelOf(const ConvChoice& choice) {
  return choice.algorithm == ConvAlgorithm::kShared ? KernelId::block_product
                                                    : KernelId::block_rows;
}

absl::Status EmitBlocks(const Node& node, Lowering& lower, const KernelConv& shape, const Box& out,
                        const ConvChoice& choice, TfLiteFusedActivation activation,
                        DispatchBuilder& dispatch) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* weights, lower.Input(node, 1));
  ConvTiles tiles = TilesFor(shape, lower);
  const bool shared = choice.algorithm == ConvAlgorithm::kShared;
  if (shared) {
    tiles.slices = 1;
    tiles.blocks = lower.Slices(shape.out);
  }
  dispatch.Write("dst", 0, out).Define("LANES", tiles.lanes);
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, {.block_scales = "scales"},
                                   PackingOf(shape, tiles, /*channels_last=*/false), dispatch));
  dispatch.Activation(activation);
  dispatch.Int("row_blocks", shape.in / weights->blocks()->size);
  dispatch.Int("block_slices", weights->blocks()->size / lower.slice_width());
  if (shared) {
    dispatch.Define("ITEMS", choice.items).LocalSlices("sums", choice.items);
    const int64_t pixels = int64_t{out.b} * out.h * out.w;
    return dispatch.Group(choice.items, 1, 1)
        .Grid(int64_t{choice.items} * tiles.blocks, pixels, 1)
        .Emit();
  }
  const int pixels = std::min(tiles.pixels, std::max(out.w, 1));
  dispatch.Define("PIXELS", pixels).Define("SLICES", tiles.slices);
  return dispatch.Grid(CeilDiv(out.w, pixels), tiles.blocks, int64_t{out.h} * out.b).Emit();
}

}  // namespace tern::gpu
