// SPDX-License-Identifier: Apache-2.0
// The steps of an integer LSTM cell, exact to the last bit against the reference. Gates are numbers
// with three integer bits; sums saturate.
#include "ops/lstm/integer_lstm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cpu_kit/integer_dot.h"
#include "ops/rules_kit/fixed_point.h"

namespace tern {
namespace {

constexpr int kGateBits = 3;
constexpr int kIntermediates = 5;

// Quantization of the node's internal tensor i.
StatusOr<Quantization> IntermediateQuantization(const OpCall& call, int i) {
  const TfLiteIntArray* list = call.node()->intermediates;
  if (list == nullptr || list->size != kIntermediates) {
    return Invalid("wrong number of intermediates (", list == nullptr ? 0 : list->size,
                   ", expected ", kIntermediates, ")");
  }
  const int index = list->data[i];
  if (index < 0 || static_cast<size_t>(index) >= call.context()->tensors_size) {
    return Invalid("intermediate ", i, " is missing");
  }
  return QuantizationOf(&call.context()->tensors[index], "an intermediate");
}

template <class T>
T SaturateTo(int64_t v) {
  return static_cast<T>(
      std::clamp<int64_t>(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

int16_t Saturated(int64_t v) { return SaturateTo<int16_t>(v); }

template <class T>
T Clip(T v, T limit) {
  return limit > 0 ? std::clamp<T>(v, static_cast<T>(-limit), limit) : v;
}

// A limit in quantized steps, cut off.
int32_t StepsOf(float limit, float scale, const IntRange& range) {
  const float steps = limit / scale;
  if (!(steps < static_cast<float>(range.max))) return range.max;
  return static_cast<int32_t>(steps);
}

// Row sums that start at -zero * (sum of the row's weights) + bias.
std::vector<int32_t> StartOf(const TfLiteTensor* weights, int32_t zero, const TfLiteTensor* bias) {
  const int64_t rows = Dim(weights, 0), columns = Dim(weights, 1);
  std::vector<int32_t> start(static_cast<size_t>(rows));
  for (int64_t r = 0; r < rows; ++r) {
    int64_t sum = 0;
    for (int64_t c = 0; c < columns; ++c) sum += Data<int8_t>(weights)[r * columns + c];
    const int32_t from = bias == nullptr ? 0 : Data<int32_t>(bias)[r];
    start[static_cast<size_t>(r)] = static_cast<int32_t>(from - sum * zero);
  }
  return start;
}

// The input of products.
void Widen(const int8_t* from, int64_t count, std::vector<int16_t>& to) {
  to.assign(from, from + count);
}

}  // namespace

Status IntegerLstm::ReadScales(const OpCall& call, const LstmOptions& options, Scales& scales) {
  const LstmOperands& o = *operands_;
  TERN_ASSIGN_OR_RETURN(scales.input, QuantizationOf(call.input(0), "input"));
  TERN_ASSIGN_OR_RETURN(scales.state, QuantizationOf(o.output_state, "the output state"));
  TERN_ASSIGN_OR_RETURN(scales.hidden, IntermediateQuantization(call, 4));
  TERN_ASSIGN_OR_RETURN(const Quantization cell, QuantizationOf(o.cell_state, "the cell state"));
  TERN_ASSIGN_OR_RETURN(const Quantization out, QuantizationOf(call.output(0), "output"));
  scales.cell = cell.scale;
  int exponent = 0;
  const bool is_power = std::frexp(cell.scale, &exponent) == 0.5f;
  cell_exponent_ = exponent - 1;
  if (!is_power || cell_exponent_ < -15 || cell_exponent_ > -9 || cell.zero_point != 0) {
    return Unsupported("the cell state's scale must be a power of two from 2^-15 to 2^-9 (",
                       cell.scale, ")");
  }
  if (options.cell_clip > 0) {
    cell_clip_ =
        static_cast<int16_t>(StepsOf(options.cell_clip, cell.scale, TypeRange(kTfLiteInt16)));
  }
  if (options.projection_clip > 0) {
    projection_clip_ = StepsOf(options.projection_clip, out.scale, TypeRange(kTfLiteInt8));
  }
  // In front of a projection the reference has the zero point with its sign turned, which shows
  // where hidden values saturate; models are made for that.
  const int32_t hidden_zero = scales.hidden.zero_point;
  hidden_zero_ = o.projection == nullptr ? hidden_zero : -hidden_zero;
  state_zero_ = scales.state.zero_point;
  hidden_ =
      MakeMultiplier(static_cast<float>(std::pow(2, -15) / scales.hidden.scale * std::pow(2, -15)));
  if (o.projection != nullptr) {
    TERN_ASSIGN_OR_RETURN(const Quantization q, QuantizationOf(o.projection, "projection"));
    projection_ = {Data<int8_t>(o.projection), o.cells,
                   StartOf(o.projection, hidden_zero_, o.projection_bias),
                   MakeMultiplier(q.scale * scales.hidden.scale / scales.state.scale)};
  }
  return OkStatus();
}

Status IntegerLstm::MakeGate(const OpCall& call, int g, const Scales& scales) {
  const LstmOperands& o = *operands_;
  const LstmGate& from = o.gates[static_cast<size_t>(g)];
  if (from.weights == nullptr) return OkStatus();
  Gate& gate = gates_[g];
  float scale = std::ldexp(1.0f, kGateBits - 15);
  if (o.norm) {
    TERN_ASSIGN_OR_RETURN(const Quantization between, IntermediateQuantization(call, g));
    TERN_ASSIGN_OR_RETURN(const Quantization norm, QuantizationOf(from.norm, "layer norm"));
    scale = between.scale;
    gate.norm = MakeMultiplier(norm.scale);
    const float min = 10000 * norm.scale;
    gate.min_variance = std::max(1, RoundToInt32(std::trunc(min)));
  }
  TERN_ASSIGN_OR_RETURN(const Quantization w, QuantizationOf(from.weights, "weights"));
  TERN_ASSIGN_OR_RETURN(const Quantization r, QuantizationOf(from.recurrent, "recurrent weights"));
  gate.weights = {Data<int8_t>(from.weights), o.inputs,
                  StartOf(from.weights, scales.input.zero_point, o.norm ? nullptr : from.bias),
                  MakeMultiplier(w.scale * scales.input.scale / scale)};
  gate.recurrent = {Data<int8_t>(from.recurrent), o.outputs,
                    StartOf(from.recurrent, scales.state.zero_point, nullptr),
                    MakeMultiplier(r.scale * scales.state.scale / scale)};
  if (from.peephole != nullptr) {
    TERN_ASSIGN_OR_RETURN(const Quantization p, QuantizationOf(from.peephole, "peephole weights"));
    gate.peephole = MakeMultiplier(scales.cell * p.scale / scale);
  }
  return OkStatus();
}

StatusOr<IntegerLstm> IntegerLstm::Make(const OpCall& call, const LstmOperands& operands,
                                        const LstmOptions& options) {
  IntegerLstm lstm(operands);
  lstm.fast_ = options.fast;
  Scales scales{};
  TERN_RETURN_IF_ERROR(lstm.ReadScales(call, options, scales));
  for (int g = 0; g < kLstmGates; ++g) TERN_RETURN_IF_ERROR(lstm.MakeGate(call, g, scales));
  return lstm;
}

template <class Use>
void IntegerLstm::ForEachSum(const Product& product, const std::vector<int16_t>& v,
                             const Use& use) const {
  const auto rows = static_cast<int64_t>(product.start.size());
  ForEachDotRun(1, rows, product.columns, v.data(), product.weights, fast_, nullptr,
                [&](const SumBlock<int64_t>& b) {
                  for (int64_t i = 0; i < b.columns; ++i) {
                    const auto r = static_cast<size_t>(b.first_column + i);
                    const int64_t sum = b.sums[i] + product.start[r];
                    use(r, Scale(static_cast<int32_t>(sum), product.multiplier));  // sums wrap
                  }
                });
}

void IntegerLstm::AddProduct(const Product& product, const std::vector<int16_t>& v,
                             std::vector<int16_t>& to) const {
  ForEachSum(product, v,
             [&](size_t r, int32_t value) { to[r] = Saturated(int64_t{to[r]} + value); });
}

// Mean 0 and variance 1, times the coefficients, plus the bias. The mean has 10 more bits.
void IntegerLstm::Normalize(int g, std::vector<int16_t>& z) const {
  const LstmGate& from = operands_->gates[static_cast<size_t>(g)];
  const auto count = static_cast<int64_t>(z.size());
  int64_t sum = 0, squares = 0;
  for (const int16_t v : z) {
    sum += v;
    squares += int64_t{v} * v;
  }
  constexpr int64_t kOne = 1 << 20;
  const auto mean = static_cast<int32_t>(sum * 1024 / count);
  auto variance = static_cast<int32_t>((squares * (kOne / count) - int64_t{mean} * mean) / kOne);
  if (variance < 1) variance = gates_[g].min_variance;
  const Multiplier inverse = fixed::InverseSqrt(variance);
  Multiplier coefficient = gates_[g].norm;
  coefficient.shift += 12;
  for (size_t i = 0; i < z.size(); ++i) {
    const int64_t normal = Scale(1024 * z[i] - mean, inverse);
    const int64_t v = normal * Data<int16_t>(from.norm)[i] + Data<int32_t>(from.bias)[i];
    const auto rounded = static_cast<int32_t>((v > 0 ? v + 512 : v - 512) / 1024);
    z[i] = Saturated(Scale(rounded, coefficient));
  }
}

// With a projection the reference takes its size for that of the peepholes: all cells of the rows
// that a step computes together count as one list, of which the first rows * outputs get a
// peephole, weights in turn. Models are made for that.
void IntegerLstm::AddPeephole(int g, const RowOf& row, const int16_t* cell,
                              std::vector<int16_t>& z) const {
  const TfLiteTensor* peephole = operands_->gates[static_cast<size_t>(g)].peephole;
  if (peephole == nullptr) return;
  const int64_t cells = operands_->cells, period = std::min(cells, operands_->outputs);
  for (int64_t i = 0; i < cells; ++i) {
    const int64_t at = row.index * cells + i;
    if (at >= row.count * period) break;
    const int32_t product = int32_t{Data<int16_t>(peephole)[at % period]} * cell[i];
    int16_t& to = z[static_cast<size_t>(i)];
    to = Saturated(int64_t{to} + Scale(product, gates_[g].peephole));
  }
}

void IntegerLstm::ComputeGate(int g, const RowOf& row, const int16_t* cell,
                              Scratch& scratch) const {
  const Gate& gate = gates_[g];
  std::vector<int16_t>& z = scratch.gates[g];
  z.assign(static_cast<size_t>(operands_->cells), 0);
  AddProduct(gate.weights, scratch.input, z);
  AddProduct(gate.recurrent, scratch.state, z);
  AddPeephole(g, row, cell, z);
  if (operands_->norm && !z.empty()) Normalize(g, z);
  for (int16_t& v : z) {
    v = g == kCandidate ? fixed::Tanh<kGateBits>(v) : fixed::Logistic<kGateBits>(v);
  }
}

void IntegerLstm::UpdateCell(int16_t* cell, Scratch& scratch) const {
  for (size_t i = 0; i < scratch.gates[kForgetGate].size(); ++i) {
    const int32_t keep = scratch.gates[kForgetGate][i];
    const int32_t take = operands_->coupled ? 32767 - keep : int32_t{scratch.gates[kInputGate][i]};
    const auto kept = static_cast<int16_t>(RoundingShiftRight(keep * cell[i], 15));
    const auto taken = static_cast<int16_t>(
        RoundingShiftRight(take * scratch.gates[kCandidate][i], 30 + cell_exponent_));
    cell[i] = Clip(Saturated(int64_t{kept} + taken), cell_clip_);
  }
}

void IntegerLstm::ComputeOutput(const int16_t* cell, int8_t* state, Scratch& scratch) const {
  const auto cells = static_cast<size_t>(operands_->cells);
  scratch.hidden.resize(cells);
  for (size_t i = 0; i < cells; ++i) {
    const int32_t tanh = fixed::Tanh(cell[i], 15 + cell_exponent_);
    const int64_t hidden = Scale(scratch.gates[kOutputGate][i] * tanh, hidden_);
    scratch.hidden[i] = SaturateTo<int8_t>(hidden + hidden_zero_);
  }
  if (operands_->projection == nullptr) {
    std::copy(scratch.hidden.begin(), scratch.hidden.end(), state);
    return;
  }
  Widen(scratch.hidden.data(), operands_->cells, scratch.input);
  ForEachSum(projection_, scratch.input, [&](size_t r, int32_t value) {
    const int64_t v = int64_t{value} + state_zero_;
    state[r] = Clip(SaturateTo<int8_t>(v), static_cast<int8_t>(projection_clip_));
  });
}

void IntegerLstm::Step(const RowOf& row, const int8_t* input, int8_t* state, int16_t* cell,
                       Scratch& scratch) const {
  Widen(input, operands_->inputs, scratch.input);
  Widen(state, operands_->outputs, scratch.state);
  if (!operands_->coupled) ComputeGate(kInputGate, row, cell, scratch);
  ComputeGate(kForgetGate, row, cell, scratch);
  ComputeGate(kCandidate, row, cell, scratch);
  UpdateCell(cell, scratch);
  ComputeGate(kOutputGate, row, cell, scratch);  // its peephole sees the new cell
  ComputeOutput(cell, state, scratch);
}

void IntegerLstm::Run(const SequenceRun<int8_t>& run, ThreadPool* pool) const {
  const LstmOperands& o = *operands_;
  const int64_t cost = run.shape.time * kLstmGates * o.cells * (o.inputs + o.outputs + 1);
  ParallelFor(pool, run.shape.batch, cost, [&](int64_t begin, int64_t end) {
    Scratch scratch;
    for (int64_t b = begin; b < end; ++b) {
      const RowOf together = run.shape.time_major ? RowOf{b, run.shape.batch} : RowOf{0, 1};
      int8_t* state = MutableData<int8_t>(o.output_state) + b * o.outputs;
      int16_t* cell = MutableData<int16_t>(o.cell_state) + b * o.cells;
      for (int64_t i = 0; i < run.shape.time; ++i) {
        const int64_t row = run.Row(i, b);
        Step(together, run.input + row * o.inputs, state, cell, scratch);
        std::copy_n(state, o.outputs, run.output + row * run.output_stride);
      }
    }
  });
}

}  // namespace tern
