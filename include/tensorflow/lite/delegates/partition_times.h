// SPDX-License-Identifier: Apache-2.0
// The time of delegates for their parts of a graph, beside that of the CPU for the same nodes. An
// extension of this library.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_PARTITION_TIMES_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_PARTITION_TIMES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/interpreter.h"

namespace tern {

// A part of the primary subgraph that a delegate runs. Times are of one run, medians over the
// measured ones; the delegate's has its copies of tensors in it.
struct PartitionTimes {
  std::vector<int> nodes;  // indices before delegation
  int64_t delegate_us = 0;
  int64_t cpu_us = 0;
};

// Runs an allocated interpreter 1 + `runs` times (1 to 1000) with its delegates and as often
// without, with the inputs that it has. The delegates are then gone. `then` gets what was measured
// and may apply delegates again; after it tensors are allocated, the inputs have their contents and
// variables are reset. Pointers to tensors' data from before are no longer valid. The first status
// of a step that is not ok; kTfLiteApplicationError for null or `runs` out of range.
TfLiteStatus MeasurePartitions(
    tflite::Interpreter* interpreter, int runs,
    const std::function<TfLiteStatus(const std::vector<PartitionTimes>& partitions)>& then);

}  // namespace tern

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_PARTITION_TIMES_H_
