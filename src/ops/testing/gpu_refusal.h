// SPDX-License-Identifier: Apache-2.0
// Why the GPU leaves a node of a graph built by hand to the CPU.
#ifndef TERN_OPS_TESTING_GPU_REFUSAL_H_
#define TERN_OPS_TESTING_GPU_REFUSAL_H_

#include <string>

#include "gpu/compile.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::testing {

// Returns the refusal of the first node on a device without limits.
inline absl::Status CheckFirst(gpu::GraphBuilder& b) {
  return gpu::Compile(b.graph(), gpu::DeviceInfo{}, gpu::GpuLoweringTable(), {}).status();
}

// Returns that refusal in words; empty when the device takes the node.
inline std::string RefusalOf(gpu::GraphBuilder& b) { return std::string(CheckFirst(b).message()); }

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_GPU_REFUSAL_H_
