// SPDX-License-Identifier: Apache-2.0
// Operands and products of recurrent layers.
#include "ops/cpu_kit/recurrent.h"

#include <algorithm>

#include "cpu/float_rows.h"
#include "cpu/matmul.h"
#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/integer_dot.h"
#include "ops/cpu_kit/quantized.h"

namespace tern {

StatusOr<SequenceShape> SequenceShapeOf(const TfLiteTensor* input, bool time_major) {
  TERN_RETURN_IF_ERROR(CheckRank(input, 3, "input"));
  return SequenceShape{Dim(input, time_major ? 0 : 1), Dim(input, time_major ? 1 : 0), time_major};
}

TfLiteTensor* StateAt(const OpCall& call, int i) {
  const TfLiteTensor* tensor = call.input(i);
  return tensor == nullptr ? nullptr : &call.context()->tensors[call.node()->inputs->data[i]];
}

Status CheckState(const TfLiteTensor* state, TfLiteType type, int64_t elements, const char* what) {
  if (state == nullptr) return Invalid(what, " is missing");
  if (!state->is_variable) return Invalid(what, " must be a variable");
  TERN_RETURN_IF_ERROR(CheckType(state, type, what));
  if (Elements(state) == elements) return OkStatus();
  return Invalid(what, " has the shape ", ShapeText(ShapeOf(state)), ", expected ", elements,
                 " elements");
}

Status CheckShape(const TfLiteTensor* t, const Shape& want, const char* what) {
  if (ShapeOf(t) == want) return OkStatus();
  return Invalid(what, " has the shape ", ShapeText(ShapeOf(t)), ", expected ", ShapeText(want));
}

void SetRow(const float* values, int64_t size, RowForm form, bool fast, ProductInput& row) {
  row.values = values;
  row.size = size;
  row.fast = fast;
  if (form == RowForm::kFloat) return;
  const bool symmetric = form == RowForm::kSymmetric;
  if (fast && SuitsByteDots(size)) {
    QuantizeItemsToBytes(values, 1, size, symmetric, row.quantized, nullptr);
  } else {
    QuantizeItems(values, 1, size, symmetric, row.quantized);
  }
}

StatusOr<MixedMatrix> MixedMatrix::Of(const TfLiteTensor* tensor, const char* what) {
  MixedMatrix matrix;
  matrix.tensor_ = tensor;
  if (tensor == nullptr || tensor->type == kTfLiteFloat32) return matrix;
  TERN_ASSIGN_OR_RETURN(const Quantization q, QuantizationOf(tensor, what));
  matrix.scale_ = q.scale;
  return matrix;
}

namespace {

bool AddFastProduct(const ProductInput& v, const float* data, int64_t rows, float* to) {
  constexpr int64_t kSome = 64;
  float sums[kSome];
  for (int64_t r = 0; r < rows; r += kSome) {
    const int64_t count = std::min(kSome, rows - r);
    if (!DotColumns(v.values, data + r * v.size, v.size, count, sums)) return false;
    for (int64_t i = 0; i < count; ++i) to[r + i] += sums[i];
  }
  return true;
}

}  // namespace

void MixedMatrix::AddProduct(const ProductInput& v, int64_t rows, float* to) const {
  if (is_float()) {
    const float* data = Data<float>(tensor_);
    if (v.fast && AddFastProduct(v, data, rows, to)) return;
    for (int64_t r = 0; r < rows; ++r) {
      to[r] += static_cast<float>(Dot(data + r * v.size, v.values, v.size));
    }
    return;
  }
  const int8_t* data = Data<int8_t>(tensor_);
  const float scale = v.quantized.scale[0] * scale_;
  const auto add = [&](const auto& b) {
    for (int64_t i = 0; i < b.columns; ++i) {
      to[b.first_column + i] += static_cast<float>(b.sums[i]) * scale;
    }
  };
  if (v.fast && SuitsByteDots(v.size)) {
    ForEachByteDotRun(
        1, rows, v.size, v.quantized.bytes.data(),
        [&](int64_t) { return v.quantized.zero_point[0]; }, data, nullptr, add);
  } else {
    ForEachDotRun(1, rows, v.size, v.quantized.values.data(), data, v.fast, nullptr, add);
  }
}

void ActivateRow(TfLiteFusedActivation activation, bool fast, int64_t count, float* row) {
  const FloatRow form = !fast                             ? nullptr
                        : activation == kTfLiteActTanh    ? FastFunction(FloatFunction::kTanh)
                        : activation == kTfLiteActSigmoid ? FastFunction(FloatFunction::kLogistic)
                                                          : nullptr;
  if (form != nullptr) return form(row, row, count, 0);
  for (int64_t i = 0; i < count; ++i) row[i] = Activate(activation, row[i]);
}

}  // namespace tern
