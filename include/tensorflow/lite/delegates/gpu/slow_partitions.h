// SPDX-License-Identifier: Apache-2.0
// Parts of a graph that a GPU runs slower than the CPU go back to the CPU. An extension of this
// library. C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_SLOW_PARTITIONS_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_SLOW_PARTITIONS_H_

#include <vector>

#include "tensorflow/lite/delegates/gpu/node_lists.h"
#include "tensorflow/lite/delegates/partition_times.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern {

// Measures each part that the GPU has of the primary subgraph over `runs` runs (MeasurePartitions,
// which says what it needs and leaves), tells those that took longer there in a warning each, has
// the delegate leave their nodes to the CPU, and applies it once more. Whoever calls it once, after
// the first allocation, with inputs as they will be, gets a graph whose parts are each faster on
// the GPU, on this device. `measured`, unless null, gets what was measured.
inline TfLiteStatus DropSlowGpuPartitions(tflite::Interpreter* interpreter,
                                          TfLiteDelegate* delegate, int runs,
                                          std::vector<PartitionTimes>* measured = nullptr) {
  return MeasurePartitions(interpreter, runs, [&](const std::vector<PartitionTimes>& partitions) {
    if (measured != nullptr) *measured = partitions;
    for (const PartitionTimes& part : partitions) {
      if (part.delegate_us <= part.cpu_us) continue;
      TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING,
                      "GPU: nodes %d to %d (%d of them) took %lld us there and %lld us on the CPU, "
                      "where they stay from now on",
                      part.nodes.front(), part.nodes.back(), static_cast<int>(part.nodes.size()),
                      static_cast<long long>(part.delegate_us),
                      static_cast<long long>(part.cpu_us));
      const TfLiteStatus left =
          TfLiteGpuDelegateV2LeaveToCpu(delegate, part.nodes.data(), part.nodes.size());
      if (left != kTfLiteOk) return left;
    }
    return interpreter->ModifyGraphWithDelegate(delegate);
  });
}

}  // namespace tern

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_SLOW_PARTITIONS_H_
