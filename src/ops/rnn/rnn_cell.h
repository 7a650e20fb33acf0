// SPDX-License-Identifier: Apache-2.0
// A plain recurrent cell: h = activation(W x + R h + b), with float or 8-bit weights.
#ifndef TERN_OPS_RNN_RNN_CELL_H_
#define TERN_OPS_RNN_RNN_CELL_H_

#include "ops/cpu_kit/recurrent.h"
#include "ops/rnn/rnn_rules.h"

namespace tern {

class RnnCell {
 public:
  // `aux` null: the cell has no second input.
  Status Prepare(const OpCall& call, const RnnLayout& layout, const TfLiteTensor* input,
                 const TfLiteTensor* aux, int64_t batch);

  struct Options {
    TfLiteFusedActivation activation;
    bool asymmetric_quantize_inputs;
    bool fast;  // products and float activations are those of vectors
  };
  // Packs constant weights for runs of this shape.
  void Pack(const OpCall& call, const SequenceShape& shape, bool fast, ThreadPool* pool);
  // The run's `aux` is null without a second input.
  Status Eval(const OpCall& call, const SequenceRun<float>& run, const Options& options,
              ThreadPool* pool);

  int64_t units() const { return units_; }

 private:
  Status SetWeights(const OpCall& call);
  // Returns the items of each part of the batch.
  int64_t PackWeights(const SequenceShape& shape, bool fast, ThreadPool* pool);

  RnnLayout layout_{};
  int64_t inputs_ = 0, aux_inputs_ = 0, units_ = 0;
  // The memory of a run of some items of the batch.
  struct Part {
    ProductRows rows;
    std::vector<float> sums, copy;  // [steps of a block, items, units]; rows of an input
  };
  MixedMatrix weights_, recurrent_, aux_;
  std::vector<Part> parts_;
};

}  // namespace tern

#endif  // TERN_OPS_RNN_RNN_CELL_H_
