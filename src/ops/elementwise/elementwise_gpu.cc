// SPDX-License-Identifier: Apache-2.0
// The rows of table.inc on the GPU: epilogue ops of a producer, or a dispatch of their own.
#include "ops/elementwise/elementwise_gpu.h"

#include <algorithm>

#include "base/status.h"
#include "ops/elementwise/binary_rules.h"
#include "ops/elementwise/gpu_texts.h"
#include "ops/elementwise/int16_elements_gpu.h"
#include "ops/elementwise/int16_lookup_gpu.h"
#include "ops/elementwise/int16_lookup_rules.h"
#include "ops/elementwise/int64_gpu.h"
#include "ops/elementwise/pair_elements_gpu.h"
#include "ops/elementwise/parameters.h"
#include "ops/elementwise/row_function_gpu.h"
#include "ops/gpu_kit/element_results_gpu.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/rules_kit/broadcast.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

struct UnaryRow {
  int builtin;
  const char* expression;
  bool (*constants)(const void* params, elementwise::Constants& constants);
};

struct BinaryRow {
  int builtin;
  PairText (*text)();
  bool (*activation)(const void* params, TfLiteFusedActivation& activation);
};

unsigned BinaryTypes(int builtin, const char* int_text) {
  unsigned types = kFloats | kHalves;
  if (int_text != nullptr) types |= kInts;
  if (builtin == kTfLiteBuiltinMul) types |= kUnsigned;
  if (HasInt64Pair(builtin)) types |= kInt64s;
  return types;
}

const UnaryRow kUnaryRows[] = {
#define ELEMENTWISE_UNARY(builtin, name, parameters, cpu, text) \
  {kTfLiteBuiltin##name, text, elementwise::parameters},
#include "ops/elementwise/table.inc"
};

const BinaryRow kBinaryRows[] = {
#define ELEMENTWISE_BINARY(builtin, name, parameters, cpu, text, int_text) \
  {kTfLiteBuiltin##name,                                                   \
   [] {                                                                    \
     return PairText{.reals = text,                                        \
                     .ints = int_text,                                     \
                     .types = BinaryTypes(kTfLiteBuiltin##name, int_text), \
                     .same_shapes = name##Rules::kSameShapes,              \
                     .refusal = &name##Rules::Refusal<int32_t>};           \
   },                                                                      \
   elementwise::parameters},
#include "ops/elementwise/table.inc"
};

template <class Row, size_t N>
const Row* FindRow(const Row (&rows)[N], int builtin) {
  const auto row = std::find_if(std::begin(rows), std::end(rows),
                                [&](const Row& r) { return r.builtin == builtin; });
  return row == std::end(rows) ? nullptr : &*row;
}

absl::Status Refuse(const Node& node, std::string_view what, const RefusalReason& refusal_reason) {
  return Annotate(Unsupported(Label(node), ": ", what), refusal_reason);
}

absl::Status CheckCount(const Node& node, size_t operands) {
  if (node.inputs.size() != operands || node.outputs.size() != 1) {
    return Refuse(node, StrCat("wrong number of operands (", node.inputs.size(), ")"),
                  {Reason::kOperands});
  }
  for (const TensorId id : node.inputs) {
    if (id < 0) return Refuse(node, "an operand is missing", {Reason::kOperands});
  }
  return absl::OkStatus();
}

// Epilogue ops see numbers of 32 bits.
unsigned StepTypeSetOf(TfLiteType type) {
  return TypeSetOf(type) & ~static_cast<unsigned>(kInt64s | kIndices);
}

absl::Status CheckTypes(const Graph& graph, const Node& node, unsigned inputs, unsigned outputs) {
  for (const TensorId id : node.inputs) {
    const GraphTensor& tensor = graph.tensors[id];
    if ((StepTypeSetOf(tensor.type) & inputs) == 0) {
      return Refuse(node,
                    StrCat("tensor '", tensor.name, "' has type ", TfLiteTypeGetName(tensor.type)),
                    {Reason::kTensorType, id});
    }
  }
  if (!node.epilogue.empty()) return absl::OkStatus();  // the output is what the last step makes
  const GraphTensor& output = graph.tensors[node.outputs[0]];
  if ((StepTypeSetOf(output.type) & outputs) == 0) {
    return Refuse(node, StrCat("the output has type ", TfLiteTypeGetName(output.type)),
                  {Reason::kTensorType, node.outputs[0]});
  }
  return absl::OkStatus();
}

absl::Status CheckShapes(const Graph& graph, const Node& node, bool same_shapes) {
  const Shape a = ShapeOf(graph.tensors[node.inputs[0]]),
              b = ShapeOf(graph.tensors[node.inputs[1]]);
  const StatusOr<Shape> shape = BroadcastShape(a, b);
  if (!shape.ok()) return Refuse(node, Message(shape.status()), {Reason::kShape});
  if (same_shapes && a != b) {
    return Refuse(node,
                  StrCat("operands must have one shape (", ShapeText(a), ", ", ShapeText(b), ")"),
                  {Reason::kShape});
  }
  const Shape out = ShapeOf(graph.tensors[node.outputs[0]]);
  if (out == *shape) return absl::OkStatus();
  return Refuse(node,
                StrCat("the output has shape ", ShapeText(out), ", expected ", ShapeText(*shape)),
                {Reason::kShape, node.outputs[0]});
}

// Whether some constant second operand is refused: only then its numbers are read.
bool Refuses(const PairText& text) {
  return text.refusal != nullptr && (text.refusal(0) != nullptr || text.refusal(-1) != nullptr);
}

std::optional<EpilogueOp> IntActivation(TfLiteFusedActivation activation) {
  const char* text = activation == kTfLiteActRelu        ? "max(v, isplat(0))"
                     : activation == kTfLiteActRelu6     ? "min(max(v, isplat(0)), isplat(6))"
                     : activation == kTfLiteActReluN1To1 ? "min(max(v, isplat(-1)), isplat(1))"
                                                         : nullptr;
  if (text == nullptr) return std::nullopt;
  return EpilogueOp{.expression = text, .from = Number::kInt, .to = Number::kInt};
}

// The form of a one-operand row on INT32; null where it has none.
const char* IntText(int builtin) {
  switch (builtin) {
    case kTfLiteBuiltinAbs:
      return "max(v, isplat(0) - v)";
    case kTfLiteBuiltinNeg:
      return "isplat(0) - v";
    case kTfLiteBuiltinSign:
      return "select_lt(v, isplat(0), isplat(-1), select_lt(isplat(0), v, isplat(1), v))";
    default:
      return nullptr;
  }
}

unsigned UnaryTypes(int builtin) {
  const unsigned reals = kFloats | kHalves;
  const unsigned longs = HasInt64Pair(builtin) ? unsigned{kInt64s} : 0;
  return IntText(builtin) == nullptr ? reals : reals | kInts | longs;
}

// Refuses operations that are no function of real values, such as INT16 lookup tables.
absl::Status CheckQuantized(const Node& node, const GraphTensor& in) {
  if (in.quantized && in.quantized->type == kTfLiteInt16 &&
      elementwise::HasInt16Lookup(node.builtin_code)) {
    return Refuse(node, "INT16 results lie on lines between points, not on the curve",
                  {Reason::kQuantization});
  }
  return absl::OkStatus();
}

// The steps of a row of table.inc.
absl::StatusOr<Epilogue> RowSteps(const Graph& graph, const Node& node) {
  if (const BinaryRow* row = FindRow(kBinaryRows, node.builtin_code)) {
    TfLiteFusedActivation activation = kTfLiteActNone;
    if (!row->activation(node.params, activation))
      return Refuse(node, "options are missing", {Reason::kOptions});
    if (!PairsElements(graph, node)) return PairSteps(graph, node, row->text(), activation);
    TERN_RETURN_IF_ERROR(CheckPair(graph, node, row->text().same_shapes));
    return ElementPairSteps(graph, node, activation);
  }
  const UnaryRow* row = FindRow(kUnaryRows, node.builtin_code);
  if (row == nullptr) return Refuse(node, "this is no elementwise operation", {Reason::kNoGpuForm});
  TERN_RETURN_IF_ERROR(CheckSingle(graph, node, UnaryTypes(node.builtin_code)));
  if (node.results >= 0) return ResultSteps(graph, node);
  if (MakesInt16Elements(graph, node)) {
    const std::optional<Epilogue> steps = Int16ElementOps(graph, node);
    if (!steps) return Refuse(node, "options are missing", {Reason::kOptions});
    return *steps;
  }
  const GraphTensor& in = graph.tensors[node.inputs[0]];
  TERN_RETURN_IF_ERROR(CheckQuantized(node, in));
  const Number number = in.number();
  if (node.epilogue.empty() && number != graph.tensors[node.outputs[0]].number()) {
    return Refuse(node, "input and output differ in type", {Reason::kTensorType});
  }
  if (number == Number::kInt) {
    return Epilogue{{.expression = IntText(node.builtin_code), .from = number, .to = number}};
  }
  elementwise::Constants constants;
  if (!row->constants(node.params, constants))
    return Refuse(node, "options are missing", {Reason::kOptions});
  EpilogueOp step;
  step.expression = constants.gpu_text != nullptr ? constants.gpu_text : row->expression;
  step.a = constants.a;
  step.b = constants.b;
  return Epilogue{step};
}

// An operand as an epilogue can read it. Boxes broadcast by themselves; what folding to a box has
// made inexpressible (ranks above 4) is spread out into a temporary first.
struct Operand {
  int input = 0;
  TensorId temp = -1;
};

absl::StatusOr<Operand> PrepareOperand(const Node& node, int input, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* operand, lower.Input(node, input));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (BroadcastsTo(operand->box(), out->box())) return Operand{input};
  if (!CanBroadcast(ShapeOf(*operand), ShapeOf(*out))) {
    return lower.Unsupported(node, StrCat("operand ", input, " does not fit the output"));
  }
  const Gather spread = BroadcastGather(ShapeOf(*operand), ShapeOf(*out));
  const TensorId temp =
      lower.Temp(StrCat(operand->name, " spread"), out->box(), Layout::kSlices, operand->number());
  TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {input}, spread, temp));
  return Operand{input, temp};
}

void AddStep(const Node& node, const Operand& operand, EpilogueOp step, DispatchBuilder& dispatch) {
  if (operand.temp >= 0) {
    step.operand.reset();
    dispatch.StepWithTemp(std::move(step), operand.temp);
  } else {
    step.operand = node.inputs[operand.input];
    dispatch.Step(std::move(step));
  }
}

absl::Status LowerRow(const Node& node, Lowering& lower) {
  if (TakesInt64s(node, lower)) {
    TfLiteFusedActivation activation = kTfLiteActNone;
    const BinaryRow* row = FindRow(kBinaryRows, node.builtin_code);
    if (row != nullptr && !row->activation(node.params, activation)) {
      return Refuse(node, "options are missing", {Reason::kOptions});
    }
    return LowerInt64Pair(node, lower, activation);
  }
  if (MakesInt16Lookup(lower.graph(), node)) return LowerInt16Lookup(node, lower);
  return LowerSteps(node, lower, RowSteps(lower.graph(), node));
}

}  // namespace

PairText TextOfRow(int builtin) { return FindRow(kBinaryRows, builtin)->text(); }

absl::Status CheckPair(const Graph& graph, const Node& node, bool same_shapes) {
  TERN_RETURN_IF_ERROR(CheckCount(node, 2));
  return CheckShapes(graph, node, same_shapes);
}

absl::Status CheckSingle(const Graph& graph, const Node& node, unsigned types) {
  TERN_RETURN_IF_ERROR(CheckCount(node, 1));
  return CheckTypes(graph, node, types, types);
}

absl::StatusOr<Epilogue> PairSteps(const Graph& graph, const Node& node, const PairText& text,
                                   TfLiteFusedActivation activation) {
  TERN_RETURN_IF_ERROR(CheckCount(node, 2));
  const GraphTensor &a = graph.tensors[node.inputs[0]], &b = graph.tensors[node.inputs[1]];
  const bool ints = a.number() == Number::kInt;
  const unsigned inputs = StepTypeSetOf(a.type) & text.types;
  const unsigned outputs = text.is_bool ? unsigned{kBools} : inputs;
  TERN_RETURN_IF_ERROR(CheckTypes(graph, node, inputs, outputs));
  TERN_RETURN_IF_ERROR(CheckShapes(graph, node, text.same_shapes));
  const char* expression = ints ? text.ints : text.reals;
  if (expression == nullptr)
    return Refuse(node, "integers are not supported", {Reason::kTensorType});
  if (ints && b.is_constant() && Refuses(text)) {
    TERN_ASSIGN_OR_RETURN(const std::vector<int64_t> numbers, ConstantInts(b));
    for (const int64_t v : numbers) {
      const char* wrong = text.refusal(static_cast<int32_t>(v));
      if (wrong != nullptr) return Refuse(node, wrong, {Reason::kOptions});
    }
  }
  if (a.type == kTfLiteUInt32 && activation != kTfLiteActNone) {
    return Refuse(node, "UINT32 with a fused activation", {Reason::kOptions});
  }
  EpilogueOp step;
  step.expression = expression;
  step.operand = node.inputs[1];
  step.from = a.number();
  step.to = text.is_bool ? Number::kReal : a.number();
  Epilogue epilogue = {step};
  // TANH and SIGN_BIT are ignored here, as the reference ignores them.
  const std::optional<EpilogueOp> clamp =
      ints ? IntActivation(activation) : ActivationStep(activation);
  if (clamp) epilogue.push_back(*clamp);
  return epilogue;
}

absl::Status LowerSteps(const Node& node, Lowering& lower, const absl::StatusOr<Epilogue>& steps) {
  if (!steps.ok()) return steps.status();
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const Operand first, PrepareOperand(node, 0, lower));
  Operand second;
  const auto reads = [](const EpilogueOp& step) { return step.operand && !step.lookup; };
  if (std::any_of(steps->begin(), steps->end(), reads)) {
    TERN_ASSIGN_OR_RETURN(second, PrepareOperand(node, 1, lower));
  }
  const Box box = out->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::elementwise);
  dispatch.Write("dst", 0);
  const Number number = lower.graph().tensors[node.inputs[0]].number();
  AddStep(node, first, {.expression = "w", .from = number, .to = number}, dispatch);
  for (const EpilogueOp& step : *steps) {
    if (reads(step)) {
      AddStep(node, second, step, dispatch);
    } else {
      dispatch.Step(step);
    }
  }
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

GpuOp ElementwiseOp(LowerFunction lower, StepsFunction steps, unsigned types) {
  return {.lower = lower,
          .traits = {.types = types,
                     .joins_halves = JoinsHalves,
                     .takes_epilogue = true,
                     .elementwise = steps}};
}

namespace {

GpuOp UnaryOp(int builtin) {
  GpuOp op = ElementwiseOp(LowerRow, RowSteps, UnaryTypes(builtin));
  op.traits.elements = [](const Graph& graph, const Node& node) {
    const bool computes = MakesInt16Lookup(graph, node) || MakesInt16Elements(graph, node);
    return TabledOr(computes ? ElementRule(Computed{}) : Rounded{}, RowResults(graph, node));
  };
  return op;
}

GpuOp BinaryOp(int builtin, const char* int_text) {
  GpuOp op = ElementwiseOp(LowerRow, RowSteps, BinaryTypes(builtin, int_text));
  const bool moves = builtin == kTfLiteBuiltinMinimum || builtin == kTfLiteBuiltinMaximum;
  op.traits.elements = moves ? Always<Moved{}> : ComputedWhere<PairsElements>;
  return op;
}

}  // namespace

#define ELEMENTWISE_UNARY(builtin, name, ...) \
  GpuOp name##Gpu() { return UnaryOp(kTfLiteBuiltin##name); }
#define ELEMENTWISE_BINARY(builtin, name, parameters, cpu, text, int_text) \
  GpuOp name##Gpu() { return BinaryOp(kTfLiteBuiltin##name, int_text); }
#include "ops/elementwise/table.inc"

}  // namespace tern::gpu
