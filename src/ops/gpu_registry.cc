// SPDX-License-Identifier: Apache-2.0
// op_table.inc as a table from operation to lowering and traits.
#include "ops/gpu_registry.h"

#include <map>
#include <string>

#include "ops/gpu_kit/constant_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {

#define OP(builtin, name, ...) GpuOp name##Gpu();
#define CPU_OP(...)
#define CUSTOM_OP(code, name, ...) GpuOp name##Gpu();
#define CPU_CUSTOM_OP(...)
#include "abi/op_table.inc"
GpuOp FakeQuantizeGpu();
GpuOp PackElementsGpu();
GpuOp UnpackElementsGpu();
GpuOp ReinterpretGpu();
GpuOp SignExtendGpu();
GpuOp CopyGpu();

namespace {

class Table : public LoweringTable {
 public:
  Table() {
#define OP(builtin, name, ...) ops_[kTfLiteBuiltin##name] = name##Gpu();
#define CPU_OP(...)
#define CUSTOM_OP(code, name, ...) custom_[code] = name##Gpu();
#define CPU_CUSTOM_OP(...)
#include "abi/op_table.inc"
  }

  LowerFunction FindLowering(const Node& node) const override {
    const GpuOp* op = FindOp(node);
    return op == nullptr ? nullptr : op->lower;
  }

  const OpTraits* Find(const Node& node) const override {
    const GpuOp* op = FindOp(node);
    return op == nullptr ? nullptr : &op->traits;
  }

  absl::Status WriteConstant(const Node& node, int output, Lowering& lower) const override {
    return EmitConstant(node, output, lower);
  }

 private:
  template <class Key>
  static const GpuOp* FindIn(const std::map<Key, GpuOp>& ops, const Key& key) {
    const auto op = ops.find(key);
    return op == ops.end() ? nullptr : &op->second;
  }
  const GpuOp* FindOp(const Node& node) const {
    if (node.internal != InternalOp::kNone) return FindIn(internal_, node.internal);
    if (node.builtin_code == kTfLiteBuiltinCustom) return FindIn(custom_, node.op);
    return FindIn(ops_, node.builtin_code);
  }

  std::map<int, GpuOp> ops_;
  std::map<std::string, GpuOp> custom_;
  const std::map<InternalOp, GpuOp> internal_ = {
      {InternalOp::kFakeQuantize, FakeQuantizeGpu()},
      {InternalOp::kPackElements, PackElementsGpu()},
      {InternalOp::kUnpackElements, UnpackElementsGpu()},
      {InternalOp::kReinterpret, ReinterpretGpu()},
      {InternalOp::kSignExtend, SignExtendGpu()},
      {InternalOp::kCopy, CopyGpu()},
  };
};

}  // namespace

const LoweringTable& GpuLoweringTable() {
  static const Table* table = new Table;
  return *table;
}

}  // namespace tern::gpu
