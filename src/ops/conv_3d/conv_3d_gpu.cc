// SPDX-License-Identifier: Apache-2.0
// CONV_3D and CONV_3D_TRANSPOSE on the GPU: the depth lies in the batch, and the taps of depth and
// height are one axis of the filter.
#include "base/status.h"
#include "base/tensor/shape_math.h"
#include "ops/conv_3d/volume_rules.h"
#include "ops/gpu_kit/conv_weights_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/gpu_kit/window_gpu.h"

namespace tern::gpu {
namespace {

// One of both ops; `large` is the side that the filter slides over, the input of CONV_3D and the
// output of CONV_3D_TRANSPOSE.
struct Volumes {
  const GraphTensor *input, *filter, *output, *large, *small;
  KernelConv shape;
  FilterOrder order;
  WeightOperands weights;
};

absl::Status CheckVolumes(const Node& node, const Lowering& lower, const Volumes& v) {
  if (v.input->dims.size() != 5 || v.filter->dims.size() != 5 || v.output->dims.size() != 5) {
    return lower.Unsupported(node, "input, filter and output must have rank 5");
  }
  return absl::OkStatus();
}

absl::Status BindGeometry(const Node& node, Lowering& lower, const Volumes& v,
                          DispatchBuilder& dispatch) {
  const auto& params = node.Get<TfLiteConv3DParams>();
  Volume volume = VolumeOf(params, ShapeOf(*v.large), ShapeOf(*v.filter));
  struct Axis {
    const char *pad, *stride, *dilation;
    WindowAxis& window;
  };
  const Axis axes[] = {{"pad_front", "stride_d", "dilation_d", volume.depth},
                       {"pad_top", "stride_h", "dilation_h", volume.height},
                       {"pad_left", "stride_w", "dilation_w", volume.width}};
  for (size_t i = 0; i < 3; ++i) {
    WindowAxis& window = axes[i].window;
    window.out = v.small->dims[i + 1];
    TERN_RETURN_IF_ERROR(PadAxis(node, lower, params.padding, i + 1, window));
    dispatch.Int(axes[i].pad, window.pad_before).Int(axes[i].stride, window.stride);
    dispatch.Int(axes[i].dilation, window.dilation);
  }
  dispatch.Int("kernel_d", v.filter->dims[0]).Int("kernel_h", v.filter->dims[1]);
  dispatch.Int("kernel_w", v.filter->dims[2]);
  dispatch.Int("in_depth", v.input->dims[1]).Int("out_depth", v.output->dims[1]);
  return absl::OkStatus();
}

absl::Status EmitVolumes(const Node& node, Lowering& lower, const Volumes& v, KernelId kernel,
                         int input_index) {
  if (v.shape.in != v.input->dims[4] || v.shape.out != v.output->dims[4]) {
    return lower.Unsupported(
        node, StrCat("filter does not fit input and output (", v.shape.in, ", ", v.shape.out, ")"));
  }
  if (v.input->dims[1] <= 0 || v.input->dims[2] <= 0 || v.input->dims[3] <= 0 || v.shape.in <= 0) {
    return lower.Unsupported(node,
                             StrCat("input is empty (shape ", ShapeText(ShapeOf(*v.input)), ")"));
  }
  const bool pixels_in_rows = kernel == KernelId::conv_3d;
  const ConvTiles tiles = TilesFor(v.shape, lower);
  const Box out = v.output->box();
  DispatchBuilder dispatch = lower.Dispatch(node, kernel);
  dispatch.Read("src", input_index).Write("dst", 0);
  if (pixels_in_rows) dispatch.Define("PIXELS", tiles.pixels);
  dispatch.Define("SLICES", tiles.slices).Define("LANES", tiles.lanes);
  dispatch.Int("blocks", tiles.blocks);
  TERN_RETURN_IF_ERROR(BindGeometry(node, lower, v, dispatch));
  TERN_RETURN_IF_ERROR(
      BindWeights(node, lower, v.weights, PackingOf(v.shape, tiles, v.order), dispatch));
  return dispatch.Activation(node.Get<TfLiteConv3DParams>().activation)
      .Grid(pixels_in_rows ? CeilDiv(out.w, tiles.pixels) : out.w, out.h,
            int64_t{tiles.blocks} * out.b)
      .Emit();
}

absl::Status LowerConv3d(const Node& node, Lowering& lower) {
  Volumes v{};
  TERN_ASSIGN_OR_RETURN(v.input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(v.filter, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(v.output, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckVolumes(node, lower, v));
  v.large = v.input;
  v.small = v.output;
  const std::vector<int>& f = v.filter->dims;  // [depth, height, width, in, out]
  v.shape = {.in = f[3], .out = f[4], .groups = 1, .height = f[0] * f[1], .width = f[2]};
  v.order = {1, int64_t{f[3]} * f[4], f[4]};
  return EmitVolumes(node, lower, v, KernelId::conv_3d, 0);
}

constexpr VolumePlaces kPlaces = kConv3dTranspose;
constexpr WeightOperands kTransposed = {.filter = kPlaces.filter, .bias = kPlaces.bias};

absl::Status LowerConv3dTranspose(const Node& node, Lowering& lower) {
  Volumes v{};
  TERN_ASSIGN_OR_RETURN(v.filter, lower.Input(node, kPlaces.filter));
  TERN_ASSIGN_OR_RETURN(v.input, lower.Input(node, kPlaces.input));
  TERN_ASSIGN_OR_RETURN(v.output, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckVolumes(node, lower, v));
  v.large = v.output;
  v.small = v.input;
  v.weights = kTransposed;
  const std::vector<int>& f = v.filter->dims;  // [depth, height, width, out, in]
  v.shape = {.in = f[4], .out = f[3], .groups = 1, .height = f[0] * f[1], .width = f[2]};
  v.order = {f[4], int64_t{f[3]} * f[4], 1};
  return EmitVolumes(node, lower, v, KernelId::conv_3d_transpose, kPlaces.input);
}

}  // namespace

GpuOp Conv3dGpu() {
  return {.lower = LowerConv3d,
          .traits = {.takes_epilogue = true, .takes_padding = HasConstantFilter}};
}

GpuOp Conv3dTransposeGpu() {
  return {.lower = LowerConv3dTranspose, .traits = {.takes_epilogue = true}};
}

}  // namespace tern::gpu
