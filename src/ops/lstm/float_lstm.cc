// SPDX-License-Identifier: Apache-2.0
// The steps of an LSTM cell in float.
#include "ops/lstm/float_lstm.h"

#include <algorithm>
#include <cmath>

namespace tern {

Status FloatLstm::Set(const LstmOperands& operands, const LstmOptions& options) {
  operands_ = &operands;
  options_ = options;
  for (int g = 0; g < kLstmGates; ++g) {
    const LstmGate& gate = operands.gates[static_cast<size_t>(g)];
    TERN_RETURN_IF_ERROR(weights_[g].Set(gate.weights, "weights"));
    TERN_RETURN_IF_ERROR(recurrent_[g].Set(gate.recurrent, "recurrent weights"));
    TERN_RETURN_IF_ERROR(aux_[g].Set(gate.aux_weights, "aux weights"));
    TERN_RETURN_IF_ERROR(peephole_[g].Set(gate.peephole, "peephole weights"));
  }
  return projection_.Set(operands.projection, "projection");
}

void FloatLstm::Forget() {
  for (int g = 0; g < kLstmGates; ++g) {
    for (MixedMatrix* matrix : {&weights_[g], &recurrent_[g], &aux_[g]}) matrix->Forget();
  }
  projection_.Forget();
}

void FloatLstm::ReadInputs(int64_t first, int64_t steps, ThreadPool* pool, Part& part) const {
  const LstmOperands& o = *operands_;
  const int64_t rows = steps * part.run->items;
  const auto add = [&](const float* from, int64_t size, const MixedMatrix* matrices) {
    part.input.Set(part.run->Rows(from, size, first, steps, part.copy), rows, size);
    for (int g = 0; g < kLstmGates; ++g) {
      if (o.Uses(g)) matrices[g].AddProduct(part.input, part.gates[g].data(), pool);
    }
  };
  for (int g = 0; g < kLstmGates; ++g) {
    part.gates[g].resize(static_cast<size_t>(rows * o.cells));
    const TfLiteTensor* bias = o.norm ? nullptr : o.gates[static_cast<size_t>(g)].bias;
    FillRows(bias == nullptr ? nullptr : Data<float>(bias), rows, o.cells, part.gates[g].data());
  }
  add(part.run->input, o.inputs, weights_);
  if (aux_[kOutputGate].present()) add(part.run->aux, o.aux_inputs, aux_);
}

namespace {

// Layer normalization, its weights, and the bias.
void Normalize(const LstmGate& gate, int64_t cells, float* z) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < cells; ++i) sum += z[i];
  const double mean = sum / static_cast<double>(cells);
  for (int64_t i = 0; i < cells; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const double factor = 1 / std::sqrt(squares / static_cast<double>(cells) + 1e-8);
  const float *norm = Data<float>(gate.norm), *bias = Data<float>(gate.bias);
  for (int64_t i = 0; i < cells; ++i) {
    z[i] = static_cast<float>((z[i] - mean) * factor) * norm[i] + bias[i];
  }
}

// z[item, i] += weights[i] * v[item, i]
void AddDiagonal(const MixedMatrix& weights, const float* v, int64_t items, int64_t cells,
                 float* z) {
  for (int64_t b = 0; b < items; ++b, z += cells, v += cells) {
    for (int64_t i = 0; i < cells; ++i) z[i] += weights.At(i) * v[i];
  }
}

}  // namespace

void FloatLstm::ComputeGate(int g, float* z, Part& part) const {
  const LstmOperands& o = *operands_;
  const int64_t items = part.run->items;
  if (o.diagonal) {
    AddDiagonal(recurrent_[g], part.output, items, o.cells, z);
  } else {
    recurrent_[g].AddProduct(part.state, z, nullptr);
  }
  if (peephole_[g].present()) AddDiagonal(peephole_[g], part.cell, items, o.cells, z);
  for (int64_t b = 0; b < items && o.norm; ++b) {
    Normalize(o.gates[static_cast<size_t>(g)], o.cells, z + b * o.cells);
  }
  ActivateAll(g == kCandidate ? options_.activation : kTfLiteActSigmoid, options_.fast,
              items * o.cells, z);
}

// `hidden` or its projection becomes the output state.
void FloatLstm::ComputeOutput(Part& part) const {
  const LstmOperands& o = *operands_;
  if (!projection_.present()) {
    std::copy(part.hidden.begin(), part.hidden.end(), part.output);
    return;
  }
  const int64_t items = part.run->items;
  FillRows(o.projection_bias == nullptr ? nullptr : Data<float>(o.projection_bias), items,
           o.outputs, part.output);
  part.state.Set(part.hidden.data(), items, o.cells);
  projection_.AddProduct(part.state, part.output, nullptr);
  const float limit = options_.projection_clip;
  for (int64_t i = 0; i < items * o.outputs && limit > 0; ++i) {
    part.output[i] = FloatRange{-limit, limit}.Clamp(part.output[i]);
  }
}

// The states get their new values.
void FloatLstm::Step(int64_t step, Part& part) const {
  const LstmOperands& o = *operands_;
  const int64_t count = part.run->items * o.cells;
  float* z[kLstmGates];
  for (int g = 0; g < kLstmGates; ++g) z[g] = part.gates[g].data() + step * count;
  part.state.Set(part.output, part.run->items, o.outputs);
  for (const int g : {kInputGate, kForgetGate, kCandidate}) {
    if (o.Uses(g)) ComputeGate(g, z[g], part);
  }
  float* cell = part.cell;
  const float limit = options_.cell_clip;
  for (int64_t i = 0; i < count; ++i) {
    const float keep = z[kForgetGate][i], take = o.coupled ? 1.0f - keep : z[kInputGate][i];
    const float c = keep * cell[i] + take * z[kCandidate][i];
    cell[i] = limit > 0 ? FloatRange{-limit, limit}.Clamp(c) : c;
  }
  ComputeGate(kOutputGate, z[kOutputGate], part);  // its peephole sees the new cell
  part.hidden.assign(cell, cell + count);
  ActivateAll(options_.activation, options_.fast, count, part.hidden.data());
  for (int64_t i = 0; i < count; ++i) part.hidden[static_cast<size_t>(i)] *= z[kOutputGate][i];
  ComputeOutput(part);
}

int64_t FloatLstm::Pack(const SequenceShape& shape, ThreadPool* pool) {
  const LstmOperands& o = *operands_;
  const int64_t cost = shape.time * kLstmGates * o.cells * (o.inputs + o.outputs + 1);
  const int64_t items = shape.PartItems(cost, pool);
  for (int g = 0; g < kLstmGates && options_.fast; ++g) {
    weights_[g].Pack(shape.time * items, pool);
    aux_[g].Pack(shape.time * items, pool);
    recurrent_[g].Pack(items, pool);
  }
  if (options_.fast) projection_.Pack(items, pool);
  return items;
}

void FloatLstm::Run(const SequenceRun<float>& run, ThreadPool* pool) {
  const LstmOperands& o = *operands_;
  const int64_t items = Pack(run.shape, pool);
  parts_.resize(static_cast<size_t>(run.Parts(items)));
  run.ForEachPart(items, pool, [&](const SequenceRun<float>& some, ThreadPool* inner) {
    Part& part = parts_[static_cast<size_t>(some.first_item / items)];
    part.run = &some;
    part.output = MutableData<float>(o.output_state) + some.first_item * o.outputs;
    part.cell = MutableData<float>(o.cell_state) + some.first_item * o.cells;
    part.input.fast = part.state.fast = options_.fast;
    part.input.symmetric = part.state.symmetric = !options_.asymmetric_quantize_inputs;
    some.ForEachStep(
        part.output, o.outputs,
        [&](int64_t first, int64_t steps) { ReadInputs(first, steps, inner, part); },
        [&](int64_t step) { Step(step, part); });
  });
}

}  // namespace tern
