// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR on the GPU; the size is that of the output.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/resize/bilinear_rules.h"
#include "ops/resize/nearest_rules.h"

namespace tern::gpu {
namespace {

absl::Status CheckImages(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  if (input->dims.size() != 4 || output->dims.size() != 4) {
    return lower.Unsupported(node, StrCat("input and output must have rank 4 (", input->dims.size(),
                                          ", ", output->dims.size(), ")"));
  }
  if (node.epilogue.empty() && input->type != output->type) {
    return lower.Unsupported(node, DifferentTypes(*input, *output), {Reason::kTensorType});
  }
  const Box in = input->box(), out = output->box();
  if (in.h <= 0 || in.w <= 0) {
    return lower.Unsupported(node, StrCat("images are empty (", in.h, " x ", in.w, ")"));
  }
  return CheckOutputShape(node, lower, *output, {in.b, out.h, out.w, in.c});
}

// Source pixels per output pixel, in float32 as on the CPU.
float Scale(int in, int out, bool align_corners) {
  if (align_corners && out > 1) return static_cast<float>(in - 1) / static_cast<float>(out - 1);
  return static_cast<float>(in) / static_cast<float>(out);
}

// Elements are mixed as they are, whatever numbers those of input and output stand for.
bool MixesElements(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.inputs[0] < 0) return false;
  const std::optional<QuantizedType>&from = graph.tensors[node.inputs[0]].quantized,
        &to = graph.MadeBy(node);
  return from && to && from->type == to->type;
}

// A slice for each line of pixels along an axis: those of the input that it lies between, and the
// shares of both.
std::vector<float> TapSlices(TfLiteType type, int64_t in, int64_t out,
                             const TfLiteResizeBilinearParams& params, int slice_width) {
  std::vector<float> slices(static_cast<size_t>(out * slice_width), 0.0f);
  const auto set = [&](int64_t i, const auto& tap, auto one) {
    float* slice = &slices[static_cast<size_t>(i * slice_width)];
    slice[0] = static_cast<float>(tap.low);
    slice[1] = static_cast<float>(tap.high);
    slice[2] = static_cast<float>(one - tap.fraction);
    slice[3] = static_cast<float>(tap.fraction);
  };
  for (int64_t i = 0; i < out; ++i) {
    if (type == kTfLiteUInt8) {
      set(i, FloatTap(i, in, out, params, /*keeps_fraction=*/true), 1.0f);
    } else {
      set(i, WholeTap(i, in, out, params), static_cast<int32_t>(kPixelParts));
    }
  }
  return slices;
}

absl::Status LowerElements(const Node& node, Lowering& lower, const Box& in, const Box& out) {
  const auto& params = node.Get<TfLiteResizeBilinearParams>();
  constexpr int kMost = 1 << 16;
  if (std::max({in.h, in.w, out.h, out.w}) > kMost) {
    return lower.Unsupported(node, StrCat("quantized images of more than ", kMost, " lines"),
                             {Reason::kShape});
  }
  const QuantizedType &from = *lower.graph().tensors[node.inputs[0]].quantized,
                      &to = *lower.graph().MadeBy(node);
  const int width = lower.slice_width();
  // FORM: how the CPU mixes elements of the type.
  const int form = from.type == kTfLiteUInt8 ? 0 : from.type == kTfLiteInt8 ? 1 : 2;
  return lower.Dispatch(node, KernelId::resize_elements)
      .Read("src", 0)
      .Write("dst", 0)
      .Define("FORM", form)
      .ConstantValues("columns", TapSlices(from.type, in.w, out.w, params, width))
      .ConstantValues("rows", TapSlices(from.type, in.h, out.h, params, width))
      .Float("inverse", 1 / from.scale)
      .Float("zero", static_cast<float>(from.zero_point))
      .Float("dst_scale", to.scale)
      .Float("made_zero", static_cast<float>(to.zero_point))
      .Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b)
      .Emit();
}

absl::Status LowerResizeBilinear(const Node& node, Lowering& lower) {
  TERN_RETURN_IF_ERROR(CheckImages(node, lower));
  const auto& params = node.Get<TfLiteResizeBilinearParams>();
  if (params.align_corners && params.half_pixel_centers) {
    return lower.Unsupported(node, "align_corners and half_pixel_centers exclude each other",
                             {Reason::kOptions});
  }
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box in = input->box(), out = output->box();
  if (MixesElements(lower.graph(), node)) return LowerElements(node, lower, in, out);
  return lower.Dispatch(node, KernelId::resize_bilinear)
      .Read("src", 0)
      .Write("dst", 0)
      .Float("scale_x", Scale(in.w, out.w, params.align_corners))
      .Float("scale_y", Scale(in.h, out.h, params.align_corners))
      .Float("half_pixel", params.half_pixel_centers ? 0.5f : 0.0f)
      .Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b)
      .Emit();
}

absl::Status LowerResizeNearestNeighbor(const Node& node, Lowering& lower) {
  TERN_RETURN_IF_ERROR(CheckImages(node, lower));
  const auto& params = node.Get<TfLiteResizeNearestNeighborParams>();
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box in = input->box(), out = output->box();
  const auto axis = [&](int from, int to) {
    return MakeNearestAxis(from, to, params.align_corners, params.half_pixel_centers);
  };
  const NearestAxis x = axis(in.w, out.w), y = axis(in.h, out.h);
  return lower.Dispatch(node, KernelId::resize_nearest)
      .Read("src", 0)
      .Write("dst", 0)
      .Define("ROUND", x.round)
      .Float("scale_x", x.scale)
      .Float("scale_y", y.scale)
      .Float("offset", x.offset)
      .Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b)
      .Emit();
}

}  // namespace

GpuOp ResizeBilinearGpu() {
  return {.lower = LowerResizeBilinear,
          .traits = {.elements = ComputedWhere<MixesElements>, .takes_epilogue = true}};
}

GpuOp ResizeNearestNeighborGpu() {
  return {
      .lower = LowerResizeNearestNeighbor,
      .traits = {
          .types = kFloats | kInts | kBools, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
