// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP: ids [n] (INT32) and a table [rows, ...] -> the rows that the ids name. An
// integer table with a float output holds numbers times a scale: one, one per row, or one per block
// of a row. Other rows are copied, bytes also from UINT8 to INT8 and back.
#include <cstring>

#include "base/tensor/half.h"
#include "ops/cpu_kit/block_scales.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/small_integers.h"
#include "ops/cpu_registry.h"
#include "ops/gather/gather_rules.h"

namespace tern {
namespace {

class EmbeddingLookup : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "EMBEDDING_LOOKUP"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  int64_t MaxInputElements() const override { return kMaxTableElements; }
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }
};

// Scales of a table by row and block; `columns` numbers per row.
class TableScales {
 public:
  static StatusOr<TableScales> Of(const OpCall& call, const TfLiteTensor* table, int64_t columns);
  float At(int64_t row, int64_t column) const {
    if (affine_ == nullptr) return blocks_.At(row, column / blocks_.block());
    return affine_->data[affine_->size == 1 ? 0 : row];
  }

 private:
  const TfLiteFloatArray* affine_ = nullptr;
  BlockScales blocks_;
};

StatusOr<TableScales> TableScales::Of(const OpCall& call, const TfLiteTensor* table,
                                      int64_t columns) {
  TableScales scales;
  if (HasBlocks(table)) {
    TERN_ASSIGN_OR_RETURN(scales.blocks_,
                          BlockScales::Of(call, table, Dim(table, 0), columns, "table"));
    return scales;
  }
  const TfLiteQuantization& q = table->quantization;
  if (q.type != kTfLiteAffineQuantization || q.params == nullptr) {
    return Invalid("a table of type ", TypeText(table->type), " has no scales");
  }
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(q.params);
  scales.affine_ = affine->scale;
  const int count = affine->scale == nullptr ? 0 : affine->scale->size;
  if (count == 1 || (count > 1 && count == Dim(table, 0) && affine->quantized_dimension == 0)) {
    return scales;
  }
  return Unsupported("the table needs one scale, or one per row (", count, " scales, ",
                     Dim(table, 0), " rows)");
}

Status CopyRow(const TfLiteTensor* table, int64_t row, int64_t columns, int64_t to,
               TfLiteTensor* output) {
  const int64_t bytes = columns * ElementBytes(table->type);
  if (bytes > 0) {
    std::memcpy(output->data.raw + to * bytes, table->data.raw_const + row * bytes,
                static_cast<size_t>(bytes));
  }
  return OkStatus();
}

// Whether rows become real values.
bool IsScaled(const TfLiteTensor* table, const TfLiteTensor* output) {
  return (output->type == kTfLiteFloat32 || output->type == kTfLiteFloat16) &&
         SmallIntegerBits(table->type) > 0;
}

bool IsByte(TfLiteType type) { return type == kTfLiteInt8 || type == kTfLiteUInt8; }

Status EmbeddingLookup::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  const TfLiteTensor *ids = call.input(0), *table = call.input(1), *output = call.output(0);
  TERN_RETURN_IF_ERROR(CheckType(ids, kTfLiteInt32, "ids"));
  TERN_RETURN_IF_ERROR(CheckRank(ids, 1, "ids"));
  if (Rank(table) < 2) return Invalid("the table needs a rank of at least 2 (", Rank(table), ")");
  if (!IsScaled(table, output) && !(IsByte(table->type) && IsByte(output->type))) {
    TERN_RETURN_IF_ERROR(CheckSameType(table, output, "table and output"));
    if (ElementBytes(table->type) == 0) {
      return Unsupported("type ", TypeText(table->type), " is not supported yet (table)");
    }
  }
  Shape shape = ShapeOf(table);
  shape[0] = Dim(ids, 0);
  return call.SetShape(call.output(0), shape);
}

Status EmbeddingLookup::Eval(const OpCall& call) {
  const TfLiteTensor *ids = call.input(0), *table = call.input(1);
  TfLiteTensor* output = call.output(0);
  TERN_RETURN_IF_ERROR(CheckData(ids, "ids"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  int64_t columns = 1;
  for (int i = 1; i < Rank(table); ++i) columns *= Dim(table, i);
  const bool scaled = IsScaled(table, output);
  TableScales scales;
  if (scaled) {
    TERN_ASSIGN_OR_RETURN(scales, TableScales::Of(call, table, columns));
  }
  TERN_RETURN_IF_ERROR(CheckData(table, "table"));
  const int bits = SmallIntegerBits(table->type);
  for (int64_t i = 0; i < Dim(ids, 0); ++i) {
    const int64_t row = Data<int32_t>(ids)[i];
    TERN_RETURN_IF_ERROR(CheckIndex(row, Dim(table, 0)));
    if (!scaled) {
      TERN_RETURN_IF_ERROR(CopyRow(table, row, columns, i, output));
      continue;
    }
    for (int64_t c = 0; c < columns; ++c) {
      const float value =
          static_cast<float>(SmallIntegerAt(table->data.uint8, row * columns + c, bits)) *
          scales.At(row, c);
      if (output->type == kTfLiteFloat16) {
        MutableData<uint16_t>(output)[i * columns + c] = FloatToHalf(value);
      } else {
        MutableData<float>(output)[i * columns + c] = value;
      }
    }
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration EmbeddingLookupRegistration(OpForm form) {
  return MakeRegistration<EmbeddingLookup>(form);
}

}  // namespace tern
