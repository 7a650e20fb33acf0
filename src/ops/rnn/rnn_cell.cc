// SPDX-License-Identifier: Apache-2.0
// Checks and steps of a plain recurrent cell.
#include "ops/rnn/rnn_cell.h"

#include <algorithm>

#include "ops/cpu_kit/conv_operands.h"

namespace tern {

Status RnnCell::Prepare(const OpCall& call, const RnnLayout& layout, const TfLiteTensor* input,
                        const TfLiteTensor* aux, int64_t batch) {
  layout_ = layout;
  if (!KeepsPacked(call)) {
    for (MixedMatrix* matrix : {&weights_, &recurrent_, &aux_}) matrix->Forget();
  }
  const TfLiteTensor *weights = call.input(layout.weights),
                     *recurrent = call.input(layout.recurrent), *bias = call.input(layout.bias);
  const TfLiteTensor* aux_weights =
      layout.aux_weights < 0 ? nullptr : call.input(layout.aux_weights);
  if (weights == nullptr || recurrent == nullptr || bias == nullptr) {
    return Invalid("weights or bias are missing");
  }
  if ((aux == nullptr) != (aux_weights == nullptr)) {
    return Invalid("the auxiliary input and its weights do not come together");
  }
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(recurrent, weights->type, "recurrent weights"));
  TERN_RETURN_IF_ERROR(CheckType(bias, kTfLiteFloat32, "bias"));
  TERN_RETURN_IF_ERROR(CheckRank(bias, 1, "bias"));
  inputs_ = Dim(input, Rank(input) - 1);
  units_ = Dim(bias, 0);
  aux_inputs_ = aux == nullptr ? 0 : Dim(aux, Rank(aux) - 1);
  TERN_RETURN_IF_ERROR(CheckShape(weights, {units_, inputs_}, "weights"));
  TERN_RETURN_IF_ERROR(CheckShape(recurrent, {units_, units_}, "recurrent weights"));
  if (aux_weights != nullptr) {
    TERN_RETURN_IF_ERROR(CheckType(aux, kTfLiteFloat32, "aux input"));
    TERN_RETURN_IF_ERROR(CheckType(aux_weights, weights->type, "aux weights"));
    TERN_RETURN_IF_ERROR(CheckShape(aux_weights, {units_, aux_inputs_}, "aux weights"));
  }
  return CheckState(call.input(layout.state), kTfLiteFloat32, batch * units_, "the hidden state");
}

Status RnnCell::SetWeights(const OpCall& call) {
  // Prepare takes weights of other types: a delegate may compute with them.
  const TfLiteTensor* weights = call.input(layout_.weights);
  if (weights->type != kTfLiteFloat32 && !IsDynamicRangeWeight(weights)) {
    return Unsupported("Type ", TypeText(weights->type), " not currently supported (weights)");
  }
  const auto set = [&](int place, MixedMatrix& matrix) {
    const TfLiteTensor* tensor = place < 0 ? nullptr : call.input(place);
    if (tensor != nullptr) TERN_RETURN_IF_ERROR(CheckData(tensor, "weights"));
    return matrix.Set(tensor, "weights");
  };
  TERN_RETURN_IF_ERROR(set(layout_.weights, weights_));
  TERN_RETURN_IF_ERROR(set(layout_.recurrent, recurrent_));
  return set(layout_.aux_weights, aux_);
}

int64_t RnnCell::PackWeights(const SequenceShape& shape, bool fast, ThreadPool* pool) {
  const int64_t cost = shape.time * units_ * (inputs_ + aux_inputs_ + units_ + 1);
  const int64_t items = shape.PartItems(cost, pool);
  if (!fast) return items;
  weights_.Pack(shape.time * items, pool);
  aux_.Pack(shape.time * items, pool);
  recurrent_.Pack(items, pool);
  return items;
}

void RnnCell::Pack(const OpCall& call, const SequenceShape& shape, bool fast, ThreadPool* pool) {
  for (const int place : {layout_.weights, layout_.recurrent, layout_.aux_weights}) {
    const TfLiteTensor* tensor = place < 0 ? nullptr : call.input(place);
    if (tensor != nullptr && !CanPack(tensor, nullptr)) return;
  }
  if (SetWeights(call).ok()) PackWeights(shape, fast, pool);
}

Status RnnCell::Eval(const OpCall& call, const SequenceRun<float>& run, const Options& options,
                     ThreadPool* pool) {
  TERN_RETURN_IF_ERROR(SetWeights(call));
  TERN_RETURN_IF_ERROR(CheckData(call.input(layout_.bias), "bias"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(layout_.state), "the hidden state"));
  const float* bias = Data<float>(call.input(layout_.bias));
  float* states = MutableData<float>(StateAt(call, layout_.state));
  const int64_t part_items = PackWeights(run.shape, options.fast, pool);
  parts_.resize(static_cast<size_t>(run.Parts(part_items)));
  run.ForEachPart(part_items, pool, [&](const SequenceRun<float>& part, ThreadPool* inner) {
    float* state = states + part.first_item * units_;
    const int64_t size = part.items * units_;
    Part& kept = parts_[static_cast<size_t>(part.first_item / part_items)];
    kept.rows.fast = options.fast;
    kept.rows.symmetric = !options.asymmetric_quantize_inputs;
    const auto read = [&](int64_t first, int64_t steps) {
      const int64_t count = steps * part.items;
      kept.sums.resize(static_cast<size_t>(count * units_));
      FillRows(bias, count, units_, kept.sums.data());
      kept.rows.Set(part.Rows(part.input, inputs_, first, steps, kept.copy), count, inputs_);
      weights_.AddProduct(kept.rows, kept.sums.data(), inner);
      if (!aux_.present()) return;
      kept.rows.Set(part.Rows(part.aux, aux_inputs_, first, steps, kept.copy), count, aux_inputs_);
      aux_.AddProduct(kept.rows, kept.sums.data(), inner);
    };
    const auto step = [&](int64_t i) {
      float* now = kept.sums.data() + i * size;
      kept.rows.Set(state, part.items, units_);
      recurrent_.AddProduct(kept.rows, now, nullptr);
      ActivateAll(options.activation, options.fast, size, now);
      std::copy_n(now, size, state);
    };
    part.ForEachStep(state, units_, read, step);
  });
  return OkStatus();
}

}  // namespace tern
