// SPDX-License-Identifier: Apache-2.0
// Checks an LSTM cell and runs it in the arithmetic of its operands.
#include "ops/lstm/lstm_cell.h"

namespace tern {

Status LstmCell::Prepare(const OpCall& call, const LstmLayout& layout, const LstmInput& input,
                         const LstmOptions& options) {
  layout_ = layout;
  input_ = input;
  options_ = options;
  if (!KeepsPacked(call)) float_.Forget();
  integer_.reset();
  dense_.Forget();
  TERN_ASSIGN_OR_RETURN(operands_, ReadLstmOperands(call, layout, input, options));
  return OkStatus();
}

Status LstmCell::ReadWeights(const OpCall& call) {
  // Tensors may have moved since Prepare.
  TERN_ASSIGN_OR_RETURN(operands_, ReadLstmOperands(call, layout_, input_, options_));
  TERN_RETURN_IF_ERROR(dense_.Replace(operands_));
  TERN_RETURN_IF_ERROR(CheckWeightData(operands_));
  if (!HasConstantWeights(operands_)) integer_.reset();
  if (operands_.form != LstmForm::kInteger) {
    TERN_RETURN_IF_ERROR(float_.Set(operands_, options_));
  } else if (!integer_.has_value()) {
    TERN_ASSIGN_OR_RETURN(integer_, IntegerLstm::Make(call, operands_, options_));
  }
  return OkStatus();
}

void LstmCell::Pack(const OpCall& call, const SequenceShape& shape, ThreadPool* pool) {
  const bool packs = options_.fast && shape.time > 0 && HasConstantWeights(operands_);
  if (!packs || !ReadWeights(call).ok()) return;
  if (operands_.form == LstmForm::kInteger) {
    integer_->Pack(shape, pool);
  } else {
    float_.Pack(shape, pool);
  }
}

Status LstmCell::Eval(const OpCall& call, const Rows& rows, ThreadPool* pool) {
  TERN_RETURN_IF_ERROR(CheckData(rows.input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(rows.output, "output"));
  if (rows.aux != nullptr) TERN_RETURN_IF_ERROR(CheckData(rows.aux, "aux input"));
  TERN_RETURN_IF_ERROR(ReadWeights(call));
  TERN_RETURN_IF_ERROR(CheckData(operands_.output_state, "the output state"));
  TERN_RETURN_IF_ERROR(CheckData(operands_.cell_state, "the cell state"));
  if (rows.shape.time == 0) return OkStatus();
  if (operands_.form == LstmForm::kInteger) {
    integer_->Run(
        {rows.shape, Data<int8_t>(rows.input), nullptr,
         MutableData<int8_t>(rows.output) + rows.output_offset, rows.output_stride, rows.backward},
        pool);
    return OkStatus();
  }
  const float* aux = rows.aux == nullptr ? nullptr : Data<float>(rows.aux);
  float_.Run(
      {rows.shape, Data<float>(rows.input), aux,
       MutableData<float>(rows.output) + rows.output_offset, rows.output_stride, rows.backward},
      pool);
  return OkStatus();
}

}  // namespace tern
