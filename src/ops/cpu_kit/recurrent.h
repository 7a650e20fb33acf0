// SPDX-License-Identifier: Apache-2.0
// Parts that recurrent layers share: sequences, activations, and products of float vectors with
// matrices of float or 8-bit weights.
#ifndef TERN_OPS_CPU_KIT_RECURRENT_H_
#define TERN_OPS_CPU_KIT_RECURRENT_H_

#include <cmath>
#include <vector>

#include "ops/cpu_kit/dynamic_range.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

// A sequence of rows of a [time, batch, size] or [batch, time, size] tensor.
struct SequenceShape {
  int64_t time = 1, batch = 1;
  bool time_major = true;
  int64_t Row(int64_t t, int64_t b) const { return time_major ? t * batch + b : b * time + t; }
};

// Of an input of rank 3.
StatusOr<SequenceShape> SequenceShapeOf(const TfLiteTensor* input, bool time_major);

// The data that goes through a cell: rows of the input, at the same place rows of the auxiliary
// input (may be null), and rows of the output, `output_stride` elements apart.
template <class T>
struct SequenceRun {
  SequenceShape shape;
  const T* input;
  const T* aux;
  T* output;
  int64_t output_stride;
  bool backward = false;  // the last step first
  int64_t Row(int64_t i, int64_t b) const {
    return shape.Row(backward ? shape.time - 1 - i : i, b);
  }
};

// The tensor behind an input, for writing; null when it is missing.
TfLiteTensor* StateAt(const OpCall& call, int i);

// A variable of this type and size.
Status CheckState(const TfLiteTensor* state, TfLiteType type, int64_t elements, const char* what);

Status CheckShape(const TfLiteTensor* t, const Shape& want, const char* what);

// A vector on its way into products, with what 8-bit weights want.
struct ProductInput {
  const float* values = nullptr;
  int64_t size = 0;
  bool fast = false;  // products are those of vectors
  QuantizedItems quantized;
};

// How vectors are made integers.
enum class RowForm { kFloat, kSymmetric, kAsymmetric };
void SetRow(const float* values, int64_t size, RowForm form, bool fast, ProductInput& row);

// A matrix (or vector) of float weights, or of 8-bit ones with one scale.
class MixedMatrix {
 public:
  // Null is no matrix.
  static StatusOr<MixedMatrix> Of(const TfLiteTensor* tensor, const char* what);

  bool present() const { return tensor_ != nullptr; }
  bool is_float() const { return tensor_->type == kTfLiteFloat32; }
  // UINT8 weights hold signed bytes, too.
  float At(int64_t i) const {
    return is_float() ? Data<float>(tensor_)[i]
                      : scale_ * static_cast<float>(Data<int8_t>(tensor_)[i]);
  }
  // to[r] += row r times v, for each of the `rows`.
  void AddProduct(const ProductInput& v, int64_t rows, float* to) const;

 private:
  const TfLiteTensor* tensor_ = nullptr;
  float scale_ = 1;
};

// ---- activations: recurrent layers apply every kind of fused activation

inline float LogisticOf(float v) {
  // The exponent stays finite, and the result keeps its precision, on both sides.
  if (v >= 0) return 1.0f / (1.0f + std::exp(-v));
  const float e = std::exp(v);
  return e / (1.0f + e);
}

inline float Activate(TfLiteFusedActivation activation, float v) {
  switch (activation) {
    case kTfLiteActTanh:
      return std::tanh(v);
    case kTfLiteActSigmoid:
      return LogisticOf(v);
    case kTfLiteActSignBit:
      return std::signbit(v) ? 1.0f : 0.0f;
    default:
      return ActivationRange(activation).Clamp(v);
  }
}

// Activate of each of a row's numbers, in place; by vectors where that is an optimized kernel.
void ActivateRow(TfLiteFusedActivation activation, bool fast, int64_t count, float* row);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_RECURRENT_H_
