// SPDX-License-Identifier: Apache-2.0
// The steps of an integer LSTM cell, exact to the last bit against the reference. Gates are numbers
// with three integer bits; sums saturate.
#include "ops/lstm/integer_lstm.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace

// Keeps no tensors, which may move.
IntegerLstm::Matrix::Matrix(const TfLiteTensor* w, const TfLiteTensor* b, int32_t zero,
                            double scale)
    : weights(IntegerWeightsOf(w, 0)),
      columns(Dim(w, 0)),
      depth(Dim(w, 1)),
      bias(b == nullptr ? nullptr : b->data.raw),
      zero_point(zero),
      multiplier(MakeMultiplier(scale)) {}

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
  hidden_scale_ =
      MakeMultiplier(static_cast<float>(std::pow(2, -15) / scales.hidden.scale * std::pow(2, -15)));
  if (o.projection != nullptr) {
    TERN_ASSIGN_OR_RETURN(const Quantization q, QuantizationOf(o.projection, "projection"));
    projection_ = {o.projection, o.projection_bias, hidden_zero_,
                   q.scale * scales.hidden.scale / scales.state.scale};
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
  gate.weights = {from.weights, o.norm ? nullptr : from.bias, scales.input.zero_point,
                  w.scale * scales.input.scale / scale};
  gate.recurrent = {from.recurrent, nullptr, scales.state.zero_point,
                    r.scale * scales.state.scale / scale};
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

void IntegerLstm::PackMatrix(Matrix& m, int64_t rows, ThreadPool* pool) const {
  if (m.weights.data == nullptr || !fast_) return;
  m.packed = m.product.Pack({MatrixShape(rows, m.depth, m.columns), nullptr}, m.weights, pool);
}

template <class Use>
void IntegerLstm::ForEachSum(const Matrix& m, const int8_t* rows, int64_t count, ThreadPool* pool,
                             std::vector<int32_t>& sums, const Use& use) const {
  sums.resize(static_cast<size_t>(count * m.columns));
  IntegerProduct::Sums(
      m.packed, fast_,
      {MatrixShape(count, m.depth, m.columns), rows, IntegerType::kInt8, m.zero_point}, m.weights,
      m.bias, sums.data(), pool);
  for (size_t i = 0; i < sums.size(); ++i) use(i, Scale(sums[i], m.multiplier));
}

void IntegerLstm::AddProduct(const Matrix& m, const int8_t* rows, int64_t count, ThreadPool* pool,
                             std::vector<int32_t>& sums, int16_t* to) const {
  ForEachSum(m, rows, count, pool, sums,
             [&](size_t i, int32_t value) { to[i] = Saturated(int64_t{to[i]} + value); });
}

// Mean 0 and variance 1, times the coefficients, plus the bias. The mean has 10 more bits.
void IntegerLstm::Normalize(int g, int16_t* z) const {
  const LstmGate& from = operands_->gates[static_cast<size_t>(g)];
  const int64_t count = operands_->cells;
  if (count == 0) return;
  int64_t sum = 0, squares = 0;
  for (int64_t i = 0; i < count; ++i) {
    sum += z[i];
    squares += int64_t{z[i]} * z[i];
  }
  constexpr int64_t kOne = 1 << 20;
  const auto mean = static_cast<int32_t>(sum * 1024 / count);
  auto variance = static_cast<int32_t>((squares * (kOne / count) - int64_t{mean} * mean) / kOne);
  if (variance < 1) variance = gates_[g].min_variance;
  const Multiplier inverse = fixed::InverseSqrt(variance);
  Multiplier coefficient = gates_[g].norm;
  coefficient.shift += 12;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t normal = Scale(1024 * z[i] - mean, inverse);
    const int64_t v = normal * Data<int16_t>(from.norm)[i] + Data<int32_t>(from.bias)[i];
    const auto rounded = static_cast<int32_t>((v > 0 ? v + 512 : v - 512) / 1024);
    z[i] = Saturated(Scale(rounded, coefficient));
  }
}

// With a projection the reference takes its size for that of the peepholes: all cells of the rows
// that a step computes together (one, where batches are major) count as one list, of which the
// first rows * outputs get a peephole, weights in turn. Models are made for that.
void IntegerLstm::AddPeepholes(int g, const Part& part, int16_t* z) const {
  const TfLiteTensor* peephole = operands_->gates[static_cast<size_t>(g)].peephole;
  if (peephole == nullptr) return;
  const int64_t cells = operands_->cells, period = std::min(cells, operands_->outputs);
  const bool time_major = part.run->shape.time_major;
  const int64_t rows = time_major ? operands_->batch : 1;
  const int64_t first = time_major ? part.run->first_item * cells : 0;
  for (int64_t i = 0; i < part.run->items * cells; ++i) {
    const int64_t at = (first + i) % (rows * cells);
    if (at >= rows * period) continue;
    const int32_t product = int32_t{Data<int16_t>(peephole)[at % period]} * part.cell[i];
    z[i] = Saturated(int64_t{z[i]} + Scale(product, gates_[g].peephole));
  }
}

void IntegerLstm::ComputeGate(int g, Part& part, int16_t* z) const {
  const int64_t items = part.run->items, cells = operands_->cells;
  AddProduct(gates_[g].recurrent, part.state, items, nullptr, part.sums, z);
  AddPeepholes(g, part, z);
  for (int64_t b = 0; b < items && operands_->norm; ++b) Normalize(g, z + b * cells);
  for (int64_t i = 0; i < items * cells; ++i) {
    z[i] = g == kCandidate ? fixed::Tanh<kGateBits>(z[i]) : fixed::Logistic<kGateBits>(z[i]);
  }
}

void IntegerLstm::ComputeOutput(const int16_t* out, Part& part) const {
  for (size_t i = 0; i < part.hidden.size(); ++i) {
    const int32_t tanh = fixed::Tanh(part.cell[i], 15 + cell_exponent_);
    const int64_t hidden = Scale(out[i] * tanh, hidden_scale_);
    part.hidden[i] = SaturateTo<int8_t>(hidden + hidden_zero_);
  }
  if (operands_->projection == nullptr) {
    std::copy(part.hidden.begin(), part.hidden.end(), part.state);
    return;
  }
  ForEachSum(projection_, part.hidden.data(), part.run->items, nullptr, part.sums,
             [&](size_t i, int32_t value) {
               const int64_t v = int64_t{value} + state_zero_;
               part.state[i] = Clip(SaturateTo<int8_t>(v), static_cast<int8_t>(projection_clip_));
             });
}

// The states get their new values.
void IntegerLstm::Step(int64_t step, Part& part) const {
  const LstmOperands& o = *operands_;
  const int64_t count = part.run->items * o.cells;
  int16_t* z[kLstmGates];
  for (int g = 0; g < kLstmGates; ++g) z[g] = part.gates[g].data() + step * count;
  for (const int g : {kInputGate, kForgetGate, kCandidate}) {
    if (o.Uses(g)) ComputeGate(g, part, z[g]);
  }
  for (int64_t i = 0; i < count; ++i) {
    const int32_t keep = z[kForgetGate][i];
    const int32_t take = o.coupled ? 32767 - keep : int32_t{z[kInputGate][i]};
    const auto kept = static_cast<int16_t>(RoundingShiftRight(keep * part.cell[i], 15));
    const auto taken =
        static_cast<int16_t>(RoundingShiftRight(take * z[kCandidate][i], 30 + cell_exponent_));
    part.cell[i] = Clip(Saturated(int64_t{kept} + taken), cell_clip_);
  }
  ComputeGate(kOutputGate, part, z[kOutputGate]);  // its peephole sees the new cell
  ComputeOutput(z[kOutputGate], part);
}

int64_t IntegerLstm::Pack(const SequenceShape& shape, ThreadPool* pool) {
  const LstmOperands& o = *operands_;
  const int64_t cost = shape.time * kLstmGates * o.cells * (o.inputs + o.outputs + 1);
  const int64_t items = shape.PartItems(cost, pool);
  for (Gate& gate : gates_) {
    PackMatrix(gate.weights, shape.time * items, pool);
    PackMatrix(gate.recurrent, items, pool);
  }
  PackMatrix(projection_, items, pool);
  return items;
}

void IntegerLstm::Run(const SequenceRun<int8_t>& run, ThreadPool* pool) {
  const LstmOperands& o = *operands_;
  const int64_t items = Pack(run.shape, pool);
  parts_.resize(static_cast<size_t>(run.Parts(items)));
  run.ForEachPart(items, pool, [&](const SequenceRun<int8_t>& some, ThreadPool* inner) {
    Part& part = parts_[static_cast<size_t>(some.first_item / items)];
    part.run = &some;
    part.state = MutableData<int8_t>(o.output_state) + some.first_item * o.outputs;
    part.cell = MutableData<int16_t>(o.cell_state) + some.first_item * o.cells;
    part.hidden.resize(static_cast<size_t>(some.items * o.cells));
    const auto read = [&](int64_t first, int64_t steps) {
      const int64_t rows = steps * some.items;
      const int8_t* input = some.Rows(some.input, o.inputs, first, steps, part.copy);
      for (int g = 0; g < kLstmGates; ++g) {
        part.gates[g].assign(static_cast<size_t>(rows * o.cells), 0);
        if (!o.Uses(g)) continue;
        AddProduct(gates_[g].weights, input, rows, inner, part.sums, part.gates[g].data());
      }
    };
    some.ForEachStep(part.state, o.outputs, read, [&](int64_t step) { Step(step, part); });
  });
}

}  // namespace tern
