// SPDX-License-Identifier: Apache-2.0
// Attention as three dispatches: scores, softmax over the keys, sums of values. Scores stay floats:
// what halves would lose of large ones, softmax makes larger.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/status.h"
#include "ops/composite/composite_attributes_gpu.h"
#include "ops/composite/composite_gpu.h"
#include "ops/gpu_kit/pixel_items_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

constexpr int kMask = 3;  // operand

struct Attention {
  int batch = 0, queries = 0, keys = 0, heads = 0, key_heads = 0;
  int size = 0;  // of a head of queries and keys
  float scale = 1;
  std::optional<float> cap;  // scores stay within +-cap

  Box scores() const { return {batch, heads, queries, keys}; }
  int share() const { return heads / key_heads; }
};

absl::StatusOr<Attention> ReadShapes(const Node& node, const Lowering& lower) {
  std::vector<Shape> shapes;
  for (int i = 0; i < 3; ++i) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, i));
    shapes.push_back(ShapeOf(*tensor));
    if (shapes[i].size() == 4 && tensor->box().elements() > 0) continue;
    return lower.Unsupported(node, StrCat("operand ", i, " must have rank 4 and elements (shape ",
                                          ShapeText(shapes[i]), ")"));
  }
  const Shape &query = shapes[0], &key = shapes[1], &value = shapes[2];
  if (key[0] != query[0] || key[3] != query[3] || value[0] != key[0] || value[1] != key[1] ||
      value[2] != key[2] || query[2] % key[2] != 0) {
    return lower.Unsupported(
        node, StrCat("queries (", ShapeText(query), "), keys (", ShapeText(key), ") and values (",
                     ShapeText(value), ") do not fit each other"));
  }
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(
      CheckOutputShape(node, lower, *output, {query[0], query[1], query[2], value[3]}));
  const Box box = BoxOf(lower.graph().tensors[node.inputs[0]].dims);
  Attention attention;
  attention.batch = box.b;
  attention.queries = box.h;
  attention.keys = static_cast<int>(key[1]);
  attention.heads = box.w;
  attention.key_heads = static_cast<int>(key[2]);
  attention.size = box.c;
  return attention;
}

absl::Status CheckMask(const Node& node, const Lowering& lower, const Attention& attention) {
  if (!lower.Has(node, kMask)) return absl::OkStatus();
  TERN_ASSIGN_OR_RETURN(const GraphTensor* mask, lower.Input(node, kMask));
  const bool real = mask->type == kTfLiteFloat32 || mask->type == kTfLiteFloat16;
  if (real && mask->dims.size() == 4 && BroadcastsTo(mask->box(), attention.scores())) {
    return absl::OkStatus();
  }
  return lower.Unsupported(
      node,
      StrCat("a mask of type ", TfLiteTypeGetName(mask->type), " and shape ",
             ShapeText(ShapeOf(*mask)), " for scores of ", ToString(attention.scores())),
      {Reason::kTensorType});
}

absl::Status ReadAttributes(const Node& node, const Lowering& lower, Attention* attention) {
  const auto& params = node.Get<TfLiteStablehloCompositeParams>();
  const auto attributes = CompositeAttributes::Of(params, {"scale", "logit_cap"});
  if (!attributes.ok())
    return lower.Unsupported(node, Message(attributes.status()), {Reason::kOptions});
  const auto scale = attributes->Real("scale"), cap = attributes->Real("logit_cap");
  for (const auto* number : {&scale, &cap}) {
    if (!number->ok())
      return lower.Unsupported(node, Message(number->status()), {Reason::kOptions});
  }
  attention->scale =
      static_cast<float>(scale->value_or(1 / std::sqrt(static_cast<double>(attention->size))));
  if (!cap->has_value()) return absl::OkStatus();
  if (!(**cap > 0)) {
    return lower.Unsupported(node, StrCat("logit_cap must be positive (", **cap, ")"),
                             {Reason::kOptions});
  }
  attention->cap = static_cast<float>(**cap);
  return absl::OkStatus();
}

// How many queries share what a work-item reads of keys and values.
int Queries(const Attention& attention) { return std::min(2, attention.queries); }

absl::Status EmitScores(const Node& node, Lowering& lower, const Attention& a, TensorId scores) {
  const int queries = Queries(a);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::attention_scores);
  dispatch.Read("query", 0).Read("key", 1).WriteTemp("dst", scores);
  dispatch.Define("QUERIES", queries).Int("share", a.share()).Float("scale", a.scale);
  if (a.cap.has_value()) {
    dispatch.Step({.expression = "tanh(v / splat(a)) * splat(a)", .a = *a.cap});
  }
  if (lower.Has(node, kMask)) dispatch.AddInput(kMask);
  return dispatch
      .Grid((a.queries + queries - 1) / queries, lower.Slices(a.keys), int64_t{a.heads} * a.batch)
      .Emit();
}

absl::Status EmitValues(const Node& node, Lowering& lower, const Attention& a, TensorId weights) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const int queries = Queries(a);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::attention_values);
  dispatch.ReadTemp("weight", weights).Read("value", 2).Write("dst", 0);
  dispatch.Define("QUERIES", queries).Int("share", a.share());
  return dispatch
      .Grid(a.heads, (a.queries + queries - 1) / queries,
            int64_t{a.batch} * lower.Slices(output->box().c))
      .Emit();
}

}  // namespace

absl::Status LowerAttention(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(Attention attention, ReadShapes(node, lower));
  TERN_RETURN_IF_ERROR(CheckMask(node, lower, attention));
  TERN_RETURN_IF_ERROR(ReadAttributes(node, lower, &attention));
  const Box box = attention.scores();
  if (box.elements() > std::numeric_limits<int>::max()) {
    return lower.Unsupported(node, StrCat("too many scores (", box.elements(), ")"),
                             {Reason::kDeviceLimit});
  }
  const TensorId scores = lower.FloatTemp(StrCat(Label(node), " scores"), box, Layout::kSlices);
  const TensorId weights = lower.Temp(StrCat(Label(node), " weights"), box, Layout::kSlices);
  TERN_RETURN_IF_ERROR(EmitScores(node, lower, attention, scores));
  DispatchBuilder softmax = lower.Dispatch(node, KernelId::softmax);
  softmax.ReadTemp("src", scores).WriteTemp("dst", weights).Define("LOGARITHM", 0);
  softmax.Float("beta", 1).Float("lowest", std::numeric_limits<float>::lowest());
  TERN_RETURN_IF_ERROR(EmitOverPixels(box, lower, softmax));
  return EmitValues(node, lower, attention, weights);
}

}  // namespace tern::gpu
