// SPDX-License-Identifier: Apache-2.0
// The two-operand rows of table.inc as CPU ops: FLOAT32, INT32 and INT64, with broadcasting and a
// fused clamp.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "ops/cpu_registry.h"
#include "ops/elementwise/broadcast.h"
#include "ops/elementwise/parameters.h"
#include "ops/op_kit.h"

namespace tern {
namespace {

template <class T>
struct ClampTo {
  T min, max;
  T operator()(T v) const { return v < min ? min : (max < v ? max : v); }
};

template <class T>
ClampTo<T> ClampFor(TfLiteFusedActivation activation) {
  if constexpr (std::is_floating_point_v<T>) {
    const FloatRange range = ActivationRange(activation);
    return {range.min, range.max};
  } else {
    switch (activation) {
      case kTfLiteActRelu:
        return {0, std::numeric_limits<T>::max()};
      case kTfLiteActReluN1To1:
        return {-1, 1};
      case kTfLiteActRelu6:
        return {0, 6};
      default:
        return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
    }
  }
}

class Binary : public Op {
 public:
  using Op::Op;
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 protected:
  virtual bool ReadOptions(const void* options) = 0;
  virtual void Apply(const OpCall& call, ThreadPool* pool) const = 0;

  TfLiteFusedActivation activation_ = kTfLiteActNone;
  BroadcastWalk walk_;
};

Status Binary::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  if (!ReadOptions(call.node()->builtin_data)) return Invalid("options are missing");
  const TfLiteTensor *a = call.input(0), *b = call.input(1);
  const TfLiteType type = a->type;
  if (type != kTfLiteFloat32 && type != kTfLiteInt32 && type != kTfLiteInt64) {
    return Unsupported("type ", TypeText(type), " is not supported yet (input)");
  }
  if (b->type != type || call.output(0)->type != type) {
    return Invalid("operands must have one type (", TypeText(type), ", ", TypeText(b->type), ", ",
                   TypeText(call.output(0)->type), ")");
  }
  const Shape shape_a = ShapeOf(a), shape_b = ShapeOf(b);
  TERN_ASSIGN_OR_RETURN(const Shape shape, BroadcastShape(shape_a, shape_b));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), shape));
  walk_ = BroadcastWalk(shape_a, shape_b, shape);
  return OkStatus();
}

Status Binary::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "first input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "second input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  Apply(call, Pool(call));
  return OkStatus();
}

// Visits result positions [begin, end): function(out, offset a, step a, offset b, step b, count)
// per piece of a row.
template <class F>
void ForEachPiece(const BroadcastWalk& walk, int64_t begin, int64_t end, const F& function) {
  const size_t last = walk.sizes.size() - 1;
  const int64_t row_size = walk.sizes[last];
  for (int64_t at = begin; at < end;) {
    const int64_t column = at % row_size;
    int64_t row = at / row_size;
    int64_t offset_a = column * walk.steps_a[last], offset_b = column * walk.steps_b[last];
    for (size_t axis = last; axis-- > 0;) {
      const int64_t index = row % walk.sizes[axis];
      row /= walk.sizes[axis];
      offset_a += index * walk.steps_a[axis];
      offset_b += index * walk.steps_b[axis];
    }
    const int64_t count = std::min(row_size - column, end - at);
    function(at, offset_a, offset_b, count);
    at += count;
  }
}

template <class T, class F>
void ApplyTyped(const OpCall& call, const BroadcastWalk& walk, TfLiteFusedActivation activation,
                ThreadPool* pool, const F& function) {
  const T* a = Data<T>(call.input(0));
  const T* b = Data<T>(call.input(1));
  T* out = MutableData<T>(call.output(0));
  const ClampTo<T> clamp = ClampFor<T>(activation);
  const int64_t step_a = walk.steps_a.back(), step_b = walk.steps_b.back();
  ParallelFor(pool, Elements(call.output(0)), 4, [&](int64_t begin, int64_t end) {
    ForEachPiece(walk, begin, end, [&](int64_t at, int64_t from_a, int64_t from_b, int64_t count) {
      const T *x = a + from_a, *y = b + from_b;
      T* z = out + at;
      if (step_a == 1 && step_b == 1) {
        for (int64_t i = 0; i < count; ++i) z[i] = clamp(function(x[i], y[i]));
      } else {
        for (int64_t i = 0; i < count; ++i) z[i] = clamp(function(x[i * step_a], y[i * step_b]));
      }
    });
  });
}

// Runs `function` on unsigned numbers when T is an integer, so that overflow wraps.
template <class T, class F>
void ApplyWrapping(const OpCall& call, const BroadcastWalk& walk, TfLiteFusedActivation activation,
                   ThreadPool* pool, const F& function) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    ApplyTyped<T>(call, walk, activation, pool, [&](T v, T w) {
      return static_cast<T>(function(static_cast<U>(v), static_cast<U>(w)));
    });
  } else {
    ApplyTyped<T>(call, walk, activation, pool, function);
  }
}

template <class F>
void ApplyAnyType(const OpCall& call, const BroadcastWalk& walk, TfLiteFusedActivation activation,
                  ThreadPool* pool, const F& function) {
  switch (call.input(0)->type) {
    case kTfLiteInt32:
      return ApplyWrapping<int32_t>(call, walk, activation, pool, function);
    case kTfLiteInt64:
      return ApplyWrapping<int64_t>(call, walk, activation, pool, function);
    default:
      return ApplyWrapping<float>(call, walk, activation, pool, function);
  }
}

}  // namespace

#define ELEMENTWISE_BINARY(builtin, Name, parameters, expression, gpu_text)                    \
  namespace {                                                                                  \
  class Name##Op : public Binary {                                                             \
   public:                                                                                     \
    using Binary::Binary;                                                                      \
    const char* name() const override { return #builtin; }                                     \
                                                                                               \
   protected:                                                                                  \
    bool ReadOptions(const void* options) override {                                           \
      return elementwise::parameters(options, activation_);                                    \
    }                                                                                          \
    void Apply(const OpCall& call, ThreadPool* pool) const override {                          \
      ApplyAnyType(call, walk_, activation_, pool, [](auto v, auto w) { return expression; }); \
    }                                                                                          \
  };                                                                                           \
  }                                                                                            \
  TfLiteRegistration Name##Registration(OpForm form) { return MakeRegistration<Name##Op>(form); }
#include "ops/elementwise/table.inc"

}  // namespace tern
