// SPDX-License-Identifier: Apache-2.0
// The product's table of lowerings, which counts.
#ifndef TERN_GPU_TESTING_COUNTING_TABLE_H_
#define TERN_GPU_TESTING_COUNTING_TABLE_H_

#include <map>
#include <string>

#include "gpu/lower/lowering_table.h"
#include "ops/gpu_registry.h"

namespace tern::gpu {

class CountingTable : public LoweringTable {
 public:
  const OpTraits* Find(const Node& node) const override { return GpuLoweringTable().Find(node); }
  LowerFunction FindLowering(const Node& node) const override {
    ++counts[Label(node)];
    return GpuLoweringTable().FindLowering(node);
  }
  absl::Status WriteConstant(const Node& node, int output, Lowering& lower) const override {
    return GpuLoweringTable().WriteConstant(node, output, lower);
  }

  // How often the lowering of a node was asked for, by its label.
  mutable std::map<std::string, int> counts;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_TESTING_COUNTING_TABLE_H_
