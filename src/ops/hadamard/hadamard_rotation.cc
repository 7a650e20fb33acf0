// SPDX-License-Identifier: Apache-2.0
// aeq.hadamard_rotation (custom), FLOAT32: the input in pieces of hadamard_size elements, each
// multiplied by the Hadamard matrix of that size over the root of the size. Rows that hold no
// integer of pieces count the whole ones only; pieces follow each other from the first element on,
// and what is left over stays as it is. Inputs have rank 3, or two axes count of any other rank.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/flex_map.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/options.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class HadamardRotation : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "aeq.hadamard_rotation"; }

  Status Prepare(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
    TERN_ASSIGN_OR_RETURN(size_, IntegerOption(map, "hadamard_size", 0));
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteFloat32, "input"));
    TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
    if (size_ < 1 || !std::has_single_bit(static_cast<uint64_t>(size_))) {
      return Invalid("hadamard_size must be a power of two (", size_, ")");
    }
    const Shape shape = ShapeOf(call.input(0));
    if (shape.size() < 2) return Invalid("input must have rank 2 or more (", shape.size(), ")");
    pieces_ = shape.size() == 3 ? shape[0] * shape[1] * (shape[2] / size_)
                                : shape[0] * (shape[1] / size_);
    if (pieces_ > Elements(call.input(0)) / size_) pieces_ = Elements(call.input(0)) / size_;
    return call.SetShape(call.output(0), shape);
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
    const int64_t count = Elements(call.input(0));
    float* out = MutableData<float>(call.output(0));
    if (count > 0) std::copy_n(Data<float>(call.input(0)), count, out);
    ParallelFor(Pool(call), pieces_, 8 * size_, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Rotate(out + i * size_);
    });
    return OkStatus();
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  // Sums and differences of pairs 1, 2, 4, ... apart.
  void Rotate(float* v) const {
    for (int64_t apart = 1; apart < size_; apart *= 2) {
      for (int64_t first = 0; first < size_; first += 2 * apart) {
        for (int64_t i = first; i < first + apart; ++i) {
          const float a = v[i], b = v[i + apart];
          v[i] = a + b;
          v[i + apart] = a - b;
        }
      }
    }
    const float factor = 1.0f / std::sqrt(static_cast<float>(size_));
    for (int64_t i = 0; i < size_; ++i) v[i] *= factor;
  }

  int64_t size_ = 1, pieces_ = 0;
};

}  // namespace

TfLiteRegistration HadamardRotationRegistration(OpForm form) {
  return MakeRegistration<HadamardRotation>(form);
}

}  // namespace tern
