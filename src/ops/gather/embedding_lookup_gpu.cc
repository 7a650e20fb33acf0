// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP on the GPU. A table of integers with scales lies in memory as the numbers that
// it stands for.
#include "base/status.h"
#include "ops/gather/gather_rules.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

constexpr int kIds = 0, kTable = 1;

bool IsSmallInteger(TfLiteType type) {
  return type == kTfLiteInt8 || type == kTfLiteUInt8 || type == kTfLiteInt4;
}

absl::Status CheckIds(const Node& node, const Lowering& lower, int64_t rows) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* ids, lower.Input(node, kIds));
  if (ids->type != kTfLiteInt32 || ids->dims.size() != 1) {
    return lower.Unsupported(node,
                             StrCat("ids of type ", TfLiteTypeGetName(ids->type), " and rank ",
                                    ids->dims.size(), ", not INT32 and 1"),
                             {Reason::kTensorType});
  }
  if (!ids->is_constant()) return absl::OkStatus();
  TERN_ASSIGN_OR_RETURN(const Shape known, lower.Ints(node, kIds));
  for (const int64_t id : known) {
    const Status status = CheckIndex(id, rows);
    if (!status.ok()) return lower.Unsupported(node, Message(status));
  }
  return absl::OkStatus();
}

// The table as a constant of whole slices. Its bytes are signed, whatever its type says.
absl::Status BindPacked(const Node& node, Lowering& lower, DispatchBuilder& dispatch) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* table, lower.Input(node, kTable));
  TERN_RETURN_IF_ERROR(lower.CheckNumbers(node, kTable));
  const AffineQuantization* q = table->affine();  // null where scales belong to blocks
  if (q != nullptr && q->scales.size() > 1 && q->axis != 0) {
    return lower.Unsupported(node, StrCat("scales along dimension ", q->axis, ", not 0"),
                             {Reason::kQuantization});
  }
  const Box box = table->box();
  dispatch.ConstantBox("table", kTable, {box.b * box.h * box.w, 1, 1, box.c}, Decoding::kWeights);
  return absl::OkStatus();
}

absl::Status LowerEmbeddingLookup(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* table, lower.Input(node, kTable));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* ids, lower.Input(node, kIds));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  Shape to = ShapeOf(*table);
  if (to.size() < 2) return lower.Unsupported(node, StrCat("a table of rank ", to.size()));
  const int64_t rows = to[0];
  TERN_RETURN_IF_ERROR(CheckIds(node, lower, rows));
  to[0] = ids->box().elements();
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, to));
  const Box box = out->box();
  if (rows == 0 && box.elements() > 0) return lower.Unsupported(node, "the table has no rows");
  const bool packed = table->is_constant() && IsSmallInteger(table->type);
  // After fused steps the output is what the last of them makes.
  const bool fits = packed ? out->type == kTfLiteFloat32 || out->type == kTfLiteFloat16
                           : out->type == table->type;
  if (node.epilogue.empty() && !fits)
    return lower.Unsupported(node, DifferentTypes(*table, *out), {Reason::kTensorType});
  int64_t pixels = 1;  // of a row
  for (size_t d = 1; d + 1 < to.size(); ++d) pixels *= to[d];
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::embedding_lookup);
  dispatch.Read("ids", kIds).Write("dst", 0).Define("PACKED", packed);
  if (packed) {
    TERN_RETURN_IF_ERROR(BindPacked(node, lower, dispatch));
  } else {
    dispatch.Read("table", kTable);
  }
  dispatch.Int("rows", rows).Int("row_pixels", pixels);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace

GpuOp EmbeddingLookupGpu() {
  return {.lower = LowerEmbeddingLookup,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
