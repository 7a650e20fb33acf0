// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR on the GPU; the size is that of the output.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
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
  if (node.chain.empty() && input->type != output->type) {
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

bool MixesShorts(const Graph& graph, const Node& node) {
  const auto is_short = [&](const std::vector<TensorId>& ids) {
    if (ids.empty() || ids[0] < 0) return false;
    const std::optional<Quantized>& q = graph.tensors[ids[0]].quantized;
    return q && q->type == kTfLiteInt16;
  };
  return is_short(node.inputs) && is_short(node.outputs);
}

// Where output pixels lie, in parts of 1024 of source pixels.
struct ShortAxis {
  int64_t step, first;
};

ShortAxis MakeShortAxis(int64_t in, int64_t out, const TfLiteResizeBilinearParams& params) {
  const int64_t meet = params.align_corners && out > 1 ? 1 : 0;
  const int64_t step = (1024 * (in - meet) + (out - meet) / 2) / (out - meet);
  return {step, params.half_pixel_centers ? step / 2 - 512 : 0};
}

absl::Status LowerShorts(const Node& node, Lowering& lower, const GraphTensor& input,
                         const GraphTensor& output) {
  const auto& params = node.Get<TfLiteResizeBilinearParams>();
  const Box in = input.box(), out = output.box();
  constexpr int64_t kMost = int64_t{1} << 20;
  if (std::max({in.h, in.w, out.h, out.w}) > kMost) {
    return lower.Unsupported(node, StrCat("INT16 images of more than ", kMost, " lines"),
                             {Reason::kShape});
  }
  const ShortAxis x = MakeShortAxis(in.w, out.w, params), y = MakeShortAxis(in.h, out.h, params);
  const Quantized &from = *input.quantized, &to = *output.quantized;
  return lower.Dispatch(node, KernelId::resize_bilinear_short)
      .Read("src", 0)
      .Write("dst", 0)
      .Int("step_x", x.step)
      .Int("step_y", y.step)
      .Int("first_x", x.first)
      .Int("first_y", y.first)
      .Float("scale", from.scale)
      .Float("zero_point", static_cast<float>(from.zero_point))
      .Float("dst_scale", to.scale)
      .Float("dst_zero_point", static_cast<float>(to.zero_point))
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
  if (MixesShorts(lower.graph(), node)) return LowerShorts(node, lower, *input, *output);
  const Box in = input->box(), out = output->box();
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
          .traits = {.rounds_elements = true, .makes_elements = MixesShorts, .takes_chain = true}};
}

GpuOp ResizeNearestNeighborGpu() {
  return {.lower = LowerResizeNearestNeighbor,
          .traits = {
              .types = kFloats | kInts | kBools, .keeps_quantization = true, .takes_chain = true}};
}

}  // namespace tern::gpu
