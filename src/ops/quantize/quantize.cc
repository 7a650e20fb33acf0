// SPDX-License-Identifier: Apache-2.0
// QUANTIZE: float numbers to integers, or integers to integers of another scale, zero point or
// type.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "cpu/byte_rows.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/packed.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_registry.h"
#include "ops/quantize/axis_quantization.h"

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
  Multiplier multiplier_;
};

bool IsInteger(TfLiteType type) { return IsQuantizedType(type) || type == kTfLiteInt32; }

// What the reference takes, and INT16 from UINT8.
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
  multiplier_ = MakeMultiplier(double{from_.scale} / double{to_.pairs[0].scale});
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

IntRange RangeOf(TfLiteType type) {
  return type == kTfLiteInt32 ? IntRange{INT32_MIN, INT32_MAX} : TypeRange(type);
}

template <class From, class To>
struct Rescaling {
  const From* in;
  To* out;
  Quantization from, to;
  Multiplier multiplier;
  IntRange range;

  void operator()(int64_t begin, int64_t end) const {
    for (int64_t i = begin; i < end; ++i) {
      // What is beyond 32 bits wraps, as in the reference.
      const auto v = static_cast<int32_t>(int64_t{in[i]} - from.zero_point);
      const int64_t scaled = int64_t{Scale(v, multiplier)} + to.zero_point;
      out[i] = static_cast<To>(std::min<int64_t>(std::max<int64_t>(scaled, range.min), range.max));
    }
  }
};

using QuantizeLoop = std::function<void(int64_t begin, int64_t end)>;

// Of all 8-bit numbers.
template <class From, class To>
QuantizeLoop RescalingTable(const Rescaling<From, To>& rescaling) {
  std::array<From, 256> numbers;
  std::iota(numbers.begin(), numbers.end(), std::numeric_limits<From>::min());
  std::array<To, 256> results;
  Rescaling<From, To> all = rescaling;
  all.in = numbers.data();
  all.out = results.data();
  all(0, 256);
  ByteTable table;
  for (size_t i = 0; i < 256; ++i) {
    table[static_cast<uint8_t>(numbers[i])] = static_cast<uint8_t>(results[i]);
  }
  const auto* in = static_cast<const uint8_t*>(static_cast<const void*>(rescaling.in));
  auto* out = static_cast<uint8_t*>(static_cast<void*>(rescaling.out));
  return [table, in, out](int64_t begin, int64_t end) {
    MapBytes(table.data(), in + begin, out + begin, end - begin);
  };
}

template <class From, class To>
QuantizeLoop RescalingTo(const OpCall& call, const Quantization& from, const Quantization& to,
                         const Multiplier& multiplier) {
  constexpr int64_t kManyNumbers = 512;
  TfLiteTensor* output = call.output(0);
  const Rescaling<From, To> rescaling{
      Data<From>(call.input(0)), MutableData<To>(output), from, to, multiplier,
      RangeOf(output->type)};
  if constexpr (sizeof(From) == 1 && sizeof(To) == 1) {
    if (Elements(output) >= kManyNumbers) return RescalingTable(rescaling);
  }
  return rescaling;
}

template <class From>
QuantizeLoop RescalingFrom(const OpCall& call, const Quantization& from, const Quantization& to,
                           const Multiplier& multiplier) {
  switch (call.output(0)->type) {
    case kTfLiteInt8:
      return RescalingTo<From, int8_t>(call, from, to, multiplier);
    case kTfLiteUInt8:
      return RescalingTo<From, uint8_t>(call, from, to, multiplier);
    case kTfLiteInt16:
      return RescalingTo<From, int16_t>(call, from, to, multiplier);
    default:
      return RescalingTo<From, int32_t>(call, from, to, multiplier);
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
      loop = RescalingFrom<int8_t>(call, from_, to, multiplier_);
      break;
    case kTfLiteUInt8:
      loop = RescalingFrom<uint8_t>(call, from_, to, multiplier_);
      break;
    case kTfLiteInt16:
      loop = RescalingFrom<int16_t>(call, from_, to, multiplier_);
      break;
    case kTfLiteInt32:
      loop = RescalingFrom<int32_t>(call, from_, to, multiplier_);
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
