// SPDX-License-Identifier: Apache-2.0
// Convolution weights in the order in which the kernels walk them.
#ifndef TERN_OPS_GPU_KIT_CONV_WEIGHTS_GPU_H_
#define TERN_OPS_GPU_KIT_CONV_WEIGHTS_GPU_H_

#include <cstdint>

#include "base/tensor/window_axis.h"
#include "gpu/graph/op_traits.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// A convolution as its kernels see it. Filter elements are [out, height, width, in / groups].
struct KernelConv {
  int in = 0, out = 0, groups = 1;         // channels
  int height = 1, width = 1;               // of the filter
  Decoding decoding = Decoding::kWeights;  // of a constant filter

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
};

// `line`: for a kernel that sees an image as a line of pixels.
ConvTiles TilesFor(const KernelConv& shape, const Lowering& lower, bool line = false);

// Says to conv_1x1.kernel how it goes through a line of `width` pixels, and how many matrices of
// weights there are: one, or one for each image of the batch.
void DefineLine(const Lowering& lower, const ConvTiles& tiles, int pixels, int64_t width,
                DispatchBuilder& dispatch, int matrices = 1);

// Says to the kernel of a convolution, after its source, how many lanes it walks. Where slices are
// long and their lanes lie in memory, the kernel `lane_loop` takes its place: its text is short,
// the same for any number of lanes, and multiplies no lane past the last channel. `with_zero`: the
// kernel reads zeros outside the image.
void WalkLanes(DispatchBuilder& dispatch, const ConvTiles& tiles, KernelId lane_loop,
               bool with_zero = false);

// First source slice that output block `block` reads.
int FirstSourceSlice(const KernelConv& shape, const ConvTiles& tiles, int block);

// How far apart neighbours lie in a filter: output channels, taps, input channels of a group.
struct FilterOrder {
  int64_t out, tap, in;
};

FilterPacking PackingOf(const KernelConv& shape, const ConvTiles& tiles, const FilterOrder& order);
// A filter [out, taps, in] or, with channels_last, [taps, out] with one input channel each (a
// depthwise filter).
FilterPacking PackingOf(const KernelConv& shape, const ConvTiles& tiles, bool channels_last);

// Inputs of a convolution-like node; the bias may be omitted.
struct WeightOperands {
  int filter = 1, bias = 2, input = 0;
  Decoding decoding = Decoding::kWeights;  // of a constant filter
  const char* block_scales = "";           // DispatchBuilder::BlockFilter, of one that has blocks
};

// Binds "weights" and "bias". A constant filter and bias become constants, and a computed bias then
// an epilogue op. A computed filter is packed on the device first, together with its bias. A
// computed bias of INT32 or INT64 has the scale of the products, as on the CPU.
absl::Status BindWeights(const Node& node, Lowering& lower, const WeightOperands& operands,
                         const FilterPacking& packing, DispatchBuilder& dispatch);

// Binds "bias" alone, of a constant filter whose node makes no elements: a constant, or an epilogue
// op and zeros.
absl::Status BindBias(const Node& node, Lowering& lower, const WeightOperands& operands,
                      int channels, int64_t slices, DispatchBuilder& dispatch);

// OpTraits::takes_ints: the bias of a quantized node.
bool IsIntBias(const Graph& graph, const Node& node, TensorId id,
               const WeightOperands& operands = {});

// OpTraits::elements of convolutions; `bias_type` is that of a bias that is not there.
ElementRule SummedElements(const Graph& graph, const Node& node, SummedProducts operands,
                           TfLiteType bias_type);

// OpTraits::takes_padding of convolutions.
bool HasConstantFilter(const Graph& graph, const Node& node);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_CONV_WEIGHTS_GPU_H_
