// SPDX-License-Identifier: Apache-2.0
// MEAN, SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_ANY and REDUCE_ALL: input, axes (which may
// be computed) -> the input without those axes, or with them at size 1.
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/reduce/quantized_reduce.h"
#include "ops/reduce/reduce_rules.h"
#include "ops/reduce/reduce_walk.h"

namespace tern {
namespace {

class Reduce : public Op {
 public:
  Reduce(OpForm form, const char* name, Reduction kind) : Op(form), name_(name), kind_(kind) {}
  const char* name() const override { return name_; }
  bool flushes_subnormals() const override {
    return kind_ != Reduction::kMax && kind_ != Reduction::kMin;
  }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  // Results of few elements, which control other nodes, become constants. Larger ones stay in the
  // arena.
  bool IsFolded(const OpCall& call) const override {
    constexpr int64_t kMaxFolded = 8;
    return AllConstant(call) && Elements(call.output(0)) <= kMaxFolded;
  }

 private:
  Status CheckTypes(const OpCall& call);
  Status Plan(const OpCall& call);
  template <class T>
  void Compute(const OpCall& call, ThreadPool* pool) const;
  template <class T, class Choice>
  void Choose(ThreadPool* pool, const T* in, T none, const Choice& choice, T* out) const;
  void ComputeBools(const OpCall& call, ThreadPool* pool) const;

  const char* name_;
  Reduction kind_;
  bool quantized_ = false;
  ReducedAxes axes_;
  ReduceWalk walk_;
};

bool TakesType(Reduction kind, TfLiteType type) {
  const bool logical = kind == Reduction::kAny || kind == Reduction::kAll;
  switch (type) {
    case kTfLiteBool:
      return logical;
    case kTfLiteFloat32:
    case kTfLiteInt32:
    case kTfLiteInt64:
    case kTfLiteInt8:
    case kTfLiteUInt8:
    case kTfLiteInt16:
      return !logical && (kind != Reduction::kProduct || type != kTfLiteUInt8);
    default:
      return false;
  }
}

Status Reduce::CheckTypes(const OpCall& call) {
  const TfLiteTensor *input = call.input(0), *output = call.output(0);
  if (!TakesType(kind_, input->type)) {
    return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(input, output, "input and output"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "axes"));
  const bool scaled = IsQuantizedType(input->type);
  quantized_ = scaled && kind_ != Reduction::kMax && kind_ != Reduction::kMin;
  if (!scaled || quantized_) return OkStatus();
  const StatusOr<Quantization> from = QuantizationOf(input, "input"),
                               to = QuantizationOf(output, "output");
  if (from.ok() && to.ok() && (from->scale != to->scale || from->zero_point != to->zero_point)) {
    return Invalid("input and output must have one quantization (", from->scale, ", ", to->scale,
                   ")");
  }
  return OkStatus();
}

// A list without elements has nothing to compute.
bool AreAxesKnown(const TfLiteTensor* axes) {
  return IsConstant(axes) || (Elements(axes) == 0 && !IsDynamic(axes));
}

Status Reduce::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(CheckTypes(call));
  if (quantized_) TERN_RETURN_IF_ERROR(CheckReduceScales(call));
  if (AreAxesKnown(call.input(1))) return Plan(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status Reduce::Plan(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape axes, ReadIntegers(call.input(1), "axes"));
  const Shape input = ShapeOf(call.input(0));
  TERN_ASSIGN_OR_RETURN(axes_,
                        ReducedAxesOf(input, axes, call.params<TfLiteReducerParams>().keep_dims));
  TERN_RETURN_IF_ERROR(CheckedElements(axes_.output).status());
  if (quantized_ && kind_ == Reduction::kProduct) {
    TERN_RETURN_IF_ERROR(CheckProductScales(call, axes_.count));
  }
  walk_ = ReduceWalk(input, axes_);
  return call.SetShape(call.output(0), axes_.output);
}

Status Reduce::Eval(const OpCall& call) {
  if (!AreAxesKnown(call.input(1))) TERN_RETURN_IF_ERROR(Plan(call));
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  ThreadPool* pool = Pool(call);
  if (quantized_) return ReduceQuantized(call, kind_, walk_, axes_.count, pool);
  const TfLiteType type = call.input(0)->type;
  const auto compute = [&](auto zero) { Compute<decltype(zero)>(call, pool); };
  if (!Types<float, int32_t, int64_t, int16_t, int8_t, uint8_t>::Dispatch(type, compute)) {
    ComputeBools(call, pool);
  }
  return OkStatus();
}

// Integers wrap. Floats are summed in double; products, which can pass float's range on the
// way, in float.
template <class T>
void Reduce::Compute(const OpCall& call, ThreadPool* pool) const {
  constexpr bool kFloat = std::is_floating_point_v<T>;
  using Sum = std::conditional_t<kFloat, double, uint64_t>;
  using Product = std::conditional_t<kFloat, float, uint64_t>;
  const T* in = Data<T>(call.input(0));
  T* out = MutableData<T>(call.output(0));
  const auto keep = [out](int64_t at, auto v) { out[at] = static_cast<T>(v); };
  if constexpr (kFloat) {
    const SumForms* forms = fast() ? FastSums() : nullptr;
    if (forms != nullptr && (kind_ == Reduction::kSum || kind_ == Reduction::kMean)) {
      const double n = kind_ == Reduction::kMean ? static_cast<double>(axes_.count) : 1.0;
      return walk_.RunSums(pool, *forms, in, [out, n](int64_t at, double sum) {
        out[at] = static_cast<float>(sum / n);
      });
    }
  }
  const auto add = [](Sum sum, T v) { return sum + static_cast<Sum>(v); };
  switch (kind_) {
    case Reduction::kSum:
      return walk_.Run(pool, in, Sum{0}, add, keep);
    case Reduction::kMean:
      return walk_.Run(pool, in, Sum{0}, add, [out, n = axes_.count](int64_t at, Sum sum) {
        if constexpr (kFloat) {
          out[at] = static_cast<T>(sum / static_cast<double>(n));
        } else {
          out[at] = n == 0 ? T{0} : static_cast<T>(static_cast<int64_t>(sum) / n);
        }
      });
    case Reduction::kProduct:
      return walk_.Run(
          pool, in, Product{1},
          [](Product product, T v) { return product * static_cast<Product>(v); }, keep);
    case Reduction::kMax:
      return Choose(
          pool, in, std::numeric_limits<T>::lowest(), [](T a, T v) { return v > a ? v : a; }, out);
    default:
      return Choose(
          pool, in, std::numeric_limits<T>::max(), [](T a, T v) { return v < a ? v : a; }, out);
  }
}

// One of the elements, or `none` where there is no element. NaN is passed over; where nothing comes
// before an infinity that comes last, the first element is taken.
template <class T, class Choice>
void Reduce::Choose(ThreadPool* pool, const T* in, T none, const Choice& choice, T* out) const {
  if constexpr (std::is_floating_point_v<T>) {
    const T last = std::copysign(std::numeric_limits<T>::infinity(), none);
    if (walk_.HasElements()) {
      return walk_.Run(pool, in, last, choice,
                       [out, last](int64_t at, T v, T first) { out[at] = v == last ? first : v; });
    }
  }
  walk_.Run(pool, in, none, choice, [out](int64_t at, T v) { out[at] = v; });
}

void Reduce::ComputeBools(const OpCall& call, ThreadPool* pool) const {
  const uint8_t* in = Data<uint8_t>(call.input(0));
  uint8_t* out = MutableData<uint8_t>(call.output(0));
  const auto keep = [out](int64_t at, uint8_t v) { out[at] = v; };
  const auto to_bool = [](uint8_t v) { return static_cast<uint8_t>(v != 0 ? 1 : 0); };
  if (kind_ == Reduction::kAny) {
    walk_.Run(
        pool, in, uint8_t{0}, [&](uint8_t a, uint8_t v) { return std::max(a, to_bool(v)); }, keep);
  } else {
    walk_.Run(
        pool, in, uint8_t{1}, [&](uint8_t a, uint8_t v) { return std::min(a, to_bool(v)); }, keep);
  }
}

template <Reduction kind>
class ReduceBy : public Reduce {
 public:
  explicit ReduceBy(OpForm form) : Reduce(form, Name(), kind) {}

 private:
  static const char* Name() {
    constexpr const char* kNames[] = {"MEAN",        "SUM",        "REDUCE_MAX", "REDUCE_MIN",
                                      "REDUCE_PROD", "REDUCE_ANY", "REDUCE_ALL"};
    return kNames[static_cast<int>(kind)];
  }
};

}  // namespace

TfLiteRegistration MeanRegistration(OpForm form) {
  return MakeRegistration<ReduceBy<Reduction::kMean>>(form);
}
TfLiteRegistration SumRegistration(OpForm form) {
  return MakeRegistration<ReduceBy<Reduction::kSum>>(form);
}
TfLiteRegistration ReduceMaxRegistration(OpForm form) {
  return MakeRegistration<ReduceBy<Reduction::kMax>>(form);
}
TfLiteRegistration ReduceMinRegistration(OpForm form) {
  return MakeRegistration<ReduceBy<Reduction::kMin>>(form);
}
TfLiteRegistration ReduceProdRegistration(OpForm form) {
  return MakeRegistration<ReduceBy<Reduction::kProduct>>(form);
}
TfLiteRegistration ReduceAnyRegistration(OpForm form) {
  return MakeRegistration<ReduceBy<Reduction::kAny>>(form);
}
TfLiteRegistration ReduceAllRegistration(OpForm form) {
  return MakeRegistration<ReduceBy<Reduction::kAll>>(form);
}

}  // namespace tern
