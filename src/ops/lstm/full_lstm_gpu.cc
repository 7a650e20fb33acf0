// SPDX-License-Identifier: Apache-2.0
// One product gives the share of the input in all gates at all steps. Then each step is a dispatch;
// a projection or layer norms need further ones.
#include "ops/lstm/full_lstm_gpu.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/lstm/state_sequence_gpu.h"

namespace tern::gpu {
namespace {

class FullLstm {
 public:
  FullLstm(const Node& node, Lowering& lower, const FullLstmRun& run)
      : node_(node), lower_(lower), run_(run) {}

  absl::Status Lower();

 private:
  // Parts of the states of a time step.
  enum Part : size_t { kOutputPart, kCellPart, kHiddenPart };

  absl::Status Read();
  absl::Status ReadSizes();
  absl::Status CheckShape(int input, const Shape& want) const;
  absl::Status CheckPresence(int gate) const;
  absl::Status CheckGate(int gate) const;
  absl::Status CheckStates() const;
  // Of a cell with quantized states: whether it is of the kind that the GPU has.
  absl::Status CheckQuantization();
  absl::Status ReadGateQuantization();
  bool is_quantized() const { return cell_quantization_.has_value(); }
  void AddStateQuantization(DispatchBuilder& dispatch) const;
  bool Has(int operand) const { return operand >= 0 && lower_.Has(node_, operand); }
  std::vector<int> Gates() const;
  StackedMatrix Matrix(int group, int64_t columns, bool biases) const;
  int Slices(int64_t size) const { return lower_.Slices(static_cast<int>(size)); }
  // Numbers per cell of several operands, one slice of each after the other. -1: zeros.
  void AddPerCell(const char* name, const std::vector<int>& operands,
                  DispatchBuilder& dispatch) const;
  void AddPeepholes(DispatchBuilder& dispatch) const;
  void AddCell(const StateSequence& states, DispatchBuilder& dispatch) const;
  CellLaunch Launch() const;
  absl::Status EmitStep(const StateSequence& states, const CellLaunch& launch, TensorId pre,
                        TensorId sums, int64_t step);
  absl::Status EmitNorm(const StateSequence& states, TensorId sums, bool output, int64_t step);

  const Node& node_;
  Lowering& lower_;
  const FullLstmRun run_;
  SequenceOrder order_;
  bool projection_ = false;
  LstmSizes sizes_;
  std::optional<QuantizedType> state_quantization_, cell_quantization_,
      hidden_quantization_;  // of quantized states
  struct GateQuantization {
    float scale;             // of sums
    float min_variance = 0;  // with layer norms
  };
  std::vector<GateQuantization> gate_quantization_;  // by gate that there is; of quantized cells
};

absl::Status FullLstm::CheckShape(int input, const Shape& want) const {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower_.Input(node_, input));
  if (ShapeOf(*tensor) == want) return absl::OkStatus();
  return lower_.Unsupported(
      node_, StrCat("operand ", input, " has the shape ", ShapeText(ShapeOf(*tensor)),
                    ", expected ", ShapeText(want)));
}

absl::Status FullLstm::CheckPresence(int gate) const {
  const LstmLayout& at = run_.at;
  const auto check = [&](int operand, bool used) {
    if (Has(operand) == used) return absl::OkStatus();
    return lower_.Unsupported(
        node_,
        StrCat("operand ", operand, " of gate ", gate, used ? " is missing" : " is not used"),
        {Reason::kOperands});
  };
  for (const int group : {at.weights, at.recurrent, at.bias}) {
    TERN_RETURN_IF_ERROR(check(group + gate, sizes_.Uses(gate)));
  }
  if (run_.aux >= 0) {
    TERN_RETURN_IF_ERROR(check(at.aux_weights + gate, sizes_.Uses(gate)));
  }
  if (gate != kCandidate) {
    TERN_RETURN_IF_ERROR(check(at.PeepholeOf(gate), sizes_.HasPeephole(gate)));
  }
  if (at.norm < 0) return absl::OkStatus();
  return check(at.norm + gate, sizes_.HasNorm(gate));
}

absl::Status FullLstm::CheckGate(int gate) const {
  TERN_RETURN_IF_ERROR(CheckPresence(gate));
  if (!sizes_.Uses(gate)) return absl::OkStatus();
  const LstmLayout& at = run_.at;
  TERN_RETURN_IF_ERROR(CheckShape(at.weights + gate, sizes_.Weights()));
  TERN_RETURN_IF_ERROR(CheckShape(at.recurrent + gate, sizes_.Recurrent()));
  TERN_RETURN_IF_ERROR(CheckShape(at.bias + gate, sizes_.PerCell()));
  if (run_.aux >= 0) {
    TERN_RETURN_IF_ERROR(CheckShape(at.aux_weights + gate, sizes_.AuxWeights()));
  }
  if (sizes_.norm) TERN_RETURN_IF_ERROR(CheckShape(at.norm + gate, sizes_.PerCell()));
  if (!sizes_.HasPeephole(gate)) return absl::OkStatus();
  return CheckShape(at.PeepholeOf(gate), sizes_.PerCell());
}

absl::Status FullLstm::ReadSizes() {
  const LstmLayout& at = run_.at;
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower_.Input(node_, run_.input));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* recurrent,
                        lower_.Input(node_, at.recurrent + kOutputGate));
  const Shape in = ShapeOf(*input), matrix = ShapeOf(*recurrent);
  sizes_.diagonal = run_.diagonal;
  if (input->is_constant() || in.size() != (run_.sequence ? 3u : 2u) ||
      matrix.size() != sizes_.RecurrentRank()) {
    return lower_.Unsupported(
        node_, StrCat("input of shape ", ShapeText(in), ", matrix of shape ", ShapeText(matrix)));
  }
  order_ = OrderOf(in, run_.time_major);
  order_.backward = run_.backward;
  sizes_.batch = order_.batch;
  sizes_.inputs = in.back();
  sizes_.cells = matrix[0];
  sizes_.outputs = matrix.back();
  sizes_.coupled = !Has(at.weights + kInputGate);
  sizes_.peephole = Has(at.PeepholeOf(kOutputGate));
  sizes_.norm = at.norm >= 0 && Has(at.norm + kForgetGate);
  projection_ = Has(at.projection);
  if (run_.aux >= 0) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor* aux, lower_.Input(node_, run_.aux));
    const Shape other = ShapeOf(*aux);
    if (other.size() != in.size() || !std::equal(other.begin(), other.end() - 1, in.begin())) {
      return lower_.Unsupported(
          node_, StrCat("inputs of the shapes ", ShapeText(in), " and ", ShapeText(other)));
    }
    sizes_.aux_inputs = other.back();
  }
  if (order_.time > 0 && sizes_.batch > 0 && sizes_.cells > 0 && sizes_.outputs > 0) {
    return absl::OkStatus();
  }
  return lower_.Unsupported(
      node_, StrCat("nothing to compute (", order_.time, " steps, batch ", sizes_.batch, ", ",
                    sizes_.cells, " cells, ", sizes_.outputs, " outputs)"));
}

absl::Status FullLstm::CheckStates() const {
  const LstmLayout& at = run_.at;
  if (projection_) {
    TERN_RETURN_IF_ERROR(CheckShape(at.projection, sizes_.Projection()));
  } else if (sizes_.cells != sizes_.outputs) {
    return lower_.Unsupported(node_, StrCat("cells and outputs differ without a projection (",
                                            sizes_.cells, ", ", sizes_.outputs, ")"));
  }
  if (Has(at.projection_bias)) {
    TERN_RETURN_IF_ERROR(CheckShape(at.projection_bias, sizes_.ProjectionBias()));
  }
  TERN_RETURN_IF_ERROR(CheckShape(at.output_state, sizes_.OutputState()));
  return CheckShape(at.cell_state, sizes_.CellState());
}

// The CPU writes hidden values as elements of the state and those as elements of the output.
absl::Status FullLstm::CheckQuantization() {
  const auto refuse = [&](std::string_view what) {
    return lower_.Unsupported(node_, what, {Reason::kQuantization});
  };
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower_.Input(node_, run_.input));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower_.Output(node_, run_.output));
  if (!input->quantized && !state_quantization_ && !is_quantized()) return absl::OkStatus();
  if (!input->quantized || !state_quantization_ || !is_quantized())
    return refuse("some of input and states are quantized");
  if (sizes_.diagonal) return refuse("a quantized cell with diagonals");
  if (sizes_.peephole && sizes_.outputs < sizes_.cells && order_.time_major && sizes_.batch > 1)
    return refuse("peepholes of several rows of cells in front of fewer outputs");
  if (run_.activation != kTfLiteActTanh)
    return refuse(StrCat("a quantized cell with activation ", static_cast<int>(run_.activation)));
  constexpr size_t kIntermediates = 5;
  const bool listed = node_.intermediates.size() == kIntermediates;
  const TensorId hidden = listed ? node_.intermediates.back() : -1;
  if (hidden < 0 || static_cast<size_t>(hidden) >= lower_.graph().tensors.size())
    return refuse("no quantization of the hidden values");
  hidden_quantization_ = lower_.graph().tensors[hidden].quantized;
  if (!hidden_quantization_ || hidden_quantization_->type != kTfLiteInt8)
    return refuse("no INT8 quantization of the hidden values");
  // Passes leave the output's quantization to the node behind.
  if ((!projection_ && hidden_quantization_ != state_quantization_) ||
      (output->quantized && output->quantized != state_quantization_))
    return refuse("hidden values, state and output are quantized differently");
  // In front of a projection the CPU's own, like the reference, turns the sign of the zero point.
  if (projection_) hidden_quantization_->zero_point = -hidden_quantization_->zero_point;
  TERN_RETURN_IF_ERROR(ReadGateQuantization());
  if (state_quantization_->type == kTfLiteInt8 && cell_quantization_->type == kTfLiteInt16 &&
      cell_quantization_->zero_point == 0) {
    return absl::OkStatus();
  }
  return refuse("states that are not INT8 and INT16");
}

// Reads the scale of the sums of each gate, and the variance that replaces one below 1.
absl::Status FullLstm::ReadGateQuantization() {
  for (const int gate : Gates()) {
    if (!sizes_.norm) {
      gate_quantization_.push_back({0x1p-12f});
      continue;
    }
    const TensorId sums = node_.intermediates[static_cast<size_t>(gate)];
    TERN_ASSIGN_OR_RETURN(const GraphTensor* norm, lower_.Input(node_, run_.at.norm + gate));
    const AffineQuantization* q = norm->affine();
    if (sums < 0 || static_cast<size_t>(sums) >= lower_.graph().tensors.size() ||
        !lower_.graph().tensors[sums].quantized || q == nullptr || q->scales.size() != 1) {
      return lower_.Unsupported(node_, StrCat("no scales of the layer norm of gate ", gate),
                                {Reason::kQuantization});
    }
    gate_quantization_.push_back({lower_.graph().tensors[sums].quantized->scale,
                                  std::max(1.0f, std::trunc(10000 * q->scales[0]))});
  }
  return absl::OkStatus();
}

absl::Status FullLstm::Read() {
  if (node_.inputs.size() < size_t{kLstmLayout.norm}) {
    return lower_.Unsupported(node_,
                              StrCat("wrong number of operands (", node_.inputs.size(), ", ",
                                     kLstmLayout.norm, " at least)"),
                              {Reason::kOperands});
  }
  TERN_RETURN_IF_ERROR(ReadSizes());
  for (int gate = 0; gate < kLstmGates; ++gate) TERN_RETURN_IF_ERROR(CheckGate(gate));
  TERN_RETURN_IF_ERROR(CheckStates());
  TERN_ASSIGN_OR_RETURN(const GraphTensor* state, lower_.Input(node_, run_.at.output_state));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* cell, lower_.Input(node_, run_.at.cell_state));
  state_quantization_ = state->quantized;
  cell_quantization_ = cell->quantized;
  TERN_RETURN_IF_ERROR(CheckQuantization());
  if (HasCellActivation(run_.activation)) return absl::OkStatus();
  return lower_.Unsupported(node_, StrCat("fused activation ", static_cast<int>(run_.activation)),
                            {Reason::kOptions});
}

std::vector<int> FullLstm::Gates() const {
  std::vector<int> gates;
  for (int gate = 0; gate < kLstmGates; ++gate) {
    if (sizes_.Uses(gate)) gates.push_back(gate);
  }
  return gates;
}

StackedMatrix FullLstm::Matrix(int group, int64_t columns, bool biases) const {
  StackedMatrix matrix{{}, columns, sizes_.cells};
  for (const int gate : Gates()) {
    matrix.parts.push_back({group + gate, biases ? run_.at.bias + gate : -1});
  }
  return matrix;
}

// One vector after the other; zeros for what is not there.
void FullLstm::AddPerCell(const char* name, const std::vector<int>& operands,
                          DispatchBuilder& dispatch) const {
  for (const int operand : operands)
    dispatch.ConstantRow(name, Slices(sizes_.cells), operand, sizes_.cells, Decoding::kWeights);
}

// Of input gate, forget gate and output gate. Of quantized cells in front of fewer outputs only as
// many have one, as on the CPU.
void FullLstm::AddPeepholes(DispatchBuilder& dispatch) const {
  dispatch.Define("PEEPHOLE", sizes_.peephole);
  if (!sizes_.peephole) return;
  const int64_t count = is_quantized() ? std::min(sizes_.cells, sizes_.outputs) : sizes_.cells;
  for (const int gate : {kInputGate, kForgetGate, kOutputGate}) {
    dispatch.ConstantRow("peephole", Slices(sizes_.cells),
                         sizes_.HasPeephole(gate) ? run_.at.PeepholeOf(gate) : -1, count,
                         Decoding::kWeights);
  }
}

// Where the parts of a time step begin, and how gates make a cell.
void FullLstm::AddCell(const StateSequence& states, DispatchBuilder& dispatch) const {
  AddActivation(run_.activation, dispatch);
  dispatch.Int("cell_slices", Slices(sizes_.cells));
  dispatch.Int("first_cell", states.FirstSlice(kCellPart));
  dispatch.Int("first_hidden", states.FirstSlice(projection_ ? kHiddenPart : kOutputPart));
  dispatch.Define("CLIPS", run_.cell_clip > 0).Float("cell_clip", run_.cell_clip);
}

void FullLstm::AddStateQuantization(DispatchBuilder& dispatch) const {
  dispatch.Define("GRIDS", is_quantized());
  if (!is_quantized()) return;
  dispatch.Float("cell_scale", cell_quantization_->scale)
      .Float("cell_inverse", 1 / cell_quantization_->scale);
  dispatch.Float("hidden_scale", hidden_quantization_->scale);
  dispatch.Float("hidden_inverse", 1 / hidden_quantization_->scale);
  dispatch.Float("least_hidden", hidden_quantization_->lowest());
  dispatch.Float("most_hidden", hidden_quantization_->highest());
  for (size_t i = 0; i < gate_quantization_.size(); ++i) {
    dispatch.Float(StrCat("gate_scale", i), gate_quantization_[i].scale);
    if (sizes_.norm)
      dispatch.Float(StrCat("least_variance", i), gate_quantization_[i].min_variance);
  }
  if (!sizes_.norm) return;
  // The CPU takes a share of whole 2^-20 for each square, and the mean's square whole.
  const double count = static_cast<double>(sizes_.cells);
  const double share = std::floor((1 << 20) / count) / (1 << 20);
  dispatch.Float("whole_part", static_cast<float>(share));
  dispatch.Float("lost_part", static_cast<float>(share * count - 1));
}

// A projection and layer norms need launches of their own in every step.
CellLaunch FullLstm::Launch() const {
  CellLaunch launch = {.items = ItemsOver(lower_, Slices(sizes_.outputs)),
                       .blocks = Slices(sizes_.cells)};
  if (!projection_ && !sizes_.norm)
    launch = LaunchOf(lower_, order_, launch.blocks, static_cast<int>(Gates().size()));
  if (sizes_.diagonal) launch.items = 1;
  return launch;
}

// The cell, or the sums of its gates.
absl::Status FullLstm::EmitStep(const StateSequence& states, const CellLaunch& launch, TensorId pre,
                                TensorId sums, int64_t step) {
  const StackedMatrix matrix =
      Matrix(run_.at.recurrent, sizes_.diagonal ? 1 : sizes_.outputs, false);
  std::vector<int> operands;
  for (const StackedMatrix::Part& part : matrix.parts) operands.push_back(part.weights);
  const int blocks = Slices(sizes_.cells);
  const int slices = Slices(sizes_.outputs), gates = static_cast<int>(operands.size());
  DispatchBuilder dispatch = lower_.Dispatch(node_, KernelId::lstm_step);
  dispatch.ReadTemp("state", states.tensor()).ReadTemp("pre", pre);
  dispatch.WriteTemp("dst", sums >= 0 ? sums : states.tensor());
  if (sizes_.diagonal) {
    AddPerCell("weights", operands, dispatch);
  } else {
    AddStepWeights(matrix, lower_, dispatch);
  }
  AddPeepholes(dispatch);
  AddCell(states, dispatch);
  AddStateQuantization(dispatch);
  dispatch.Define("GATES", gates).Define("DIAGONAL", sizes_.diagonal);
  dispatch.Define("NORM", sums >= 0);
  dispatch.Int("gate_slices", int64_t{blocks} * slices * lower_.slice_width());
  dispatch.Int("output_slices", slices).Int("step", step).Int("cells", sizes_.cells);
  launch.Add(order_, step, gates, dispatch);
  return dispatch.Emit();
}

// The cells, or what the output gate lets out of them, by sums of gates.
absl::Status FullLstm::EmitNorm(const StateSequence& states, TensorId sums, bool output,
                                int64_t step) {
  const std::vector<int> used = Gates();
  const int gates = static_cast<int>(used.size()), blocks = Slices(sizes_.cells);
  std::vector<int> norms, biases;
  for (const int gate : used) {
    norms.push_back(run_.at.norm + gate);
    biases.push_back(run_.at.bias + gate);
  }
  DispatchBuilder dispatch = lower_.Dispatch(node_, KernelId::lstm_norm);
  dispatch.ReadTemp("gates", sums).ReadTemp("state", states.tensor());
  dispatch.WriteTemp("dst", states.tensor());
  AddPerCell("norm", norms, dispatch);
  AddPerCell("bias", biases, dispatch);
  AddPeepholes(dispatch);
  AddCell(states, dispatch);
  AddStateQuantization(dispatch);
  const int count = output ? 1 : gates - 1;
  dispatch.Define("GATES", gates).Define("OUTPUT", output).Define("COUNT", count);
  dispatch.Define("FIRST", output ? gates - 1 : 0).Int("cells", sizes_.cells).Int("step", step);
  dispatch.Float("part", 1.0f / static_cast<float>(sizes_.cells)).Float("epsilon", 1e-8f);
  return dispatch.Grid(blocks, sizes_.batch, 1).Emit();
}

absl::Status FullLstm::Lower() {
  TERN_RETURN_IF_ERROR(Read());
  const LstmLayout& at = run_.at;
  TensorId pre = -1;
  if (run_.aux >= 0) {
    TERN_ASSIGN_OR_RETURN(pre,
                          EmitRowProducts(node_, lower_, run_.aux,
                                          Matrix(at.aux_weights, sizes_.aux_inputs, false), -1));
  }
  TERN_ASSIGN_OR_RETURN(pre, EmitRowProducts(node_, lower_, run_.input,
                                             Matrix(at.weights, sizes_.inputs, !sizes_.norm), pre));
  std::vector<int64_t> parts = {sizes_.outputs, sizes_.cells};
  if (projection_) parts.push_back(sizes_.cells);
  StateSequence states(node_, lower_, order_, parts);
  TERN_RETURN_IF_ERROR(states.Begin(kOutputPart, at.output_state));
  TERN_RETURN_IF_ERROR(states.Begin(kCellPart, at.cell_state));
  TensorId sums = -1;
  if (sizes_.norm) {
    const int channels =
        Slices(sizes_.cells) * static_cast<int>(Gates().size()) * lower_.slice_width();
    sums = lower_.FloatTemp(StrCat(Label(node_), " gates"),
                            {1, 1, static_cast<int>(sizes_.batch), channels}, Layout::kSlices);
  }
  const CellLaunch launch = Launch();
  StateProduct product{.weights = at.projection, .units = sizes_.outputs, .from = kHiddenPart};
  product.bias = Has(at.projection_bias) ? at.projection_bias : -1;
  product.from_size = sizes_.cells;
  product.limit = run_.projection_clip;
  product.quantization = state_quantization_;
  const CellLaunch product_launch = {.items = ItemsOver(lower_, Slices(sizes_.cells)),
                                     .blocks = Slices(sizes_.outputs)};
  for (int64_t step = 0; step < order_.time; step += launch.steps) {
    TERN_RETURN_IF_ERROR(EmitStep(states, launch, pre, sums, step));
    for (const bool output : {false, true}) {
      if (sizes_.norm) TERN_RETURN_IF_ERROR(EmitNorm(states, sums, output, step));
    }
    if (!projection_) continue;
    TERN_RETURN_IF_ERROR(EmitStateProduct(node_, lower_, states, product, product_launch, step));
  }
  TERN_RETURN_IF_ERROR(states.Give(kOutputPart, run_.output, run_.channel));
  if (node_.outputs.size() <= static_cast<size_t>(run_.next_cell)) return absl::OkStatus();
  TERN_RETURN_IF_ERROR(states.End(kOutputPart, run_.next_output));
  return states.End(kCellPart, run_.next_cell);
}

}  // namespace

absl::Status LowerFullLstm(const Node& node, Lowering& lower, const FullLstmRun& run) {
  return FullLstm(node, lower, run).Lower();
}

std::vector<int> FullLstmStates(const Node& node) {
  if (node.inputs.size() <= size_t{kLstmLayout.cell_state}) return {};
  return {kLstmLayout.output_state, kLstmLayout.cell_state};
}

}  // namespace tern::gpu
