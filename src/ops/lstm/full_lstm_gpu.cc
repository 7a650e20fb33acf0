// SPDX-License-Identifier: Apache-2.0
// Every step is a handful of products and elementwise chains, with temporaries between them. The
// states of the last step come back as outputs 1 and 2.
#include "ops/lstm/full_lstm_gpu.h"

#include <optional>
#include <vector>

#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/lstm/gate_product_gpu.h"
#include "ops/lstm/lstm_rules.h"

namespace tern::gpu {
namespace {

// Operand 0 is what the cell reads; the others lie as on the CPU.
constexpr int kInput = 0;
constexpr LstmLayout kAt = kLstmLayout;

// Dispatches of longer sequences would be too many.
constexpr int kMostSteps = 256;

class FullLstm {
 public:
  FullLstm(const Node& node, Lowering& lower, const FullLstmOptions& options)
      : node_(node), lower_(lower), options_(options) {}

  absl::Status Lower();

 private:
  // A state: an operand before the first step, a temporary after it.
  struct State {
    int operand;
    TensorId temp = -1;
  };

  absl::Status Read();
  int batch() const { return static_cast<int>(sizes_.batch); }
  int inputs() const { return static_cast<int>(sizes_.inputs); }
  int cells() const { return static_cast<int>(sizes_.cells); }
  int outputs() const { return static_cast<int>(sizes_.outputs); }
  absl::Status CheckShape(int input, const Shape& want) const;
  absl::Status CheckGate(int gate) const;
  CellStep With(const State& state, const char* expression) const;
  TensorId Temp(const char* what, int channels) const {
    return lower_.Temp(StrCat(Label(node_), " ", what), {1, 1, batch(), channels}, Layout::kSlices);
  }
  void Activate(std::vector<CellStep>& steps) const;
  static void Clip(float limit, std::vector<CellStep>& steps);
  absl::StatusOr<TensorId> EmitGate(int gate, TensorId x, const State& h, const State& c,
                                    const std::vector<CellStep>& after);
  absl::StatusOr<TensorId> EmitMean(TensorId of);
  absl::StatusOr<TensorId> EmitNorm(int gate, TensorId sum, const std::vector<CellStep>& after);
  absl::Status EmitCell(TensorId x, const State& h, State& c);
  absl::Status EmitHidden(TensorId x, const State& old_h, const State& c, State& h);
  absl::Status EmitStep(int t, State& h, State& c);

  const Node& node_;
  Lowering& lower_;
  const FullLstmOptions options_;
  int time_ = 1;
  bool projection_ = false;
  LstmSizes sizes_;
};

absl::Status FullLstm::CheckShape(int input, const Shape& want) const {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower_.Input(node_, input));
  if (ShapeOf(*tensor) == want) return absl::OkStatus();
  return lower_.Unsupported(
      node_, StrCat("operand ", input, " has the shape ", ShapeText(ShapeOf(*tensor)),
                    ", expected ", ShapeText(want)));
}

absl::Status FullLstm::CheckGate(int gate) const {
  const bool used = sizes_.Uses(gate);
  for (const int group : {kAt.weights, kAt.recurrent, kAt.bias}) {
    if (lower_.Has(node_, group + gate) != used) {
      return lower_.Unsupported(node_, StrCat("operand ", group + gate, " of gate ", gate),
                                {Reason::kOperands});
    }
  }
  const bool peephole = sizes_.HasPeephole(gate);
  const int place = kAt.PeepholeOf(gate);
  if (gate != kCandidate && lower_.Has(node_, place) != peephole) {
    return lower_.Unsupported(node_, StrCat("operand ", place, " of gate ", gate),
                              {Reason::kOperands});
  }
  const int norm = kAt.norm + gate, bias = kAt.bias + gate;
  if (lower_.Has(node_, norm) != sizes_.HasNorm(gate)) {
    return lower_.Unsupported(node_, StrCat("operand ", norm, " of gate ", gate),
                              {Reason::kOperands});
  }
  if (!used) return absl::OkStatus();
  if (sizes_.norm) {
    TERN_RETURN_IF_ERROR(CheckShape(norm, sizes_.PerCell()));
    TERN_RETURN_IF_ERROR(lower_.Floats(node_, norm).status());
    TERN_RETURN_IF_ERROR(lower_.Floats(node_, bias).status());
  }
  TERN_RETURN_IF_ERROR(CheckShape(kAt.weights + gate, sizes_.Weights()));
  TERN_RETURN_IF_ERROR(CheckShape(kAt.recurrent + gate, sizes_.Recurrent()));
  if (sizes_.diagonal) TERN_RETURN_IF_ERROR(lower_.Floats(node_, kAt.recurrent + gate).status());
  TERN_RETURN_IF_ERROR(CheckShape(bias, sizes_.PerCell()));
  if (!peephole) return absl::OkStatus();
  TERN_RETURN_IF_ERROR(CheckShape(place, sizes_.PerCell()));
  return lower_.Floats(node_, place).status();
}

absl::Status FullLstm::Read() {
  if (node_.inputs.size() < size_t{kAt.norm}) {
    return lower_.Unsupported(
        node_,
        StrCat("wrong number of operands (", node_.inputs.size(), ", ", kAt.norm, " at least)"),
        {Reason::kOperands});
  }
  for (const TensorId id : node_.inputs) {
    // Their bytes are signed for this operation, whatever their type says.
    if (id >= 0 && lower_.graph().tensors[id].type == kTfLiteUInt8)
      return lower_.Unsupported(node_, "UINT8 weights", {Reason::kTensorType});
  }
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower_.Input(node_, kInput));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* recurrent,
                        lower_.Input(node_, kAt.recurrent + kOutputGate));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower_.Output(node_, 0));
  const Shape in = ShapeOf(*input), matrix = ShapeOf(*recurrent);
  sizes_.diagonal = options_.diagonal;
  if (input->is_constant() || in.size() != (options_.sequence ? 3u : 2u) ||
      matrix.size() != sizes_.RecurrentRank()) {
    return lower_.Unsupported(
        node_, StrCat("input of shape ", ShapeText(in), ", matrix of shape ", ShapeText(matrix)));
  }
  const bool swapped = options_.sequence && !options_.time_major;
  time_ = options_.sequence ? static_cast<int>(in[swapped ? 1 : 0]) : 1;
  sizes_.batch = in[options_.sequence && !swapped ? 1 : 0];
  sizes_.inputs = in.back();
  sizes_.cells = matrix[0];
  sizes_.outputs = matrix.back();
  sizes_.coupled = !lower_.Has(node_, kAt.weights + kInputGate);
  sizes_.peephole = lower_.Has(node_, kAt.PeepholeOf(kOutputGate));
  sizes_.norm = lower_.Has(node_, kAt.norm + kForgetGate);
  projection_ = lower_.Has(node_, kAt.projection);
  if (time_ < 1 || time_ > kMostSteps) {
    return lower_.Unsupported(node_, StrCat(time_, " steps (limit ", kMostSteps, ")"),
                              {Reason::kOptions});
  }
  for (int gate = 0; gate < kLstmGates; ++gate) TERN_RETURN_IF_ERROR(CheckGate(gate));
  if (projection_) {
    TERN_RETURN_IF_ERROR(CheckShape(kAt.projection, sizes_.Projection()));
  } else if (sizes_.cells != sizes_.outputs) {
    return lower_.Unsupported(node_, StrCat("cells and outputs differ without a projection (",
                                            sizes_.cells, ", ", sizes_.outputs, ")"));
  }
  if (lower_.Has(node_, kAt.projection_bias)) {
    TERN_RETURN_IF_ERROR(CheckShape(kAt.projection_bias, sizes_.ProjectionBias()));
  }
  TERN_RETURN_IF_ERROR(CheckShape(kAt.output_state, sizes_.OutputState()));
  TERN_RETURN_IF_ERROR(CheckShape(kAt.cell_state, sizes_.CellState()));
  Shape want = in;
  want.back() = sizes_.outputs;
  TERN_RETURN_IF_ERROR(CheckOutputShape(node_, lower_, *out, want));
  const TfLiteFusedActivation a = options_.activation;
  if (a == kTfLiteActNone || a == kTfLiteActTanh || ActivationStep(a)) return absl::OkStatus();
  return lower_.Unsupported(node_, StrCat("fused activation ", static_cast<int>(a)),
                            {Reason::kOptions});
}

CellStep FullLstm::With(const State& state, const char* expression) const {
  if (state.temp >= 0) return {{.expression = expression}, state.temp};
  return {{.expression = expression, .operand = node_.inputs[static_cast<size_t>(state.operand)]}};
}

void FullLstm::Activate(std::vector<CellStep>& steps) const {
  if (options_.activation == kTfLiteActTanh) {
    steps.push_back({{.expression = "tanh(v)"}});
  } else if (const auto step = ActivationStep(options_.activation)) {
    steps.push_back({*step});
  }
}

void FullLstm::Clip(float limit, std::vector<CellStep>& steps) {
  if (limit > 0) {
    steps.push_back({{.expression = "min(max(v, splat(b)), splat(a))", .a = limit, .b = -limit}});
  }
}

// The mean over the cells, in each of them.
absl::StatusOr<TensorId> FullLstm::EmitMean(TensorId of) {
  const TensorId mean = Temp("mean", cells());
  const float share = 1.0f / static_cast<float>(cells());
  TERN_RETURN_IF_ERROR(EmitGateProduct(node_, lower_,
                                       {.rows = {.temp = of},
                                        .weights = -1,
                                        .uniform = share,
                                        .columns = cells(),
                                        .units = cells(),
                                        .batch = batch()},
                                       {}, mean));
  return mean;
}

// Differences from the mean are divided by their mean size before they are squared, so that halves
// hold the squares.
absl::StatusOr<TensorId> FullLstm::EmitNorm(int gate, TensorId sum,
                                            const std::vector<CellStep>& after) {
  const auto emit = [&](const char* what, const std::vector<CellStep>& steps) {
    const TensorId to = Temp(what, cells());
    const absl::Status status =
        EmitCellSteps(node_, lower_, steps, {1, 1, batch(), cells()}, {.temp = to});
    return status.ok() ? absl::StatusOr<TensorId>(to) : status;
  };
  const auto constant = [&](int input, const char* expression) {
    return CellStep{
        {.expression = expression, .operand = node_.inputs[static_cast<size_t>(input)]}};
  };
  TERN_ASSIGN_OR_RETURN(const TensorId mean, EmitMean(sum));
  TERN_ASSIGN_OR_RETURN(const TensorId off, emit("difference", {{{.expression = "w"}, sum},
                                                                {{.expression = "v - w"}, mean}}));
  TERN_ASSIGN_OR_RETURN(const TensorId size,
                        emit("size", {{{.expression = "w"}, off}, {{.expression = "abs(v)"}}}));
  TERN_ASSIGN_OR_RETURN(const TensorId usual, EmitMean(size));
  TERN_ASSIGN_OR_RETURN(
      const TensorId scaled,
      emit("scaled", {{{.expression = "w"}, off},
                      {{.expression = "v / max(w, splat(a))", .a = 1e-12f}, usual}}));
  TERN_ASSIGN_OR_RETURN(const TensorId square,
                        emit("square", {{{.expression = "w"}, scaled}, {{.expression = "v * v"}}}));
  TERN_ASSIGN_OR_RETURN(const TensorId variance, EmitMean(square));
  TERN_ASSIGN_OR_RETURN(
      const TensorId normal,
      emit("normal", {{{.expression = "w"}, usual},
                      {{.expression = "splat(a) / max(v * v, splat(b))", .a = 1e-8f, .b = 1e-24f}},
                      {{.expression = "rsqrt(v + w)"}, variance},
                      {{.expression = "v * w"}, scaled}}));
  std::vector<CellStep> steps = {{{.expression = "w"}, normal},
                                 constant(kAt.norm + gate, "v * w"),
                                 constant(kAt.bias + gate, "v + w")};
  steps.insert(steps.end(), after.begin(), after.end());
  return emit("gate", steps);
}

// The sum that goes into a gate, and what `after` makes of it.
absl::StatusOr<TensorId> FullLstm::EmitGate(int gate, TensorId x, const State& h, const State& c,
                                            const std::vector<CellStep>& after) {
  std::vector<CellStep> steps;
  if (sizes_.HasPeephole(gate)) {
    const TensorId seen = Temp("peephole", cells());
    const int weights = kAt.PeepholeOf(gate);
    TERN_RETURN_IF_ERROR(EmitCellSteps(
        node_, lower_, {With(c, "w"), {{.expression = "v * w", .operand = node_.inputs[weights]}}},
        {1, 1, batch(), cells()}, {.temp = seen}));
    steps.push_back({{.expression = "v + w"}, seen});
  }
  const TensorId from_input = Temp("input sum", cells()), sum = Temp("gate", cells());
  GateProduct product{.rows = {.temp = x},
                      .weights = kAt.weights + gate,
                      .row_size = inputs(),
                      .columns = inputs(),
                      .units = cells(),
                      .batch = batch(),
                      .bias = sizes_.norm ? -1 : kAt.bias + gate};
  TERN_RETURN_IF_ERROR(EmitGateProduct(node_, lower_, product, steps, from_input));
  steps = {{{.expression = "v + w"}, from_input}};
  if (!sizes_.norm) steps.insert(steps.end(), after.begin(), after.end());
  if (sizes_.diagonal) {
    const TensorId diagonal = node_.inputs[kAt.recurrent + gate];
    steps.insert(steps.begin(), {With(h, "w"), {{.expression = "v * w", .operand = diagonal}}});
    TERN_RETURN_IF_ERROR(
        EmitCellSteps(node_, lower_, steps, {1, 1, batch(), cells()}, {.temp = sum}));
    if (sizes_.norm) return EmitNorm(gate, sum, after);
    return sum;
  }
  product.rows = {.number = h.operand, .temp = h.temp};
  product.weights = kAt.recurrent + gate;
  product.row_size = product.columns = outputs();
  product.bias = -1;
  TERN_RETURN_IF_ERROR(EmitGateProduct(node_, lower_, product, steps, sum));
  if (sizes_.norm) return EmitNorm(gate, sum, after);
  return sum;
}

absl::Status FullLstm::EmitCell(TensorId x, const State& h, State& c) {
  const Box box{1, 1, batch(), cells()};
  std::vector<CellStep> activation;
  Activate(activation);
  TERN_ASSIGN_OR_RETURN(const TensorId candidate, EmitGate(kCandidate, x, h, c, activation));
  TERN_ASSIGN_OR_RETURN(const TensorId forget, EmitGate(kForgetGate, x, h, c, {}));
  // A coupled input gate lets in what the forget gate drops: 1 - logistic(v) = logistic(-v).
  TensorId in = forget;
  if (!sizes_.coupled) {
    TERN_ASSIGN_OR_RETURN(in, EmitGate(kInputGate, x, h, c, {}));
  }
  const TensorId taken = Temp("taken", cells()), cell = Temp("cell", cells());
  const char* const let_in = sizes_.coupled ? "splat(1.0) / (splat(1.0) + exp(v))" : kLogisticOfV;
  TERN_RETURN_IF_ERROR(EmitCellSteps(
      node_, lower_,
      {{{.expression = "w"}, in}, {{.expression = let_in}}, {{.expression = "v * w"}, candidate}},
      box, {.temp = taken}));
  std::vector<CellStep> steps = {{{.expression = "w"}, forget},
                                 {{.expression = kLogisticOfV}},
                                 With(c, "v * w"),
                                 {{.expression = "v + w"}, taken}};
  Clip(options_.cell_clip, steps);
  TERN_RETURN_IF_ERROR(EmitCellSteps(node_, lower_, steps, box, {.temp = cell}));
  c.temp = cell;
  return absl::OkStatus();
}

// `c` is the new cell already.
absl::Status FullLstm::EmitHidden(TensorId x, const State& old_h, const State& c, State& h) {
  TERN_ASSIGN_OR_RETURN(const TensorId out, EmitGate(kOutputGate, x, old_h, c, {}));
  const TensorId hidden = Temp("hidden", cells());
  std::vector<CellStep> steps = {With(c, "w")};
  Activate(steps);
  steps.push_back({{.expression = "v / (splat(1.0) + exp(-w))"}, out});
  TERN_RETURN_IF_ERROR(
      EmitCellSteps(node_, lower_, steps, {1, 1, batch(), cells()}, {.temp = hidden}));
  h.temp = hidden;
  if (!projection_) return absl::OkStatus();
  const TensorId projected = Temp("projected", outputs());
  steps.clear();
  Clip(options_.projection_clip, steps);
  TERN_RETURN_IF_ERROR(
      EmitGateProduct(node_, lower_,
                      {.rows = {.temp = hidden},
                       .weights = kAt.projection,
                       .row_size = cells(),
                       .columns = cells(),
                       .units = outputs(),
                       .batch = batch(),
                       .bias = lower_.Has(node_, kAt.projection_bias) ? kAt.projection_bias : -1},
                      steps, projected));
  h.temp = projected;
  return absl::OkStatus();
}

absl::Status FullLstm::EmitStep(int t, State& h, State& c) {
  const bool swapped = options_.sequence && !options_.time_major;
  const TensorId x = Temp("step", inputs());
  const int64_t row = swapped ? int64_t{time_} * inputs() : inputs();
  const int64_t offset = int64_t{t} * (swapped ? inputs() : int64_t{batch()} * inputs());
  TERN_RETURN_IF_ERROR(
      EmitCopy(node_, lower_, {.number = kInput},
               {{batch(), inputs()}, {0, 0}, {batch(), inputs()}, {row, 1}, offset}, {.temp = x},
               Outside::kFill, 0));
  const State old_h = h;
  TERN_RETURN_IF_ERROR(EmitCell(x, old_h, c));
  TERN_RETURN_IF_ERROR(EmitHidden(x, old_h, c, h));
  // A line of rows lies in memory like a column of them.
  const Box rows = swapped ? Box{1, batch(), 1, outputs()} : Box{1, 1, batch(), outputs()};
  DispatchBuilder dispatch = lower_.Dispatch(node_, KernelId::copy_slices);
  dispatch.ReadTemp("src", h.temp, rows).Write("dst", 0).Define("FILL", 0);
  dispatch.Int("shift_x", swapped ? t : 0).Int("shift_y", swapped ? 0 : t);
  dispatch.Int("shift_s", 0).Int("shift_b", 0);
  return dispatch.Grid(rows.w, rows.h, lower_.Slices(outputs())).Emit();
}

absl::Status FullLstm::Lower() {
  TERN_RETURN_IF_ERROR(Read());
  State h{kAt.output_state}, c{kAt.cell_state};
  for (int t = 0; t < time_; ++t) TERN_RETURN_IF_ERROR(EmitStep(t, h, c));
  if (node_.outputs.size() < 3) return absl::OkStatus();
  TERN_RETURN_IF_ERROR(
      EmitCellSteps(node_, lower_, {With(h, "w")}, {1, 1, batch(), outputs()}, {.number = 1}));
  return EmitCellSteps(node_, lower_, {With(c, "w")}, {1, 1, batch(), cells()}, {.number = 2});
}

absl::Status LowerSequence(const Node& node, Lowering& lower) {
  const auto& p = node.Get<TfLiteUnidirectionalSequenceLSTMParams>();
  return LowerFullLstm(
      node, lower,
      {p.activation, p.cell_clip, p.proj_clip, true, p.time_major, p.diagonal_recurrent_tensors});
}

}  // namespace

absl::Status LowerFullLstm(const Node& node, Lowering& lower, const FullLstmOptions& options) {
  return FullLstm(node, lower, options).Lower();
}

std::vector<int> FullLstmStates(const Node& node) {
  if (node.inputs.size() <= size_t{kAt.cell_state}) return {};
  return {kAt.output_state, kAt.cell_state};
}

GpuOp UnidirectionalSequenceLstmGpu() {
  return {.lower = LowerSequence, .traits = {.states = FullLstmStates}};
}

}  // namespace tern::gpu
