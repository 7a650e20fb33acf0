// SPDX-License-Identifier: Apache-2.0
// Checks and steps of a plain recurrent cell.
#include "ops/rnn/rnn_cell.h"

#include <algorithm>

namespace tern {

Status RnnCell::Prepare(const OpCall& call, const RnnLayout& layout, const TfLiteTensor* input,
                        const TfLiteTensor* aux, int64_t batch) {
  layout_ = layout;
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

Status RnnCell::Eval(const OpCall& call, const SequenceRun<float>& run, const Options& options,
                     ThreadPool* pool) const {
  // Prepare takes weights of other types: a delegate may compute with them.
  const TfLiteTensor* weights = call.input(layout_.weights);
  if (weights->type != kTfLiteFloat32 && !IsDynamicRangeWeight(weights)) {
    return Unsupported("Type ", TypeText(weights->type), " not currently supported (weights)");
  }
  MixedMatrix matrices[3];
  const int places[] = {layout_.weights, layout_.recurrent, layout_.aux_weights};
  for (int i = 0; i < 3; ++i) {
    const TfLiteTensor* tensor = places[i] < 0 ? nullptr : call.input(places[i]);
    if (tensor != nullptr) TERN_RETURN_IF_ERROR(CheckData(tensor, "weights"));
    TERN_ASSIGN_OR_RETURN(matrices[i], MixedMatrix::Of(tensor, "weights"));
  }
  TERN_RETURN_IF_ERROR(CheckData(call.input(layout_.bias), "bias"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(layout_.state), "the hidden state"));
  const float* bias = Data<float>(call.input(layout_.bias));
  float* states = MutableData<float>(StateAt(call, layout_.state));
  const RowForm form = matrices[0].is_float()               ? RowForm::kFloat
                       : options.asymmetric_quantize_inputs ? RowForm::kAsymmetric
                                                            : RowForm::kSymmetric;
  const int64_t cost = run.shape.time * units_ * (inputs_ + aux_inputs_ + units_ + 1);
  ParallelFor(pool, run.shape.batch, cost, [&](int64_t begin, int64_t end) {
    ProductInput input, aux, hidden;
    std::vector<float> sums(static_cast<size_t>(units_));
    for (int64_t b = begin; b < end; ++b) {
      float* state = states + b * units_;
      for (int64_t i = 0; i < run.shape.time; ++i) {
        const int64_t row = run.Row(i, b);
        SetRow(run.input + row * inputs_, inputs_, form, options.fast, input);
        SetRow(state, units_, form, options.fast, hidden);
        std::copy_n(bias, units_, sums.data());
        matrices[0].AddProduct(input, units_, sums.data());
        if (matrices[2].present()) {
          SetRow(run.aux + row * aux_inputs_, aux_inputs_, form, options.fast, aux);
          matrices[2].AddProduct(aux, units_, sums.data());
        }
        matrices[1].AddProduct(hidden, units_, sums.data());
        float* output = run.output + row * run.output_stride;
        ActivateRow(options.activation, options.fast, units_, sums.data());
        for (int64_t u = 0; u < units_; ++u) state[u] = output[u] = sums[static_cast<size_t>(u)];
      }
    }
  });
  return OkStatus();
}

}  // namespace tern
