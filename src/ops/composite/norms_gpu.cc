// SPDX-License-Identifier: Apache-2.0
// Normalizing composites: rows of channels by one kernel, groups of channels by two.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "ops/composite/composite_attributes_gpu.h"
#include "ops/composite/composite_gpu.h"
#include "ops/gpu_kit/pixel_items_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

constexpr int kGamma = 1, kBeta = 2;  // operands

// The normalized tensor, which has a last axis.
absl::StatusOr<const GraphTensor*> Normalized(const Node& node, const Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  if (input->dims.empty()) return lower.Unsupported(node, "a scalar has no axis");
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, ShapeOf(*input)));
  return input;
}

StatusOr<float> Epsilon(const CompositeAttributes& attributes) {
  TERN_ASSIGN_OR_RETURN(const double epsilon, attributes.NeededReal("epsilon"));
  if (!(epsilon >= 0)) return Invalid("epsilon must not be negative (", epsilon, ")");
  return static_cast<float>(epsilon);
}

// Whether an attribute that names an axis, if it is there, names the last one.
Status CheckLastAxis(const CompositeAttributes& attributes, const char* key, int64_t rank) {
  TERN_ASSIGN_OR_RETURN(const std::optional<int64_t> axis, attributes.Integer(key));
  if (!axis.has_value() || *axis == -1 || *axis == rank - 1) return OkStatus();
  return Unsupported(key, " must be the last of ", rank, " axes (", *axis, ")");
}

// Adds a factor or a summand of each channel: a constant to the kernel, where `in_kernel`, anything
// else as a step after it.
absl::Status AddPerChannel(const Node& node, Lowering& lower, int operand, bool in_kernel,
                           DispatchBuilder& dispatch) {
  const std::string define = operand == kGamma ? "GAMMA" : "BETA";
  if (!lower.Has(node, operand)) {
    dispatch.Define(define, 0);
    return absl::OkStatus();
  }
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, operand));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  const int channels = input->dims.back();
  if (tensor->dims != std::vector<int>{channels}) {
    return lower.Unsupported(node, StrCat("operand ", operand, " must have the shape [", channels,
                                          "] (", ShapeText(ShapeOf(*tensor)), ")"));
  }
  dispatch.Define(define, in_kernel ? 1 : 0);
  if (!in_kernel) {
    dispatch.Step(
        {.expression = operand == kGamma ? "v * w" : "v + w", .operand = node.inputs[operand]});
    return absl::OkStatus();
  }
  dispatch.ConstantRow(operand == kGamma ? "gamma" : "beta", lower.Slices(channels), operand,
                       channels);
  return absl::OkStatus();
}

// Adds scale and offset as steps, in the order in which they apply.
absl::Status AddScaling(const Node& node, Lowering& lower, DispatchBuilder& dispatch) {
  const auto is_constant = [&](int operand) {
    return !lower.Has(node, operand) || lower.graph().tensors[node.inputs[operand]].is_constant();
  };
  const bool gamma = is_constant(kGamma);
  TERN_RETURN_IF_ERROR(AddPerChannel(node, lower, kGamma, gamma, dispatch));
  return AddPerChannel(node, lower, kBeta, gamma && is_constant(kBeta), dispatch);
}

// Lowers a norm of each row of channels. `part` is the factor of the sum of squares; with `center`
// the mean is subtracted first.
absl::Status LowerRows(const Node& node, Lowering& lower, float part, float epsilon, bool center) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::norm_rows);
  dispatch.Read("src", 0).Write("dst", 0).Define("CENTER", center ? 1 : 0);
  dispatch.Float("part", part).Float("epsilon", epsilon);
  TERN_RETURN_IF_ERROR(AddScaling(node, lower, dispatch));
  return EmitOverPixels(output->box(), lower, dispatch);
}

float PartOf(int64_t count) { return 1.0f / static_cast<float>(std::max<int64_t>(count, 1)); }

// Rows of channels without their mean, with the attributes of a norm along the last axis alone.
absl::Status LowerRowNorm(const Node& node, Lowering& lower, bool mean_of_squares) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, Normalized(node, lower));
  const auto& params = node.Get<TfLiteStablehloCompositeParams>();
  const auto attributes = CompositeAttributes::Of(params, {"epsilon", "axis"});
  if (!attributes.ok())
    return lower.Unsupported(node, Message(attributes.status()), {Reason::kOptions});
  const auto epsilon = Epsilon(*attributes);
  if (!epsilon.ok()) return lower.Unsupported(node, Message(epsilon.status()), {Reason::kOptions});
  const Status axis = CheckLastAxis(*attributes, "axis", static_cast<int64_t>(input->dims.size()));
  if (!axis.ok()) return lower.Unsupported(node, Message(axis), {Reason::kOptions});
  return LowerRows(node, lower, mean_of_squares ? PartOf(input->dims.back()) : 1, *epsilon, false);
}

// The options that the attributes of a group norm set.
struct GroupNorm {
  float epsilon = 0;
  int64_t groups = 1;
  bool pixels = false;  // each pixel's channels alone
};

// Converters write one name for two norms. `sub_type` tells which (0: groups, 1: pixels). Older
// models without it list axes for groups, the last one alone; where there are neither, models
// differ in what they mean.
StatusOr<GroupNorm> ReadGroupNorm(const TfLiteStablehloCompositeParams& params,
                                  const Shape& shape) {
  TERN_ASSIGN_OR_RETURN(const auto attributes,
                        CompositeAttributes::Of(params, {"epsilon", "num_groups", "channel_axis",
                                                         "sub_type", "reduction_axes"}));
  GroupNorm norm;
  TERN_ASSIGN_OR_RETURN(norm.epsilon, Epsilon(attributes));
  const auto rank = static_cast<int64_t>(shape.size());
  TERN_RETURN_IF_ERROR(CheckLastAxis(attributes, "channel_axis", rank));
  TERN_ASSIGN_OR_RETURN(const auto sub_type, attributes.Integer("sub_type"));
  TERN_ASSIGN_OR_RETURN(const auto axes, attributes.Integers("reduction_axes"));
  TERN_ASSIGN_OR_RETURN(const auto groups, attributes.Integer("num_groups"));
  if (sub_type.has_value() && *sub_type != 0 && *sub_type != 1) {
    return Unsupported("sub_type ", *sub_type, " is not understood");
  }
  if (!sub_type.has_value() && !axes.has_value() && groups.has_value()) {
    return Unsupported("neither sub_type nor reduction_axes say what is normalized");
  }
  norm.pixels = sub_type.has_value() ? *sub_type == 1 : !axes.has_value();
  std::vector<int64_t> want;  // axes
  for (int64_t d = sub_type.has_value() && !norm.pixels ? 1 : rank - 1; d < rank; ++d) {
    want.push_back(d);
  }
  if (axes.has_value() && *axes != want) {
    return Unsupported("reduction_axes (", ShapeText(*axes), ") are not understood (expected ",
                       ShapeText(want), ")");
  }
  norm.groups = groups.value_or(1);
  if (!groups.has_value() && !norm.pixels) return Invalid("attribute num_groups is missing");
  if (norm.groups < 1 || shape.back() % norm.groups != 0) {
    return Invalid(shape.back(), " channels are no ", norm.groups, " groups");
  }
  if (norm.pixels && norm.groups != 1) {
    return Unsupported("each pixel's channels in ", norm.groups, " groups");
  }
  return norm;
}

// Mean and one over the deviation by image and group, as channels 0 and 1.
absl::StatusOr<TensorId> EmitMoments(const Node& node, Lowering& lower, const GroupNorm& norm,
                                     int64_t pixels, int64_t group_channels) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  const int groups = static_cast<int>(norm.groups), images = input->dims.front();
  const TensorId moments =
      lower.FloatTemp(StrCat(Label(node), " moments"), {1, images, groups, 2}, Layout::kSlices);
  const int64_t widest = lower.Slices(static_cast<int>(group_channels)) + 1;
  int items = lower.tuning().reduce_items;
  while (items > 1 && items / 2 >= widest * pixels) items /= 2;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::group_moments);
  dispatch.Read("src", 0).WriteTemp("dst", moments).Define("ITEMS", items);
  dispatch.Int("pixels", pixels).Int("group_channels", group_channels);
  dispatch.Float("part", PartOf(pixels * group_channels)).Float("epsilon", norm.epsilon);
  if (items > 1) dispatch.LocalNumbers("values", items).Group(items, 1, 1);
  TERN_RETURN_IF_ERROR(dispatch.Grid(int64_t{images} * groups * items, 1, 1).Emit());
  return moments;
}

}  // namespace

absl::Status LowerRmsNorm(const Node& node, Lowering& lower) {
  return LowerRowNorm(node, lower, /*mean_of_squares=*/true);
}

absl::Status LowerL2Norm(const Node& node, Lowering& lower) {
  return LowerRowNorm(node, lower, /*mean_of_squares=*/false);
}

absl::Status LowerGroupNorm(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, Normalized(node, lower));
  const Shape shape = ShapeOf(*input);
  const auto norm = ReadGroupNorm(node.Get<TfLiteStablehloCompositeParams>(), shape);
  if (!norm.ok()) return lower.Unsupported(node, Message(norm.status()), {Reason::kOptions});
  if (norm->pixels) return LowerRows(node, lower, PartOf(shape.back()), norm->epsilon, true);
  const Box box = input->box();
  // More axes fold into the box's batch together with that of the images.
  if (shape.size() < 2 || shape.size() > 4 || box.elements() == 0) {
    return lower.Unsupported(
        node, StrCat("groups need 2 to 4 axes and elements (shape ", ShapeText(shape), ")"));
  }
  const int64_t pixels = box.elements() / shape.front() / shape.back();
  const int64_t group_channels = shape.back() / norm->groups;
  TERN_ASSIGN_OR_RETURN(const TensorId moments,
                        EmitMoments(node, lower, *norm, pixels, group_channels));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::norm_groups);
  dispatch.Read("src", 0).ReadTemp("moments", moments).Write("dst", 0);
  dispatch.Define("SAME", norm->groups == 1 || group_channels % lower.slice_width() == 0 ? 1 : 0);
  dispatch.Int("pixels", pixels).Int("group_channels", group_channels);
  TERN_RETURN_IF_ERROR(AddScaling(node, lower, dispatch));
  return dispatch.Grid(box.w, box.h, int64_t{box.b} * lower.Slices(box.c)).Emit();
}

}  // namespace tern::gpu
