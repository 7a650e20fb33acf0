// SPDX-License-Identifier: Apache-2.0
// The operands of one LSTM cell with gates of its own matrices, and in which arithmetic it runs.
#ifndef TERN_OPS_LSTM_LSTM_OPERANDS_H_
#define TERN_OPS_LSTM_LSTM_OPERANDS_H_

#include <array>

#include "ops/cpu_kit/recurrent.h"
#include "ops/lstm/lstm_rules.h"

namespace tern {

struct LstmGate {
  const TfLiteTensor* weights = nullptr;    // [cells, inputs]
  const TfLiteTensor* recurrent = nullptr;  // [cells, outputs], or [cells]: a diagonal
  // The rest may be missing.
  const TfLiteTensor* aux_weights = nullptr;  // [cells, auxiliary inputs]
  const TfLiteTensor* peephole = nullptr;     // [cells]; the candidate has none
  const TfLiteTensor* bias = nullptr;         // [cells]
  const TfLiteTensor* norm = nullptr;         // [cells]
};

enum class LstmForm {
  kFloat,
  kDynamicRange,  // float activations, 8-bit weights
  kInteger,       // 8-bit activations and weights, 16-bit gates and cell state
};

struct LstmOperands : LstmSizes {
  std::array<LstmGate, kLstmGates> gates;
  const TfLiteTensor* projection = nullptr;       // [outputs, cells]
  const TfLiteTensor* projection_bias = nullptr;  // [outputs]
  TfLiteTensor* output_state = nullptr;           // [batch, outputs]
  TfLiteTensor* cell_state = nullptr;             // [batch, cells]
  LstmForm form = LstmForm::kFloat;
};

struct LstmOptions {
  TfLiteFusedActivation activation = kTfLiteActTanh;
  float cell_clip = 0, projection_clip = 0;  // 0: no limit
  bool asymmetric_quantize_inputs = false;
  bool fast = false;  // products and float activations are those of vectors
};

// The type and sizes of the input of a cell at one step.
struct LstmInput {
  TfLiteType type;
  int64_t batch, inputs;
  int64_t aux_inputs = 0;  // of the aux weights
  bool diagonal = false;
};

// Checks types, shapes and options.
StatusOr<LstmOperands> ReadLstmOperands(const OpCall& call, const LstmLayout& layout,
                                        const LstmInput& input, const LstmOptions& options);

// Calls visit(operand) for all weights, biases and coefficients, missing ones as null.
template <class Operands, class Visit>
void ForEachWeight(Operands& o, const Visit& visit) {
  for (auto& gate : o.gates) {
    visit(gate.weights);
    visit(gate.recurrent);
    visit(gate.aux_weights);
    visit(gate.peephole);
    visit(gate.bias);
    visit(gate.norm);
  }
  visit(o.projection);
  visit(o.projection_bias);
}

// All weights, biases and coefficients have memory.
Status CheckWeightData(const LstmOperands& operands);

// Weights that stay the same in all runs.
bool HasConstantWeights(const LstmOperands& operands);

}  // namespace tern

#endif  // TERN_OPS_LSTM_LSTM_OPERANDS_H_
