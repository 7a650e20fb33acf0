// SPDX-License-Identifier: Apache-2.0
// QUANTIZE: float numbers to integers, or integers to integers of another scale, zero point or
// type.
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "cpu/byte_rows.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/packed.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_registry.h"
#include "ops/quantize/axis_quantization.h"
#include "ops/quantize/rescaling_rules.h"

namespace tern {
namespace {

class QuantizeOp : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "QUANTIZE"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  Status PrepareRescaling(const TfLiteTensor* input, const TfLiteTensor* output);

  AxisQuantization to_;
  // Between integers.
  Quantization from_;
};

bool IsInteger(TfLiteType type) { return IsQuantizedType(type) || type == kTfLiteInt32; }

// Returns true for the pairs of types that the reference takes, and for UINT8 to INT16.
bool CanRescale(TfLiteType from, TfLiteType to) {
  switch (from) {
    case kTfLiteInt8:
    case kTfLiteUInt8:
      return IsQuantizedType(to);
    case kTfLiteInt16:
      return to == kTfLiteInt8 || to == kTfLiteInt16 || to == kTfLiteInt32;
    default:
      return to == kTfLiteInt8 || to == kTfLiteInt16;
  }
}

Status QuantizeOp::PrepareRescaling(const TfLiteTensor* input, const TfLiteTensor* output) {
  if (!CanRescale(input->type, output->type)) {
    return Unsupported("from type ", TypeText(input->type), " to type ", TypeText(output->type),
                       " is not supported yet");
  }
  TERN_ASSIGN_OR_RETURN(from_, QuantizationOf(input, "input"));
  TERN_RETURN_IF_ERROR(QuantizationOf(output, "output").status());
  return OkStatus();
}

Status QuantizeOp::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  const TfLiteTensor* input = call.input(0);
  const TfLiteTensor* output = call.output(0);
  const Shape shape = ShapeOf(input);
  TERN_ASSIGN_OR_RETURN(to_, AxisQuantization::Of(output, shape, "output"));
  if (IsInteger(input->type)) {
    TERN_RETURN_IF_ERROR(PrepareRescaling(input, output));
  } else {
    TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
    if (!IsQuantizedType(output->type) && !IsPacked(output->type)) {
      return Unsupported("type ", TypeText(output->type), " is not supported yet (output)");
    }
  }
  return call.SetShape(call.output(0), shape);
}

template <class T>
void FromFloat(const OpCall& call, const AxisQuantization& to, const ByteForms<T>* forms,
               int64_t begin, int64_t end) {
  const IntRange range = TypeRange(call.output(0)->type);
  const float* in = Data<float>(call.input(0));
  T* out = MutableData<T>(call.output(0));
  if (!to.per_axis()) {
    const Quantization q = to.pairs[0];
    if (forms != nullptr) {
      return forms->quantize(in + begin, out + begin, end - begin, q.scale, q.zero_point, range.min,
                             range.max);
    }
    for (int64_t i = begin; i < end; ++i) out[i] = static_cast<T>(Quantize(in[i], q, range));
    return;
  }
  for (int64_t i = begin; i < end; ++i) out[i] = static_cast<T>(Quantize(in[i], to.at(i), range));
}

// To numbers of 4 or 2 bits.
void FromFloatPacked(const OpCall& call, const AxisQuantization& to) {
  TfLiteTensor* output = call.output(0);
  const IntRange range = TypeRange(output->type);
  const float* in = Data<float>(call.input(0));
  std::vector<uint8_t> numbers(static_cast<size_t>(Elements(output)));
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<uint8_t>(Quantize(in[i], to.at(static_cast<int64_t>(i)), range));
  }
  WritePacked(numbers, output);
}

using QuantizeLoop = std::function<void(int64_t begin, int64_t end)>;

// Of all 8-bit numbers.
template <class From>
QuantizeLoop RescalingTable(const OpCall& call, const Rescaling& rescaling) {
  ByteTable table;
  for (int32_t q = std::numeric_limits<From>::min(); q <= std::numeric_limits<From>::max(); ++q)
    table[static_cast<uint8_t>(q)] = static_cast<uint8_t>(rescaling(q));
  const auto* in = Data<uint8_t>(call.input(0));
  auto* out = MutableData<uint8_t>(call.output(0));
  return [table, in, out](int64_t begin, int64_t end) {
    MapBytes(table.data(), in + begin, out + begin, end - begin);
  };
}

template <class From, class To>
QuantizeLoop RescalingTo(const OpCall& call, const Rescaling& rescaling) {
  constexpr int64_t kManyNumbers = 512;
  if constexpr (sizeof(From) == 1 && sizeof(To) == 1) {
    if (Elements(call.output(0)) >= kManyNumbers) return RescalingTable<From>(call, rescaling);
  }
  const From* in = Data<From>(call.input(0));
  To* out = MutableData<To>(call.output(0));
  return [rescaling, in, out](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = static_cast<To>(rescaling(in[i]));
  };
}

template <class From>
QuantizeLoop RescalingFrom(const OpCall& call, const Quantization& from, const Quantization& to) {
  const TfLiteType type = call.output(0)->type;
  const Rescaling rescaling(from, to, type);
  switch (type) {
    case kTfLiteInt8:
      return RescalingTo<From, int8_t>(call, rescaling);
    case kTfLiteUInt8:
      return RescalingTo<From, uint8_t>(call, rescaling);
    case kTfLiteInt16:
      return RescalingTo<From, int16_t>(call, rescaling);
    default:
      return RescalingTo<From, int32_t>(call, rescaling);
  }
}

Status QuantizeOp::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  if (Elements(input) == 0) return OkStatus();
  const Quantization& to = to_.pairs[0];
  QuantizeLoop loop;
  switch (input->type) {
    case kTfLiteInt8:
      loop = RescalingFrom<int8_t>(call, from_, to);
      break;
    case kTfLiteUInt8:
      loop = RescalingFrom<uint8_t>(call, from_, to);
      break;
    case kTfLiteInt16:
      loop = RescalingFrom<int16_t>(call, from_, to);
      break;
    case kTfLiteInt32:
      loop = RescalingFrom<int32_t>(call, from_, to);
      break;
    default:
      loop = [&](int64_t begin, int64_t end) {
        switch (call.output(0)->type) {
          case kTfLiteInt8:
            return FromFloat(call, to_, fast() ? FastBytes<int8_t>() : nullptr, begin, end);
          case kTfLiteUInt8:
            return FromFloat(call, to_, fast() ? FastBytes<uint8_t>() : nullptr, begin, end);
          default:
            return FromFloat<int16_t>(call, to_, nullptr, begin, end);
        }
      };
      if (IsPacked(call.output(0)->type)) {
        FromFloatPacked(call, to_);
        return OkStatus();
      }
  }
  ParallelFor(Pool(call), Elements(input), 4, loop);
  return OkStatus();
}

}  // namespace

TfLiteRegistration QuantizeRegistration(OpForm form) { return MakeRegistration<QuantizeOp>(form); }

}  // namespace tern
