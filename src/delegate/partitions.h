// SPDX-License-Identifier: Apache-2.0
// Which connected parts of a graph go to the GPU, and the compiled form of each. All compiling
// happens here, before the runtime is asked to replace anything: what fails stays on the CPU.
#ifndef TERN_DELEGATE_PARTITIONS_H_
#define TERN_DELEGATE_PARTITIONS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "delegate/read_partition.h"
#include "delegate/report.h"
#include "delegate/supported_nodes.h"
#include "gpu/backends/backend_list.h"
#include "gpu/compile.h"
#include "gpu/device/executor.h"

namespace tern::delegate {

struct Target {
  gpu::OpenedDevice opened;
  const gpu::LoweringTable* table = nullptr;
  gpu::CompileOptions options;
  Listing* listing = nullptr;  // filled where it is given
};

struct CompiledPartition {
  Partition partition;
  std::vector<int> inputs;  // those of the partition that are not constant
  std::unique_ptr<gpu::Executor> executor;
};

// The `most` largest partitions that compile. Nodes of those that do not move from
// support->supported to support->refused, with one warning for each partition. The runtime cuts
// exactly these when all their nodes are replaced. Error: the runtime cannot preview.
absl::StatusOr<std::vector<CompiledPartition>> ChoosePartitions(
    TfLiteContext* context, const std::vector<gpu::GraphTensor>& tensors, const Target& target,
    int most, NodeSupport* support);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_PARTITIONS_H_
