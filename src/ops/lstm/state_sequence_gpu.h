// SPDX-License-Identifier: Apache-2.0
// Parts that recurrent cells share on the GPU: a tensor of their states at every time step, and
// products of it with constant matrices.
#ifndef TERN_OPS_LSTM_STATE_SEQUENCE_GPU_H_
#define TERN_OPS_LSTM_STATE_SEQUENCE_GPU_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/tensor/shape_math.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// How a sequence lies in a tensor: [batch, time, size], [time, batch, size], or [batch, size] of
// one step, which counts as time-major.
struct SequenceOrder {
  int64_t time = 1, batch = 1;
  bool time_major = true;
  bool backward = false;  // the last step first

  // Where step i lies.
  int64_t Place(int64_t i) const { return backward ? time - 1 - i : i; }
};

// Of a tensor of rank 2 or 3.
SequenceOrder OrderOf(const Shape& shape, bool time_major);

// Entry t holds the states before time step t, a row for each entry of the batch; step t writes
// entry t + 1. The parts of a row begin with slices of their own; lanes after a part are finite.
class StateSequence {
 public:
  StateSequence(const Node& node, Lowering& lower, const SequenceOrder& order,
                std::vector<int64_t> parts);

  TensorId tensor() const { return tensor_; }
  const SequenceOrder& order() const { return order_; }
  int FirstSlice(size_t part) const { return first_[part]; }

  // The first time step of a part, from an operand [batch, size].
  absl::Status Begin(size_t part, int operand);
  // The last time step of a part, to an output [batch, size].
  absl::Status End(size_t part, int output);
  // A part after every step, to an output that holds a sequence, from its channel `channel` on.
  absl::Status Give(size_t part, int output, int64_t channel);

 private:
  int64_t Channels() const;

  const Node& node_;
  Lowering& lower_;
  SequenceOrder order_;
  std::vector<int64_t> parts_;
  std::vector<int> first_;
  TensorId tensor_ = -1;
};

// Operands of matrices [units, columns] side by side, each with a bias [units], or without (-1).
struct StackedMatrix {
  struct Part {
    int weights, bias;
  };
  std::vector<Part> parts;
  int64_t columns = 0, units = 0;
};

// A refusal of matrices that are not constants that the GPU reads.
absl::Status CheckConstants(const Node& node, const Lowering& lower, const StackedMatrix& matrix);

// Every row of an operand of rank 2 or 3 times the matrices, plus `added` (-1: none): a tensor of
// the operand's pixels, in which each part begins with a slice of its own.
absl::StatusOr<TensorId> EmitRowProducts(const Node& node, Lowering& lower, int rows,
                                         const StackedMatrix& matrix, TensorId added);

// A refusal of an output that is not like input 0 with rows of `size`.
absl::Status CheckRows(const Node& node, const Lowering& lower, int output, int64_t size);

// "weights" of products with states, part after part.
void AddStepWeights(const StackedMatrix& matrix, const Lowering& lower, DispatchBuilder& dispatch);

// Work-items that share the sums over so many slices.
int ItemsOver(const Lowering& lower, int slices);

// How the steps of a cell are launched: each alone or, of a small cell, many at once, by one
// work-group for each row of the batch that keeps the state in local memory.
struct CellLaunch {
  bool sequence = false;  // many at once
  int64_t steps = 1;      // of one launch
  int items = 1;          // share the sums of a slice
  int blocks = 1;         // slices of the cell

  // Everything that a kernel of the cell knows of its steps, from `step` on, and its work-groups,
  // of which an item has `sums` sums.
  void Add(const SequenceOrder& order, int64_t step, int sums, DispatchBuilder& dispatch) const;
};

// Of a cell whose `blocks` slices read as many of its state, and which has `sums` sums for each.
CellLaunch LaunchOf(const Lowering& lower, const SequenceOrder& order, int blocks, int sums);

// The activations that cells run with on the GPU are TANH or bounds.
bool HasCellActivation(TfLiteFusedActivation activation);
// "TANH", "BOUNDS", "lowest" and "highest" of a kernel.
void AddActivation(TfLiteFusedActivation activation, DispatchBuilder& dispatch);

// A part of the state times the matrix [units, size of the part] of operand `weights`.
struct StateProduct {
  int weights = 0, bias = -1;
  int64_t units = 0;
  size_t from = 0;  // part; results go to part 0 of line step + 1
  int64_t from_size = 0;
  // Of EmitRowProducts, in place of the bias: then the part is that of line `step`, else that of
  // the line where the results go.
  TensorId pre = -1;
  TfLiteFusedActivation activation = kTfLiteActNone;
  float limit = 0;  // above 0: of results, in place of the activation
  // Results are such numbers, in place of the activation; `limit` is then one of their elements, as
  // on the CPU.
  std::optional<QuantizedType> quantization = {};
};
absl::Status EmitStateProduct(const Node& node, Lowering& lower, const StateSequence& states,
                              const StateProduct& product, const CellLaunch& launch, int64_t step);

}  // namespace tern::gpu

#endif  // TERN_OPS_LSTM_STATE_SEQUENCE_GPU_H_
