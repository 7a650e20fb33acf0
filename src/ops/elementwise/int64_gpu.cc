// SPDX-License-Identifier: Apache-2.0
// One dispatch for each operand, one for the result.
#include "ops/elementwise/int64_gpu.h"

#include <algorithm>
#include <array>

#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

// As long_pair.kernel numbers them.
enum Int64Pair {
  kSum = 0,
  kDifference = 1,
  kProduct = 2,
  kLargest = 3,
  kSmallest = 4,
  kLess = 5,
  kLessEqual = 6,
  kEqual = 7,
  kNotEqual = 8,
  kMinus = 9,  // of the second operand alone
  kFloorMod,   // by long_floor_mod.kernel
};

struct Int64Row {
  int builtin;
  Int64Pair pair;
  bool swapped = false;
};

constexpr Int64Row kRows[] = {{kTfLiteBuiltinAdd, kSum},
                              {kTfLiteBuiltinSub, kDifference},
                              {kTfLiteBuiltinMul, kProduct},
                              {kTfLiteBuiltinNeg, kMinus},
                              {kTfLiteBuiltinFloorMod, kFloorMod},
                              {kTfLiteBuiltinMaximum, kLargest},
                              {kTfLiteBuiltinMinimum, kSmallest},
                              {kTfLiteBuiltinLess, kLess},
                              {kTfLiteBuiltinLessEqual, kLessEqual},
                              {kTfLiteBuiltinGreater, kLess, true},
                              {kTfLiteBuiltinGreaterEqual, kLessEqual, true},
                              {kTfLiteBuiltinEqual, kEqual},
                              {kTfLiteBuiltinNotEqual, kNotEqual}};

const Int64Row* FindRow(int builtin) {
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const Int64Row& r) { return r.builtin == builtin; });
  return row == std::end(kRows) ? nullptr : row;
}

bool MakesBool(Int64Pair pair) { return pair >= kLess && pair <= kNotEqual; }

absl::Status CheckTypes(const Node& node, const Lowering& lower, Int64Pair pair) {
  for (const TensorId id : node.inputs) {
    if (lower.graph().tensors[id].type != kTfLiteInt64) {
      return lower.Unsupported(
          node,
          StrCat("operand '", lower.graph().tensors[id].name, "' has type ",
                 TfLiteTypeGetName(lower.graph().tensors[id].type), ", not INT64"),
          {Reason::kTensorType});
    }
  }
  // After fused steps the output is what the last of them makes.
  const TfLiteType out = lower.graph().tensors[node.outputs[0]].type;
  if (node.epilogue.empty() && out != (MakesBool(pair) ? kTfLiteBool : kTfLiteInt64)) {
    return lower.Unsupported(node, StrCat("the output has type ", TfLiteTypeGetName(out)),
                             {Reason::kTensorType});
  }
  return absl::OkStatus();
}

// A constant divisor without zeros; others are as the application gives them.
absl::Status CheckDivisor(const Node& node, const Lowering& lower) {
  const GraphTensor& divisor = lower.graph().tensors[node.inputs[1]];
  if (!divisor.is_constant()) return absl::OkStatus();
  TERN_ASSIGN_OR_RETURN(const std::vector<int64_t> numbers, ConstantInts(divisor));
  if (std::find(numbers.begin(), numbers.end(), 0) == numbers.end()) return absl::OkStatus();
  return lower.Unsupported(node, "division by zero", {Reason::kOptions});
}

// Joins the halves of an operand, repeated to the shape of the result.
absl::StatusOr<TensorId> Join(const Node& node, int input, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* operand, lower.Input(node, input));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Box to = out->box();
  const int slices = lower.Slices(to.c);
  const TensorId joined = lower.Temp(StrCat(operand->name, " words"),
                                     {to.b, to.h, to.w, 2 * slices * lower.slice_width()},
                                     Layout::kSlices, Number::kInt);
  const bool spread = !BroadcastsTo(operand->box(), to);
  const Box from = spread ? to : operand->box();
  std::array<TensorId, 2> temps = {-1, -1};
  for (const int w : {0, 1}) {
    if (!spread) continue;
    temps[w] = lower.Temp(StrCat(operand->name, " spread"), to, Layout::kSlices, Number::kInt);
    TERN_RETURN_IF_ERROR(EmitGatherToTemp(
        node, lower, {input, -1, w}, BroadcastGather(ShapeOf(*operand), ShapeOf(*out)), temps[w]));
  }
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::long_join);
  for (const int w : {0, 1}) {
    const char* name = w == 0 ? "low" : "high";
    if (spread) {
      dispatch.ReadTemp(name, temps[w]);
    } else {
      dispatch.ReadInt64Half(name, input, w);
    }
  }
  dispatch.WriteTemp("dst", joined).Define("REPEATS", from.c != to.c ? 1 : 0);
  dispatch.Int("step_x", from.w == to.w)
      .Int("step_y", from.h == to.h)
      .Int("step_b", from.b == to.b);
  TERN_RETURN_IF_ERROR(dispatch.Grid(to.w, to.h, int64_t{slices} * to.b).Emit());
  return joined;
}

}  // namespace

bool HasInt64Pair(int builtin) { return FindRow(builtin) != nullptr; }

bool TakesInt64s(const Node& node, const Lowering& lower) {
  return lower.Has(node, 0) && lower.graph().tensors[node.inputs[0]].type == kTfLiteInt64;
}

absl::Status LowerInt64Pair(const Node& node, Lowering& lower, TfLiteFusedActivation activation) {
  const Int64Row* row = FindRow(node.builtin_code);
  if (row == nullptr) return lower.Unsupported(node, "no form for INT64", {Reason::kTensorType});
  const bool single = row->pair == kMinus;
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (!single) {
    TERN_RETURN_IF_ERROR(CheckPair(lower.graph(), node, /*same_shapes=*/false));
  } else if (node.inputs.size() != 1 || lower.graph().tensors[node.inputs[0]].dims != out->dims) {
    return lower.Unsupported(node, "one operand of the output's shape is needed");
  }
  TERN_RETURN_IF_ERROR(CheckTypes(node, lower, row->pair));
  const bool rest = row->pair == kFloorMod;
  if (rest) TERN_RETURN_IF_ERROR(CheckDivisor(node, lower));
  const Box box = out->box();
  std::array<TensorId, 2> operands = {-1, -1};
  for (int i = 0; i < (single ? 1 : 2); ++i) {
    TERN_ASSIGN_OR_RETURN(operands[i], Join(node, i, lower));
  }
  if (row->swapped || single) std::swap(operands[0], operands[1]);
  DispatchBuilder dispatch =
      lower.Dispatch(node, rest ? KernelId::long_floor_mod : KernelId::long_pair);
  if (!single) dispatch.ReadTemp("first", operands[0]);
  dispatch.ReadTemp("second", operands[1]).Write("dst", 0);
  const bool unit = activation == kTfLiteActReluN1To1, six = activation == kTfLiteActRelu6;
  const bool clamps = unit || six || activation == kTfLiteActRelu;
  dispatch.Define("WORD", node.int64_half);
  if (!rest) {
    dispatch.Define("PAIR", row->pair).Define("CLAMPS", clamps);
    dispatch.Define("LEAST", unit ? -1 : 0).Define("MOST", unit ? 1 : six ? 6 : 0);
  }
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace tern::gpu
