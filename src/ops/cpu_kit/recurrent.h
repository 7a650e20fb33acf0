// SPDX-License-Identifier: Apache-2.0
// Parts that recurrent layers share: sequences, activations, and products of float rows with
// matrices of float or 8-bit weights.
#ifndef TERN_OPS_CPU_KIT_RECURRENT_H_
#define TERN_OPS_CPU_KIT_RECURRENT_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/matmul.h"
#include "ops/cpu_kit/dynamic_range.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

// A sequence of rows of a [time, batch, size] or [batch, time, size] tensor.
struct SequenceShape {
  int64_t time = 1, batch = 1;
  bool time_major = true;
  int64_t Row(int64_t t, int64_t b) const { return time_major ? t * batch + b : b * time + t; }

  // Sequences do not depend on each other. Returns the items of each part of the batch, a part per
  // thread, or all where a run costs little: `cost` multiplications per item.
  int64_t PartItems(int64_t cost, ThreadPool* pool) const {
    const bool small = pool == nullptr || batch * cost < kSmallWork;
    return small ? batch : CeilDiv(batch, std::min<int64_t>(pool->threads(), batch));
  }
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
  // The items of the batch that go through it together, one row of all states each.
  int64_t first_item = 0, items = shape.batch;

  int64_t Row(int64_t i, int64_t item) const {
    return shape.Row(backward ? shape.time - 1 - i : i, first_item + item);
  }
  // Steps whose products with the inputs are computed at once.
  int64_t BlockSteps() const {
    constexpr int64_t kRows = 128;
    return std::min(std::max<int64_t>(1, kRows / std::max<int64_t>(1, items)), shape.time);
  }
  // Rows of `from`, `size` numbers each, in the order in which they are computed: [steps, items,
  // size] from step `first` on. Where they lie so, or in `copy`.
  const T* Rows(const T* from, int64_t size, int64_t first, int64_t steps,
                std::vector<T>& copy) const;
  // Calls read(first, steps) for blocks of steps, and step(i) for the steps of a block, counted
  // from its beginning. After each step the rows of `state`, `size` numbers each, are its output.
  template <class Read, class Step>
  void ForEachStep(const T* state, int64_t size, const Read& read, const Step& step) const;

  int64_t Parts(int64_t part_items) const { return items == 0 ? 0 : CeilDiv(items, part_items); }
  // Calls run(part, the pool for the products with its inputs), from several threads.
  template <class Run>
  void ForEachPart(int64_t part_items, ThreadPool* pool, const Run& run) const {
    constexpr int64_t kSharedSteps = 32;
    const int64_t parts = Parts(part_items);
    const auto run_part = [&](int64_t i) {
      SequenceRun part = *this;
      part.first_item = i * part_items;
      part.items = std::min(items - part.first_item, part_items);
      // Threads share the products of several steps; fewer take less than the start of a job.
      run(part, parts > 1 || shape.time < kSharedSteps ? nullptr : pool);
    };
    if (parts > 1) return pool->RunParts(parts, run_part);
    if (parts == 1) run_part(0);
  }
};

template <class T>
const T* SequenceRun<T>::Rows(const T* from, int64_t size, int64_t first, int64_t steps,
                              std::vector<T>& copy) const {
  const bool in_order = !backward && (shape.time_major ? items == shape.batch : items == 1);
  if (in_order) return from + Row(first, 0) * size;
  copy.resize(static_cast<size_t>(steps * items * size));
  T* to = copy.data();
  for (int64_t i = first; i < first + steps; ++i) {
    for (int64_t b = 0; b < items; ++b) to = std::copy_n(from + Row(i, b) * size, size, to);
  }
  return copy.data();
}

template <class T>
template <class Read, class Step>
void SequenceRun<T>::ForEachStep(const T* state, int64_t size, const Read& read,
                                 const Step& step) const {
  const int64_t block = BlockSteps();
  for (int64_t first = 0; first < shape.time; first += block) {
    const int64_t steps = std::min(block, shape.time - first);
    read(first, steps);
    for (int64_t i = 0; i < steps; ++i) {
      step(i);
      for (int64_t b = 0; b < items; ++b) {
        std::copy_n(state + b * size, size, output + Row(first + i, b) * output_stride);
      }
    }
  }
}

// The tensor behind an input, for writing; null when it is missing.
TfLiteTensor* StateAt(const OpCall& call, int i);

// A variable of this type and size.
Status CheckState(const TfLiteTensor* state, TfLiteType type, int64_t elements, const char* what);

Status CheckShape(const TfLiteTensor* t, const Shape& want, const char* what);

// Rows of floats on their way into products. They become integers at the first product with 8-bit
// weights.
struct ProductRows {
  bool fast = false;  // products are those of vectors
  bool symmetric = true;
  const float* values = nullptr;
  int64_t count = 0, size = 0;
  bool is_quantized = false;
  QuantizedLeft quantized;
  std::vector<float> sums;  // of a product of floats, before they are added
  OutputStage stage = OutputStage::Clamp(ActivationRange(kTfLiteActNone), nullptr, 0);

  void Set(const float* rows, int64_t row_count, int64_t row_size) {
    values = rows;
    count = row_count;
    size = row_size;
    is_quantized = false;
  }
};

// A matrix (or vector) of float weights, or of 8-bit ones with one scale.
class MixedMatrix {
 public:
  // Null is no matrix. The tensor outlives the products.
  Status Set(const TfLiteTensor* tensor, const char* what);
  // The next Pack packs again.
  void Forget() { product_.Forget(); }
  // Floats are packed for products with so many rows, constants once. After each Set.
  void Pack(int64_t rows, ThreadPool* pool);

  bool present() const { return tensor_ != nullptr; }
  bool is_float() const { return tensor_->type == kTfLiteFloat32; }
  // UINT8 weights hold signed bytes, too.
  float At(int64_t i) const {
    return is_float() ? Data<float>(tensor_)[i]
                      : scale_ * static_cast<float>(Data<int8_t>(tensor_)[i]);
  }
  // to[r, n] += row r of v times row n of the matrix. Several threads may call it.
  void AddProduct(ProductRows& v, float* to, ThreadPool* pool) const;

 private:
  const TfLiteTensor* tensor_ = nullptr;
  float scale_ = 1;
  FloatProduct product_;
  const FloatMatrix* packed_ = nullptr;
};

// Each of the rows becomes `values`, or zeros where that is null.
void FillRows(const float* values, int64_t rows, int64_t size, float* to);

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

// Activate of each number, in place; by vectors where that is an optimized kernel.
void ActivateAll(TfLiteFusedActivation activation, bool fast, int64_t count, float* values);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_RECURRENT_H_
