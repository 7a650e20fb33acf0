// SPDX-License-Identifier: Apache-2.0
// SVDF: a layer over time of rank `rank` per unit. Inputs: 0 input [B, I], 1 feature weights
// [F, I], 2 time weights [F, M], 3 bias [F / rank] (optional), 4 state [B, F * M], a variable: each
// filter's last M results. A step forgets the oldest, appends the product with the input, and sums
// the products with the time weights over the filters of a unit. In full integers the time weights
// and the state both have 16 bits, or both 8 as in TensorFlow Lite Micro; only then the state may
// have a zero point. A fused activation is ignored there.
#include <algorithm>
#include <cstring>

#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/integer_product.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_kit/recurrent.h"
#include "ops/cpu_registry.h"
#include "ops/svdf/svdf_rules.h"

namespace tern {
namespace {

using namespace svdf;

class Svdf : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SVDF"; }
  Status Prepare(const OpCall& call) override;
  void Pack(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  // Null without optimized kernels.
  const IntegerMatrix* PackBytes(const LeftView& left, const IntegerWeights& weights) {
    return fast() ? integer_feature_.Pack(left, weights, nullptr) : nullptr;
  }
  Status EvalFloat(const OpCall& call, const Sizes& s);

  template <class T>
  Status EvalInteger(const OpCall& call, const Sizes& s);

  MixedMatrix feature_;
  IntegerProduct integer_feature_;
  ProductRows rows_;
};

StatusOr<Sizes> ReadSizes(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Sizes s,
                        SizesOf(ShapeOf(call.input(kInput)), ShapeOf(call.input(kFeature)),
                                ShapeOf(call.input(kTime)), call.params<TfLiteSVDFParams>().rank));
  if (const TfLiteTensor* bias = call.input(kBias)) {
    TERN_RETURN_IF_ERROR(CheckShape(bias, {s.units}, "bias"));
  }
  return s;
}

Status CheckTypes(const OpCall& call) {
  const TfLiteTensor *input = call.input(kInput), *feature = call.input(kFeature);
  const TfLiteTensor *time = call.input(kTime), *bias = call.input(kBias);
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  if (input->type == kTfLiteInt8) {
    TERN_RETURN_IF_ERROR(CheckType(feature, kTfLiteInt8, "feature weights"));
    if (time->type != kTfLiteInt8) {
      TERN_RETURN_IF_ERROR(CheckType(time, kTfLiteInt16, "time weights"));
    }
    return bias == nullptr ? OkStatus() : CheckType(bias, kTfLiteInt32, "bias");
  }
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  if (!IsDynamicRangeWeight(feature)) {
    TERN_RETURN_IF_ERROR(CheckType(feature, kTfLiteFloat32, "feature weights"));
  }
  TERN_RETURN_IF_ERROR(CheckType(time, feature->type, "time weights"));
  return bias == nullptr ? OkStatus() : CheckType(bias, kTfLiteFloat32, "bias");
}

Status Svdf::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(call.CheckOperands(3, 5, 1));
  TERN_RETURN_IF_ERROR(CheckTypes(call));
  TERN_ASSIGN_OR_RETURN(const Sizes s, ReadSizes(call));
  if (!KeepsPacked(call)) {
    feature_.Forget();
    integer_feature_.Forget();
  }
  const bool integer = call.input(kInput)->type == kTfLiteInt8;
  TERN_RETURN_IF_ERROR(CheckState(call.input(kState),
                                  integer ? call.input(kTime)->type : kTfLiteFloat32,
                                  s.batch * s.filters * s.memory, "the state"));
  if (integer) {
    for (const int i : {kInput, kFeature, kTime, kState}) {
      TERN_RETURN_IF_ERROR(QuantizationOf(call.input(i), "an operand").status());
    }
    TERN_RETURN_IF_ERROR(QuantizationOf(call.output(0), "output").status());
  }
  return call.SetShape(call.output(0), {s.batch, s.units});
}

// Of integer inputs times the feature weights.
LeftView LeftOf(const OpCall& call, const Sizes& s, int32_t zero_point) {
  return {MatrixShape(s.batch, s.inputs, s.filters), call.input(kInput)->data.raw,
          IntegerType::kInt8, zero_point};
}

void Svdf::Pack(const OpCall& call) {
  const TfLiteTensor* feature = call.input(kFeature);
  const StatusOr<Sizes> s = ReadSizes(call);
  if (!fast() || !s.ok() || !CanPack(feature, nullptr)) return;
  if (call.input(kInput)->type == kTfLiteInt8) {
    PackBytes(LeftOf(call, *s, 0), IntegerWeightsOf(feature, 0));
  } else if (feature_.Set(feature, "feature weights").ok()) {
    feature_.Pack(s->batch, nullptr);
  }
}

// Each filter of each batch item forgets its oldest value and gets the newest one.
template <class T>
void Remember(const Sizes& s, const T* newest, T* state) {
  for (int64_t f = 0; f < s.batch * s.filters; ++f) {
    T* memory = state + f * s.memory;
    std::memmove(memory, memory + 1, static_cast<size_t>(s.memory - 1) * sizeof(T));
    memory[s.memory - 1] = newest[f];
  }
}

// The time weights make no product of matrices: each filter has a memory of its own.
Status Svdf::EvalFloat(const OpCall& call, const Sizes& s) {
  MixedMatrix time;
  TERN_RETURN_IF_ERROR(feature_.Set(call.input(kFeature), "feature weights"));
  TERN_RETURN_IF_ERROR(time.Set(call.input(kTime), "time weights"));
  const auto& params = call.params<TfLiteSVDFParams>();
  rows_.fast = fast();
  rows_.symmetric = !params.asymmetric_quantize_inputs;
  std::vector<float> newest(static_cast<size_t>(s.batch * s.filters));
  rows_.Set(Data<float>(call.input(kInput)), s.batch, s.inputs);
  if (fast()) feature_.Pack(s.batch, nullptr);
  feature_.AddProduct(rows_, newest.data(), nullptr);
  float* state = MutableData<float>(StateAt(call, kState));
  Remember(s, newest.data(), state);
  float* output = MutableData<float>(call.output(0));
  const int64_t count = s.rank * s.memory;
  for (int64_t b = 0; b < s.batch; ++b) {
    for (int64_t u = 0; u < s.units; ++u, state += count) {
      double sum = call.input(kBias) == nullptr ? 0 : Data<float>(call.input(kBias))[u];
      for (int64_t i = 0; i < count; ++i) sum += double{state[i]} * time.At(u * count + i);
      *output++ = Activate(params.activation, static_cast<float>(sum));
    }
  }
  return OkStatus();
}

int32_t Wrapped(int64_t v) { return static_cast<int32_t>(v); }

// T is the type of the time weights and of the state.
template <class T>
Status Svdf::EvalInteger(const OpCall& call, const Sizes& s) {
  TERN_ASSIGN_OR_RETURN(const Quantization in, QuantizationOf(call.input(kInput), "input"));
  TERN_ASSIGN_OR_RETURN(const Quantization feature,
                        QuantizationOf(call.input(kFeature), "weights"));
  TERN_ASSIGN_OR_RETURN(const Quantization time, QuantizationOf(call.input(kTime), "weights"));
  TERN_ASSIGN_OR_RETURN(const Quantization memory, QuantizationOf(call.input(kState), "state"));
  TERN_ASSIGN_OR_RETURN(const Quantization out, QuantizationOf(call.output(0), "output"));
  // The quotients of the scales are rounded to floats.
  const Multiplier into = MakeMultiplier(double{in.scale * feature.scale / memory.scale});
  const Multiplier onto = MakeMultiplier(double{memory.scale * time.scale / out.scale});
  // Micro adds the zero point to the number already cut, and the sum wraps.
  const int64_t zero = sizeof(T) == 1 ? memory.zero_point : 0;
  const IntRange range = TypeRange(call.input(kState)->type), range8 = TypeRange(kTfLiteInt8);
  std::vector<int32_t> sums(static_cast<size_t>(s.batch * s.filters));
  const LeftView left = LeftOf(call, s, in.zero_point);
  const IntegerWeights weights = IntegerWeightsOf(call.input(kFeature), 0);
  IntegerProduct::Sums(PackBytes(left, weights), fast(), left, weights, nullptr, sums.data(),
                       nullptr);
  std::vector<T> newest(sums.size());
  for (size_t f = 0; f < sums.size(); ++f) {
    newest[f] = static_cast<T>(range.Clamp(Scale(sums[f], into)) + zero);
  }
  T* state = MutableData<T>(StateAt(call, kState));
  Remember(s, newest.data(), state);
  int8_t* output = MutableData<int8_t>(call.output(0));
  const int64_t count = s.rank * s.memory;
  for (int64_t b = 0; b < s.batch; ++b) {
    for (int64_t u = 0; u < s.units; ++u, state += count) {
      int64_t sum = call.input(kBias) == nullptr ? 0 : Data<int32_t>(call.input(kBias))[u];
      const T* times = Data<T>(call.input(kTime)) + u * count;
      for (int64_t i = 0; i < count; ++i) sum += (state[i] - zero) * times[i];
      const int64_t v = int64_t{Scale(Wrapped(sum), onto)} + out.zero_point;
      *output++ = static_cast<int8_t>(std::clamp<int64_t>(v, range8.min, range8.max));
    }
  }
  return OkStatus();
}

Status Svdf::Eval(const OpCall& call) {
  for (const int i : {kInput, kFeature, kTime, kBias, kState}) {
    if (call.input(i) != nullptr) TERN_RETURN_IF_ERROR(CheckData(call.input(i), "an input"));
  }
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  TERN_ASSIGN_OR_RETURN(const Sizes s, ReadSizes(call));
  if (call.input(kInput)->type != kTfLiteInt8) return EvalFloat(call, s);
  return call.input(kTime)->type == kTfLiteInt8 ? EvalInteger<int8_t>(call, s)
                                                : EvalInteger<int16_t>(call, s);
}

}  // namespace

TfLiteRegistration SvdfRegistration(OpForm form) { return MakeRegistration<Svdf>(form); }

}  // namespace tern
