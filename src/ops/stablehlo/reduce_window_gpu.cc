// SPDX-License-Identifier: Apache-2.0
// REDUCE_WINDOW on the GPU.
#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/stablehlo/reduce_window_rules.h"

namespace tern::gpu {
namespace {

// Of the kernel.
constexpr int kSum = 0, kProduct = 1, kSmaller = 2, kLarger = 3;

// BOOL is 0 or 1: all are true where the product is, any where the largest is.
absl::StatusOr<int> KernelFunction(const Node& node, Lowering& lower, bool bools) {
  switch (const auto function = node.Get<TfLiteReduceWindowParams>().reduce_function) {
    case TfLiteReduceWindowFunctionAdd:
      return bools ? kLarger : kSum;
    case TfLiteReduceWindowFunctionMul:
      return kProduct;
    case TfLiteReduceWindowFunctionMin:
      return bools ? kProduct : kSmaller;
    case TfLiteReduceWindowFunctionMax:
      return kLarger;
    case TfLiteReduceWindowFunctionAll:
    case TfLiteReduceWindowFunctionAny:
      if (bools) return function == TfLiteReduceWindowFunctionAll ? kProduct : kLarger;
      return lower.Unsupported(node, "all and any of floats", {Reason::kOptions});
    default:
      return lower.Unsupported(node, StrCat("function ", static_cast<int>(function)),
                               {Reason::kOptions});
  }
}

absl::Status LowerReduceWindow(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* initial, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Shape shape = ShapeOf(*in);
  if (initial->type != in->type || initial->box().elements() != 1) {
    return lower.Unsupported(node, "the initial value is not one number of the input's type");
  }
  Shape lists[3];
  for (int i = 0; i < 3; ++i) {
    TERN_ASSIGN_OR_RETURN(lists[i], lower.Ints(node, 2 + i));
    if (lists[i].size() != shape.size()) {
      return lower.Unsupported(node, StrCat("input ", 2 + i, " has no number per axis (",
                                            lists[i].size(), ", ", shape.size(), ")"));
    }
  }
  const StatusOr<Windows> windows = WindowsOf(shape, lists[0], lists[1], lists[2]);
  if (!windows.ok()) return lower.Unsupported(node, Message(windows.status()));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, windows->output));
  if (shape.size() > kMaxGatherRank) {
    return lower.Unsupported(node, StrCat("rank ", shape.size(), " (limit ", kMaxGatherRank, ")"));
  }
  if (in->quantized || out->quantized) {
    return lower.Unsupported(node, "the CPU combines stored integers, whatever they stand for",
                             {Reason::kQuantization});
  }
  const bool bools = in->type == kTfLiteBool;
  TERN_ASSIGN_OR_RETURN(const int function, KernelFunction(node, lower, bools));
  const Box box = out->box();
  const Shape strides = DenseStrides(shape);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::reduce_window);
  dispatch.Read("src", 0).Read("initial", 1).Write("dst", 0);
  dispatch.Define("OP", function).Define("INTS", bools ? 1 : 0);
  dispatch.Define("RANK", static_cast<int>(shape.size()));
  int64_t taps = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    const WindowStep& step = windows->axes[i];
    taps *= step.size;
    dispatch.Int(StrCat("dim", i), windows->output[i]).Int(StrCat("size", i), step.size);
    // Steps that nothing takes may be of any length.
    dispatch.Int(StrCat("window_step", i), windows->output[i] == 1 ? 0 : step.stride * strides[i]);
    dispatch.Int(StrCat("tap_step", i), step.size == 1 ? 0 : step.dilation * strides[i]);
  }
  dispatch.Int("taps", taps);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace

GpuOp ReduceWindowGpu() {
  return {.lower = LowerReduceWindow,
          .traits = {.types = kFloats | kBools, .takes_epilogue = true}};
}

}  // namespace tern::gpu
