// SPDX-License-Identifier: Apache-2.0
// PRELU: values below zero times alpha, which broadcasts to the input.
#include <limits>

#include "cpu/float_pairs.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/pairwise.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_registry.h"
#include "ops/prelu/prelu_rules.h"
#include "ops/rules_kit/fixed_point.h"

namespace tern {
namespace {

class Prelu : public Pairwise {
 public:
  using Pairwise::Pairwise;
  const char* name() const override { return "PRELU"; }
  Status Prepare(const OpCall& call) override;

 protected:
  Status Check(const OpCall& call) override;
  Status Run(const OpCall& call, ThreadPool* pool) const override;

 private:
  void RunFloats(const OpCall& call, ThreadPool* pool) const;
  template <class T, class A>
  void RunQuantized(const OpCall& call, ThreadPool* pool) const;

  Quantization in_, alpha_, out_;
  PreluScales scales_;
};

Status Prelu::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(Pairwise::Prepare(call));
  const Shape shape = ShapeOf(call.input(0));
  if (ShapeOf(call.output(0)) == shape) return OkStatus();
  return Invalid("alpha does not broadcast to the input (", ShapeText(ShapeOf(call.input(1))), ", ",
                 ShapeText(shape), ")");
}

Status Prelu::Check(const OpCall& call) {
  const TfLiteTensor *input = call.input(0), *alpha = call.input(1), *output = call.output(0);
  TERN_RETURN_IF_ERROR(CheckSameType(input, output, "input and output"));
  if (input->type == kTfLiteFloat32) return CheckSameType(input, alpha, "input and alpha");
  if (!IsQuantizedType(input->type)) return CheckType(input, kTfLiteFloat32, "input");
  // INT16 goes with an alpha of 8 bits.
  if (input->type == kTfLiteInt16) {
    TERN_RETURN_IF_ERROR(CheckType(alpha, kTfLiteInt8, "alpha"));
  } else {
    TERN_RETURN_IF_ERROR(CheckSameType(input, alpha, "input and alpha"));
  }
  TERN_ASSIGN_OR_RETURN(in_, QuantizationOf(input, "input"));
  TERN_ASSIGN_OR_RETURN(alpha_, QuantizationOf(alpha, "alpha"));
  TERN_ASSIGN_OR_RETURN(out_, QuantizationOf(output, "output"));
  scales_ = PreluScales(in_, alpha_, out_);
  return OkStatus();
}

template <class T, class A>
void Prelu::RunQuantized(const OpCall& call, ThreadPool* pool) const {
  const T* in = Data<T>(call.input(0));
  const A* alpha = Data<A>(call.input(1));
  T* out = MutableData<T>(call.output(0));
  const IntRange range = TypeRange(call.output(0)->type);
  const int64_t step = walk_.steps.back()[0], alpha_step = walk_.steps.back()[1];
  ParallelFor(pool, Elements(call.output(0)), 8, [&](int64_t begin, int64_t end) {
    walk_.ForEachPiece(begin, end, [&](int64_t at, const auto& offsets, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const int32_t v = in[offsets[0] + i * step] - in_.zero_point;
        const int32_t slope = alpha[offsets[1] + i * alpha_step] - alpha_.zero_point;
        const int32_t scaled =
            v >= 0 ? Scale(v, scales_.positive) : Scale(v * slope, scales_.negative);
        out[at + i] = static_cast<T>(fixed::Place(scaled, out_.zero_point, range));
      }
    });
  });
}

void Prelu::RunFloats(const OpCall& call, ThreadPool* pool) const {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const FloatPairRow form = fast() ? FastPairs(PairFunction::kPrelu) : nullptr;
  if (form == nullptr) {
    return ForEachPair<float, float>(call, pool,
                                     [](float v, float alpha) { return v >= 0 ? v : v * alpha; });
  }
  ForEachRow<float, float>(
      call, pool,
      [form](const float* a, bool a_moves, const float* b, bool b_moves, float* out,
             int64_t count) { form(a, a_moves, b, b_moves, out, count, -kInfinity, kInfinity); });
}

Status Prelu::Run(const OpCall& call, ThreadPool* pool) const {
  switch (call.input(0)->type) {
    case kTfLiteInt8:
      RunQuantized<int8_t, int8_t>(call, pool);
      break;
    case kTfLiteUInt8:
      RunQuantized<uint8_t, uint8_t>(call, pool);
      break;
    case kTfLiteInt16:
      RunQuantized<int16_t, int8_t>(call, pool);
      break;
    default:
      RunFloats(call, pool);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration PreluRegistration(OpForm form) { return MakeRegistration<Prelu>(form); }

}  // namespace tern
