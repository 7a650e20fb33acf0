// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include <utility>

#include "ops/testing/example.h"

namespace tern::testing {
namespace {

// Between the matrices and the gates lie five tensors that no operand names.
void AddIntermediates(ModelBuilder& b) {
  for (int i = 0; i < 5; ++i) {
    const auto type = i < 4 ? tflite::TensorType_INT16 : tflite::TensorType_INT8;
    b.op().intermediates.push_back(
        b.Quantize(b.Tensor({}, type), i < 4 ? 1.0f / 4096 : 1.0f / 128, 0));
  }
}

void SetSequence(ModelBuilder& b, tflite::TensorType) {
  tflite::UnidirectionalSequenceLSTMOptionsT o;
  o.fused_activation_function = tflite::ActivationFunctionType_TANH;
  b.op().builtin_options.Set(std::move(o));
  AddIntermediates(b);
}
void SetStep(ModelBuilder& b, tflite::TensorType) {
  tflite::LSTMOptionsT o;
  o.fused_activation_function = tflite::ActivationFunctionType_TANH;
  b.op().builtin_options.Set(std::move(o));
  AddIntermediates(b);
}
void SetBasic(ModelBuilder& b, tflite::TensorType) {
  tflite::LSTMOptionsT o;
  o.fused_activation_function = tflite::ActivationFunctionType_TANH;
  o.kernel_type = tflite::LSTMKernelType_BASIC;
  b.op().builtin_options.Set(std::move(o));
}
void SetBoth(ModelBuilder& b, tflite::TensorType) {
  tflite::BidirectionalSequenceLSTMOptionsT o;
  o.fused_activation_function = tflite::ActivationFunctionType_TANH;
  b.op().builtin_options.Set(std::move(o));
}

const Examples kSequence(
    {"UNIDIRECTIONAL_SEQUENCE_LSTM"},
    "T(R:8,2,3) W=1(4,3) W=1(4,3) W=1(4,3) W=1(4,3) W=1(4,4) W=1(4,4) W=1(4,4) "
    "W=1(4,4) - - - B=0(4) B=0(4) B=0(4) B=0(4) - - T!(8,4) T!(8,4) - - - - -> T",
    SetSequence);
const Examples kIntegerSequence(
    {"UNIDIRECTIONAL_SEQUENCE_LSTM"},
    "I8@-7(R:8,2,3) I8@-7=1(4,3) I8@-7=1(4,3) I8@-7=1(4,3) I8@-7=1(4,3) I8@-7=1(4,4) "
    "I8@-7=1(4,4) I8@-7=1(4,4) I8@-7=1(4,4) - - - I32@-14=0(4) I32@-14=0(4) "
    "I32@-14=0(4) I32@-14=0(4) - - I8@-7!(8,4) I16@-11!(8,4) - - - - -> I8@-7",
    SetSequence);
const Examples kStep(
    {"LSTM"},
    "T(R:8,3) W=1(4,3) W=1(4,3) W=1(4,3) W=1(4,3) W=1(4,4) W=1(4,4) W=1(4,4) W=1(4,4) "
    "- - - B=0(4) B=0(4) B=0(4) B=0(4) - - T!(8,4) T!(8,4) - - - - -> T",
    SetStep);
const Examples kIntegerStep(
    {"LSTM"},
    "I8@-7(R:8,3) I8@-7=1(4,3) I8@-7=1(4,3) I8@-7=1(4,3) I8@-7=1(4,3) I8@-7=1(4,4) "
    "I8@-7=1(4,4) I8@-7=1(4,4) I8@-7=1(4,4) - - - I32@-14=0(4) I32@-14=0(4) "
    "I32@-14=0(4) I32@-14=0(4) - - I8@-7!(8,4) I16@-11!(8,4) - - - - -> I8@-7",
    SetStep);
const Examples kBasic({"LSTM"}, "T(R:8,3) T(8,4) W=1(16,7) B=0(16) T(8,4) -> T T T T", SetBasic);
const Examples kBoth(
    {"BIDIRECTIONAL_SEQUENCE_LSTM"},
    "T(R:8,8,3) W=1(4,3) W=1(4,3) W=1(4,3) W=1(4,3) W=1(4,4) W=1(4,4) W=1(4,4) "
    "W=1(4,4) - - - B=0(4) B=0(4) B=0(4) B=0(4) - - W=1(4,3) W=1(4,3) W=1(4,3) "
    "W=1(4,3) W=1(4,4) W=1(4,4) W=1(4,4) W=1(4,4) - - - B=0(4) B=0(4) B=0(4) B=0(4) - "
    "- T!(8,4) T!(8,4) T!(8,4) T!(8,4) - - - - - - - - - -> T T",
    SetBoth);

}  // namespace
}  // namespace tern::testing
