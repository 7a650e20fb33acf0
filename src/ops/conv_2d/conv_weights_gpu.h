// SPDX-License-Identifier: Apache-2.0
// Convolution weights in the order in which the kernels walk them.
#ifndef TERN_OPS_CONV_2D_CONV_WEIGHTS_GPU_H_
#define TERN_OPS_CONV_2D_CONV_WEIGHTS_GPU_H_

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/lower/lowering.h"

namespace tern::gpu {

// A convolution as its kernels see it. Filter elements are [out, height, width, in / groups].
struct ConvShape {
  int in = 0, out = 0, groups = 1;  // channels
  int height = 1, width = 1;        // of the filter

  int GroupIn() const { return in / groups; }
  int GroupOut() const { return out / groups; }
};

// How the work is cut: `slices` output slices and `pixels` output pixels per work-item, `lanes`
// source lanes of a slice walked, `steps` source slices read per filter tap. Weights are slices of
// output lanes in the order [block][filter y][filter x][step][lane][slice of the block].
struct ConvTiles {
  int slice_width = 4;
  int pixels = 1, slices = 1;
  int blocks = 1;  // of `slices` output slices
  int lanes = 4;
  int steps = 1;

  int64_t WeightSlices(const ConvShape& shape) const {
    return int64_t{blocks} * shape.height * shape.width * steps * lanes * slices;
  }
};

ConvTiles TilesFor(const ConvShape& shape, const Tuning& tuning);

// First source slice that output block `block` reads.
int FirstSourceSlice(const ConvShape& shape, const ConvTiles& tiles, int block);

// Reorders filter elements into `packed`; places beyond the channels stay zero.
void PackWeights(std::span<const float> filter, const ConvShape& shape, const ConvTiles& tiles,
                 std::span<float> packed);

// Binds "weights" and "bias" of a convolution-like node: constants where they are constant; a
// runtime filter is packed on the device first, a runtime bias becomes a step of the chain.
struct WeightOperands {
  int filter = 1, bias = 2;  // inputs of the node; the bias may be omitted
  // Constant filter elements to take instead of the operand's own.
  const std::vector<float>* reordered = nullptr;
  bool channels_last = false;  // a runtime filter is [height, width, out], one input channel each
};
absl::Status BindWeights(const Node& node, Lowering& lower, const WeightOperands& operands,
                         const ConvShape& shape, const ConvTiles& tiles, DispatchBuilder& dispatch);

}  // namespace tern::gpu

#endif  // TERN_OPS_CONV_2D_CONV_WEIGHTS_GPU_H_
