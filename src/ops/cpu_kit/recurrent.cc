// SPDX-License-Identifier: Apache-2.0
// Operands and products of recurrent layers.
#include "ops/cpu_kit/recurrent.h"

#include "cpu/float_rows.h"
#include "ops/cpu_kit/dot.h"
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

Status MixedMatrix::Set(const TfLiteTensor* tensor, const char* what) {
  tensor_ = tensor;
  packed_ = nullptr;
  if (tensor == nullptr || is_float()) return OkStatus();
  TERN_ASSIGN_OR_RETURN(const Quantization q, QuantizationOf(tensor, what));
  scale_ = q.scale;
  return OkStatus();
}

void MixedMatrix::Pack(int64_t rows, ThreadPool* pool) {
  if (!present() || !is_float() || Rank(tensor_) != 2 || rows * Elements(tensor_) == 0) return;
  packed_ = product_.PackMatrix(MatrixShape(rows, Dim(tensor_, 1), Dim(tensor_, 0)),
                                {Data<float>(tensor_), nullptr, IsConstant(tensor_)}, pool);
}

void MixedMatrix::AddProduct(ProductRows& v, float* to, ThreadPool* pool) const {
  const int64_t columns = Dim(tensor_, 0);
  if (v.count * v.size * columns == 0) return;
  if (!is_float()) {
    if (!v.is_quantized) v.quantized.Set(v.values, v.count, v.size, v.symmetric, v.fast, pool);
    v.is_quantized = true;
    return v.quantized.AddProduct(Data<int8_t>(tensor_), scale_, columns, to, pool);
  }
  v.sums.resize(static_cast<size_t>(v.count * columns));
  v.stage.output = v.sums.data();
  v.stage.columns = columns;
  MultiplyRows(packed_, v.fast, {MatrixShape(v.count, v.size, columns), v.values},
               {Data<float>(tensor_), nullptr, IsConstant(tensor_)}, v.stage, pool);
  for (size_t i = 0; i < v.sums.size(); ++i) to[i] += v.sums[i];
}

void FillRows(const float* values, int64_t rows, int64_t size, float* to) {
  if (values == nullptr) {
    std::fill_n(to, rows * size, 0.0f);
  } else {
    for (int64_t r = 0; r < rows; ++r) std::copy_n(values, size, to + r * size);
  }
}

void ActivateAll(TfLiteFusedActivation activation, bool fast, int64_t count, float* values) {
  const FloatRow form = !fast                             ? nullptr
                        : activation == kTfLiteActTanh    ? FastFunction(FloatFunction::kTanh)
                        : activation == kTfLiteActSigmoid ? FastFunction(FloatFunction::kLogistic)
                                                          : nullptr;
  if (form != nullptr) return form(values, values, count, 0);
  for (int64_t i = 0; i < count; ++i) values[i] = Activate(activation, values[i]);
}

}  // namespace tern
