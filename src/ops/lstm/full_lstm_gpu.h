// SPDX-License-Identifier: Apache-2.0
// The LSTM cell with gates of its own matrices on the GPU, step after step.
#ifndef TERN_OPS_LSTM_FULL_LSTM_GPU_H_
#define TERN_OPS_LSTM_FULL_LSTM_GPU_H_

#include <vector>

#include "gpu/lower/lowering.h"

namespace tern::gpu {

struct FullLstmOptions {
  TfLiteFusedActivation activation;
  float cell_clip, projection_clip;
  bool sequence, time_major;
  bool diagonal = false;  // recurrent matrices are given by their diagonals
};

// For traits: what the cell keeps from run to run.
std::vector<int> FullLstmStates(const Node& node);

// Computed matrices are refused.
absl::Status LowerFullLstm(const Node& node, Lowering& lower, const FullLstmOptions& options);

}  // namespace tern::gpu

#endif  // TERN_OPS_LSTM_FULL_LSTM_GPU_H_
