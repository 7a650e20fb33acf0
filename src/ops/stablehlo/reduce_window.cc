// SPDX-License-Identifier: Apache-2.0
// REDUCE_WINDOW and STABLEHLO_REDUCE_WINDOW: windows that slide over a tensor of any rank, each
// combined, with an initial value, into one number.
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/stablehlo/body.h"
#include "ops/stablehlo/reduce_window_rules.h"

namespace tern {
namespace {

template <class T>
void Reduce(const OpCall& call, const Windows& windows, Combine how) {
  const Shape in = ShapeOf(call.input(0)), strides = DenseStrides(in);
  Shape sizes;
  int64_t taps = 1;
  for (const WindowStep& s : windows.axes) {
    sizes.push_back(s.size);
    taps *= s.size;
  }
  const T* from = Data<T>(call.input(0));
  const T initial = *Data<T>(call.input(1));
  IndexWalk out(windows.output);
  for (int64_t i = 0; i < Elements(call.output(0)); ++i, out.Next()) {
    T value = initial;
    IndexWalk window(sizes);
    for (int64_t tap = 0; tap < taps; ++tap, window.Next()) {
      bool inside = true;
      int64_t flat = 0;
      for (size_t a = 0; a < in.size(); ++a) {
        const WindowStep& s = windows.axes[a];
        const int64_t at = out.at()[a] * s.stride + window.at()[a] * s.dilation - s.low;
        inside = inside && at >= 0 && at % s.base == 0 && at / s.base < in[a];
        flat += at / s.base * strides[a];
      }
      value = Combined(how, value, inside ? from[flat] : initial);
    }
    MutableData<T>(call.output(0))[i] = value;
  }
}

// Windows ask whether all numbers, or any, differ from 0, where other operations combine bits.
Combine OfWindows(Combine how) {
  if (how == Combine::kAnd) return Combine::kAll;
  return how == Combine::kOr ? Combine::kAny : how;
}

Status CheckOperands(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckSameType(call.input(0), call.output(0), "input and output"));
  TERN_RETURN_IF_ERROR(CheckSameType(call.input(0), call.input(1), "input and initial value"));
  if (Elements(call.input(1)) == 1) return OkStatus();
  return Invalid("the initial value must be one number (", ShapeText(ShapeOf(call.input(1))), ")");
}

Status EvalWindows(const OpCall& call, const Windows& windows, Combine how) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "initial value"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  return WithType(call.input(0)->type, [&](auto type) {
    Reduce<decltype(type)>(call, windows, how);
    return OkStatus();
  });
}

class StablehloReduceWindow : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "STABLEHLO_REDUCE_WINDOW"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckOperands(call));
    const int body = call.params<TfLiteStablehloReduceWindowParams>().body_subgraph_index;
    TERN_ASSIGN_OR_RETURN(const Combine how, CombineOfSubgraph(call, body, false));
    how_ = OfWindows(how);
    TERN_RETURN_IF_ERROR(CheckCombine(how_, call.input(0)->type));
    TERN_ASSIGN_OR_RETURN(const Windows windows, ReadWindows(call));
    return call.SetShape(call.output(0), windows.output);
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Windows windows, ReadWindows(call));
    return EvalWindows(call, windows, how_);
  }

 private:
  static StatusOr<Windows> ReadWindows(const OpCall& call) {
    const auto& p = call.params<TfLiteStablehloReduceWindowParams>();
    const Shape in = ShapeOf(call.input(0));
    if (in.size() > TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT) {
      return Unsupported("the rank is too high (", in.size(), ")");
    }
    std::vector<WindowStep> axes;
    for (size_t i = 0; i < in.size(); ++i) {
      axes.push_back({p.window_dimensions[i], p.window_strides[i], p.window_dilations[i],
                      p.base_dilations[i], p.padding[2 * i], p.padding[2 * i + 1]});
    }
    return WindowsOf(in, std::move(axes));
  }

  Combine how_ = Combine::kAdd;
};

class ReduceWindow : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "REDUCE_WINDOW"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(5, 5, 1));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckOperands(call));
    TERN_ASSIGN_OR_RETURN(const Combine how, FunctionOf(call));
    TERN_RETURN_IF_ERROR(CheckCombine(how, call.input(0)->type));
    // All shapes, because what reads the numbers, even at run time, goes by the first list's
    // length.
    bool known = true;
    for (int i = 2; i < 5; ++i) {
      if (ShapeOf(call.input(i)) != Shape{Rank(call.input(0))}) {
        return Invalid("input ", i, " must have a number per axis (",
                       ShapeText(ShapeOf(call.input(i))), ", ", Rank(call.input(0)), ")");
      }
      known = known && IsConstant(call.input(i));
    }
    if (!known) {
      MakeDynamic(call.output(0));
      return OkStatus();
    }
    TERN_ASSIGN_OR_RETURN(const Windows windows, ReadWindows(call));
    return call.SetShape(call.output(0), windows.output);
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Windows windows, ReadWindows(call));
    if (IsDynamic(call.output(0))) {
      TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), windows.output));
    }
    TERN_ASSIGN_OR_RETURN(const Combine how, FunctionOf(call));
    return EvalWindows(call, windows, how);
  }

 private:
  static StatusOr<Combine> FunctionOf(const OpCall& call) {
    const auto function = call.params<TfLiteReduceWindowParams>().reduce_function;
    switch (function) {
      case TfLiteReduceWindowFunctionAdd:
        return Combine::kAdd;
      case TfLiteReduceWindowFunctionMul:
        return Combine::kMultiply;
      case TfLiteReduceWindowFunctionMin:
        return Combine::kSmaller;
      case TfLiteReduceWindowFunctionMax:
        return Combine::kLarger;
      case TfLiteReduceWindowFunctionAll:
        return Combine::kAll;
      case TfLiteReduceWindowFunctionAny:
        return Combine::kAny;
      default:
        return Invalid("unknown function (", static_cast<int>(function), ")");
    }
  }

  static StatusOr<Windows> ReadWindows(const OpCall& call) {
    TERN_ASSIGN_OR_RETURN(const Shape sizes, ReadIntegers(call.input(2), "window sizes"));
    TERN_ASSIGN_OR_RETURN(const Shape strides, ReadIntegers(call.input(3), "strides"));
    TERN_ASSIGN_OR_RETURN(const Shape dilations, ReadIntegers(call.input(4), "dilations"));
    return WindowsOf(ShapeOf(call.input(0)), sizes, strides, dilations);
  }
};

}  // namespace

TfLiteRegistration StablehloReduceWindowRegistration(OpForm form) {
  return MakeRegistration<StablehloReduceWindow>(form);
}
TfLiteRegistration ReduceWindowRegistration(OpForm form) {
  return MakeRegistration<ReduceWindow>(form);
}

}  // namespace tern
