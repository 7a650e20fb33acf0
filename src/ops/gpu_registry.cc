// SPDX-License-Identifier: Apache-2.0
// op_list.inc as a table from operation to lowering and traits.
#include "ops/gpu_registry.h"

#include <map>

#include "ops/elementwise/signs_gpu.h"
#include "ops/gpu_op.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {

#define OP(builtin, name, ...) GpuOp name##Gpu();
#define CPU_OP(...)
#include "ops/op_list.inc"

namespace {

class Table : public LoweringTable {
 public:
  Table() {
#define OP(builtin, name, ...) ops_[kTfLiteBuiltin##name] = name##Gpu();
#define CPU_OP(...)
#include "ops/op_list.inc"
  }

  LowerFunction FindLowering(const Node& node) const override {
    const auto op = ops_.find(node.builtin_code);
    return op == ops_.end() ? nullptr : op->second.lower;
  }

  const OpTraits* Find(const Node& node) const override {
    const auto op = ops_.find(node.builtin_code);
    return op == ops_.end() ? nullptr : &op->second.traits;
  }

  absl::Status ExtendSigns(const Node& node, int output, Lowering& lower) const override {
    return EmitSigns(node, output, lower);
  }

 private:
  std::map<int, GpuOp> ops_;
};

}  // namespace

const LoweringTable& GpuLoweringTable() {
  static const Table* table = new Table;
  return *table;
}

}  // namespace tern::gpu
