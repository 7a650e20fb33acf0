// SPDX-License-Identifier: Apache-2.0
// Refusals of operands that are no indices.
#include "ops/gpu_kit/indices_gpu.h"

#include "base/status.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {

absl::Status CheckIndices(const Node& node, const Lowering& lower, int input) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* indices, lower.Input(node, input));
  if (indices->number() == Number::kInt) return absl::OkStatus();
  return lower.Unsupported(node, StrCat("the indices have type ", TfLiteTypeGetName(indices->type)),
                           {Reason::kTensorType});
}

bool HoldsShortIndices(const GraphTensor& tensor) {
  return tensor.quantized && tensor.quantized->type == kTfLiteInt16 && tensor.quantized->is_plain();
}

void ReadAnyIndices(int input, const GraphTensor& tensor, DispatchBuilder& dispatch) {
  const bool reals = HoldsShortIndices(tensor);
  dispatch.Define("REALS", reals);
  if (reals) {
    dispatch.Read("indices", input);
  } else {
    dispatch.ReadIndices("indices", input);
  }
}

absl::Status CheckFit32Bits(const Node& node, const Lowering& lower, int input) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* indices, lower.Input(node, input));
  const int producer = lower.graph().Producer(node.inputs[static_cast<size_t>(input)]);
  if (indices->type != kTfLiteInt64 || indices->is_constant() || producer < 0)
    return absl::OkStatus();
  const int code = lower.graph().nodes[static_cast<size_t>(producer)].builtin_code;
  if (code == kTfLiteBuiltinArgMax || code == kTfLiteBuiltinArgMin) return absl::OkStatus();
  return lower.Unsupported(
      node, StrCat("INT64 indices '", indices->name, "' are computed, and may lie beyond 32 bits"),
      {Reason::kNotConstant});
}

}  // namespace tern::gpu
