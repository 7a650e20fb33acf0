// SPDX-License-Identifier: Apache-2.0
// REAL, IMAG and COMPLEX_ABS: a complex tensor -> the real parts, the imaginary parts, the
// magnitudes.
#include <cmath>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

enum class Part { kReal, kImaginary, kMagnitude };

template <Part part, class T>
void Take(const TfLiteTensor* input, TfLiteTensor* output, ThreadPool* pool) {
  const T* in = Data<T>(input);
  T* out = MutableData<T>(output);
  ParallelFor(pool, Elements(input), 4, [in, out](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T real = in[2 * i], imaginary = in[2 * i + 1];
      out[i] = part == Part::kReal        ? real
               : part == Part::kImaginary ? imaginary
                                          : std::hypot(real, imaginary);
    }
  });
}

template <Part part>
class ComplexPart : public Op {
 public:
  using Op::Op;
  const char* name() const override {
    return part == Part::kReal ? "REAL" : part == Part::kImaginary ? "IMAG" : "COMPLEX_ABS";
  }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    const TfLiteTensor* input = call.input(0);
    const bool wide = input->type == kTfLiteComplex128;
    if (!wide) TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteComplex64, "input"));
    TERN_RETURN_IF_ERROR(
        CheckType(call.output(0), wide ? kTfLiteFloat64 : kTfLiteFloat32, "output"));
    return call.SetShape(call.output(0), ShapeOf(input));
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
    if (call.input(0)->type == kTfLiteComplex128) {
      Take<part, double>(call.input(0), call.output(0), Pool(call));
    } else {
      Take<part, float>(call.input(0), call.output(0), Pool(call));
    }
    return OkStatus();
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }
};

}  // namespace

TfLiteRegistration RealRegistration(OpForm form) {
  return MakeRegistration<ComplexPart<Part::kReal>>(form);
}
TfLiteRegistration ImagRegistration(OpForm form) {
  return MakeRegistration<ComplexPart<Part::kImaginary>>(form);
}
TfLiteRegistration ComplexAbsRegistration(OpForm form) {
  return MakeRegistration<ComplexPart<Part::kMagnitude>>(form);
}

}  // namespace tern
