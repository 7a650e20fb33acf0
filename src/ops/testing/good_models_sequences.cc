// SPDX-License-Identifier: Apache-2.0
// Recurrent operations: with every optional operand, and with none.
#include "ops/testing/good_models.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema

constexpr int kTime = 2, kBatch = 2, kInputs = 3, kCells = 4;

// Operands 1 to 17 and 20 to 23 of an LSTM; the states come between.
std::vector<int32_t> Gates(GoodModels& m, int x, bool all) {
  const auto weights = [&](int columns) { return m.Const({kCells, columns}); };
  const auto vector = [&] { return m.Const({kCells}); };
  std::vector<int32_t> inputs = {x, all ? weights(kInputs) : -1};
  for (int i = 0; i < 3; ++i) inputs.push_back(weights(kInputs));
  inputs.push_back(all ? weights(kCells) : -1);
  for (int i = 0; i < 3; ++i) inputs.push_back(weights(kCells));
  for (int i = 0; i < 3; ++i) inputs.push_back(all ? vector() : -1);
  inputs.push_back(all ? vector() : -1);
  for (int i = 0; i < 3; ++i) inputs.push_back(vector());
  inputs.push_back(all ? weights(kCells) : -1);
  inputs.push_back(all ? vector() : -1);
  return inputs;
}

std::vector<int32_t> LstmInputs(GoodModels& m, int x, bool all) {
  std::vector<int32_t> inputs = Gates(m, x, all);
  for (int i = 0; i < 2; ++i) inputs.push_back(m.Variable({kBatch, kCells}));
  for (int i = 0; i < 4; ++i) inputs.push_back(all ? m.Const({kCells}) : -1);
  return inputs;
}

void AddLstms(GoodModels& m) {
  for (const bool all : {true, false}) {
    int x = m.Input({kTime, kBatch, kInputs});
    UnidirectionalSequenceLSTMOptionsT sequence;
    sequence.fused_activation_function = ActivationFunctionType_TANH;
    sequence.time_major = true;
    if (!all) m.Call("small");
    m.Op(BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM, LstmInputs(m, x, all), sequence);
    x = m.Input({kBatch, kInputs});
    LSTMOptionsT step;
    step.fused_activation_function = ActivationFunctionType_TANH;
    if (!all) m.Call("small");
    m.Op(BuiltinOperator_LSTM, LstmInputs(m, x, all), step);
  }
  LSTMOptionsT basic;
  basic.fused_activation_function = ActivationFunctionType_TANH;
  basic.kernel_type = LSTMKernelType_BASIC;
  const int x = m.Input({kBatch, kInputs}), last = m.Input({kBatch, kCells});
  const int weights = m.Const({4 * kCells, kInputs + kCells}), bias = m.Const({4 * kCells});
  const int state = m.Input({kBatch, kCells});
  constexpr auto kFloat = TensorType_FLOAT32;
  m.SetOpVersion(2);
  m.Call("basic");
  m.Op(BuiltinOperator_LSTM, {x, last, weights, bias, state}, {kFloat, kFloat, kFloat, kFloat},
       basic);
}

void AddBidirectionalLstm(GoodModels& m) {
  const int x = m.Input({kTime, kBatch, kInputs});
  std::vector<int32_t> inputs = Gates(m, x, true);
  const std::vector<int32_t> backward = Gates(m, x, true);
  inputs.insert(inputs.end(), backward.begin() + 1, backward.end());
  for (int i = 0; i < 4; ++i) inputs.push_back(m.Variable({kBatch, kCells}));
  inputs.push_back(m.Input({kTime, kBatch, kInputs}));
  for (int direction = 0; direction < 2; ++direction) {
    for (int i = 0; i < 4; ++i) inputs.push_back(m.Const({kCells, kInputs}));
  }
  BidirectionalSequenceLSTMOptionsT options;
  options.fused_activation_function = ActivationFunctionType_TANH;
  options.merge_outputs = true;
  m.Op(BuiltinOperator_BIDIRECTIONAL_SEQUENCE_LSTM, inputs, options);
}

void AddRnns(GoodModels& m) {
  const auto operands = [&](int x) {
    return std::vector<int32_t>{x, m.Const({kCells, kInputs}), m.Const({kCells, kCells}),
                                m.Const({kCells}), m.Variable({kBatch, kCells})};
  };
  m.Op(BuiltinOperator_RNN, operands(m.Input({kBatch, kInputs})), RNNOptionsT());
  SequenceRNNOptionsT sequence;
  sequence.time_major = true;
  m.Op(BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN, operands(m.Input({kTime, kBatch, kInputs})),
       sequence);
  std::vector<int32_t> inputs = operands(m.Input({kTime, kBatch, kInputs}));
  const std::vector<int32_t> backward = operands(-1);
  inputs.insert(inputs.end(), backward.begin() + 1, backward.end());
  inputs.push_back(m.Input({kTime, kBatch, kInputs}));
  for (int direction = 0; direction < 2; ++direction) inputs.push_back(m.Const({kCells, kInputs}));
  BidirectionalSequenceRNNOptionsT options;
  options.time_major = options.merge_outputs = true;
  m.Op(BuiltinOperator_BIDIRECTIONAL_SEQUENCE_RNN, inputs, options);
  // Two units of rank 2 with a memory of three steps.
  const int x = m.Input({kBatch, kInputs});
  SVDFOptionsT svdf;
  svdf.rank = 2;
  m.Op(BuiltinOperator_SVDF,
       {x, m.Const({4, kInputs}), m.Const({4, 3}), m.Const({2}), m.Variable({kBatch, 12})}, svdf);
}

}  // namespace

void AddSequenceModels(GoodModels& m) {
  AddLstms(m);
  AddBidirectionalLstm(m);
  AddRnns(m);
}

}  // namespace tern::testing
