// SPDX-License-Identifier: Apache-2.0
// From the runtime's tensors and nodes to a gpu::Graph. Nothing here knows an operation.
#ifndef TERN_DELEGATE_READ_PARTITION_H_
#define TERN_DELEGATE_READ_PARTITION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/graph/graph.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

// What a delegate kernel replaces, as the runtime cut it. Copied, because the runtime's own lists
// live only until the next preview.
struct Partition {
  std::vector<int> nodes;    // in execution order
  std::vector<int> inputs;   // tensors, constants included
  std::vector<int> outputs;  // tensors

  friend bool operator==(const Partition&, const Partition&) = default;
};

Partition PartitionOf(const TfLiteDelegateParams& params);

// All tensors of a subgraph; the ids are those of the runtime. Constant data stays the runtime's
// and is valid while the delegate is being applied.
// What DEQUANTIZE makes of a constant is a constant, too: of the type it is stored in. With
// `quantized` tensors of 8 and 16 bits with one scale are FLOAT32 tensors that know what they are
// at the API, and constants beside them are FLOAT32, too.
std::vector<gpu::GraphTensor> ReadTensors(TfLiteContext* context, bool quantized);

// One node with its parameters by pointer.
absl::StatusOr<gpu::Node> ReadNode(TfLiteContext* context, int index);

// Whether the tensors of a node can live on the GPU at all: static float tensors and constants
// whose bytes fit their shape; of variables it may read `variables`. With `quantized` what is known
// may have 8 or 16 bits. The text says which tensor does not.
absl::Status CheckTensors(const TfLiteContext& context,
                          const std::vector<gpu::GraphTensor>& tensors, const gpu::Node& node,
                          const std::vector<int>& variables, bool quantized);

// The graph of a partition. Its inputs are those of the partition that are not constant.
absl::StatusOr<gpu::Graph> ReadPartition(TfLiteContext* context,
                                         const std::vector<gpu::GraphTensor>& tensors,
                                         const Partition& partition);

// "CONV_2D", or the name of a custom operation.
std::string OpName(const TfLiteRegistration& registration);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_READ_PARTITION_H_
