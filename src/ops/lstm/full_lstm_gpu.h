// SPDX-License-Identifier: Apache-2.0
// LSTM cells with gates of their own matrices on the GPU: of LSTM with the full kernel, and of
// sequences.
#ifndef TERN_OPS_LSTM_FULL_LSTM_GPU_H_
#define TERN_OPS_LSTM_FULL_LSTM_GPU_H_

#include <vector>

#include "gpu/lower/lowering.h"
#include "ops/lstm/lstm_rules.h"

namespace tern::gpu {

// The options and operands with which a node runs a cell.
struct FullLstmRun {
  TfLiteFusedActivation activation = kTfLiteActTanh;
  float cell_clip = 0, projection_clip = 0;  // 0: no limit
  bool sequence = false;
  bool time_major = true;
  bool diagonal = false;  // recurrent matrices are given by their diagonals
  bool backward = false;  // the last step first
  LstmLayout at = kLstmLayout;
  int input = 0, aux = -1;  // operands; -1: none
  // Where the cell's outputs go: an output, from this channel on.
  int output = 0;
  int64_t channel = 0;
  // Outputs that take the next states of variables, where the node has them.
  int next_output = 1, next_cell = 2;
};

absl::Status LowerFullLstm(const Node& node, Lowering& lower, const FullLstmRun& run);

// Operands that are the states of a cell.
std::vector<int> FullLstmStates(const Node& node);

}  // namespace tern::gpu

#endif  // TERN_OPS_LSTM_FULL_LSTM_GPU_H_
