// SPDX-License-Identifier: Apache-2.0
// DEQUANTIZE: integers, halves or bfloat16 numbers to float. A constant is converted once.
#include <algorithm>
#include <vector>

#include "base/tensor/half.h"
#include "cpu/byte_rows.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/packed.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_kit/small_integers.h"
#include "ops/cpu_registry.h"
#include "ops/quantize/axis_quantization.h"

namespace tern {
namespace {

class DequantizeOp : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "DEQUANTIZE"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  AxisQuantization from_;
  SmallIntegers small_;
};

bool IsSmallInteger(TfLiteType type) { return type == kTfLiteInt4 || type == kTfLiteInt2; }

Status DequantizeOp::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  const Shape shape = ShapeOf(input);
  if (input->type == kTfLiteFloat16 || input->type == kTfLiteBFloat16) {
    return call.SetShape(call.output(0), shape);
  }
  if (!IsQuantizedType(input->type) && !IsPacked(input->type)) {
    return Unsupported("type ", TypeText(input->type), " is not supported yet (input)");
  }
  TERN_ASSIGN_OR_RETURN(from_, AxisQuantization::Of(input, shape, "input"));
  if (input->type == kTfLiteInt16 && from_.per_axis()) {
    return Unsupported("INT16 with ", from_.pairs.size(), " quantization scales");
  }
  small_.Forget();
  return call.SetShape(call.output(0), shape);
}

template <class T>
void FromIntegers(const T* in, const AxisQuantization& from, const ByteForms<T>* forms, float* out,
                  int64_t begin, int64_t end) {
  if (!from.per_axis()) {
    const Quantization& q = from.pairs[0];
    if (forms != nullptr) {
      return forms->dequantize(in + begin, out + begin, end - begin, q.scale, q.zero_point);
    }
    for (int64_t i = begin; i < end; ++i) out[i] = Dequantize(in[i], q);
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    const Quantization& q = from.at(i);
    out[i] = q.scale * static_cast<float>(in[i] - q.zero_point);
  }
}

Status DequantizeOp::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  if (Elements(input) == 0) return OkStatus();
  float* out = MutableData<float>(call.output(0));
  const int8_t* small = nullptr;
  if (IsSmallInteger(input->type)) {
    TERN_ASSIGN_OR_RETURN(small, small_.Get(input, "input"));
  }
  const std::vector<uint8_t> halves =
      input->type == kTfLiteUInt4 ? Unpacked(input) : std::vector<uint8_t>();
  const ByteForms<int8_t>* signed_forms = fast() ? FastBytes<int8_t>() : nullptr;
  const ByteForms<uint8_t>* unsigned_forms = fast() ? FastBytes<uint8_t>() : nullptr;
  ParallelFor(Pool(call), Elements(input), 1, [&](int64_t begin, int64_t end) {
    const uint16_t* shorts = Data<uint16_t>(input);
    switch (input->type) {
      case kTfLiteFloat16:
        return HalfToFloat({shorts + begin, shorts + end}, {out + begin, out + end});
      case kTfLiteBFloat16:
        for (int64_t i = begin; i < end; ++i) out[i] = Bfloat16ToFloat(shorts[i]);
        return;
      case kTfLiteInt8:
        return FromIntegers(Data<int8_t>(input), from_, signed_forms, out, begin, end);
      case kTfLiteUInt8:
        return FromIntegers(Data<uint8_t>(input), from_, unsigned_forms, out, begin, end);
      case kTfLiteUInt4:
        return FromIntegers(halves.data(), from_, unsigned_forms, out, begin, end);
      case kTfLiteInt16:
        return FromIntegers<int16_t>(Data<int16_t>(input), from_, nullptr, out, begin, end);
      default:
        return FromIntegers(small, from_, signed_forms, out, begin, end);
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration DequantizeRegistration(OpForm form) {
  return MakeRegistration<DequantizeOp>(form);
}

}  // namespace tern
