// SPDX-License-Identifier: Apache-2.0
// DEQUANTIZE on the GPU: of FLOAT16. What it makes of a constant is known before the run.
#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"

namespace tern::gpu {
namespace {

absl::Status LowerDequantize(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  if (in->is_constant()) {
    TERN_RETURN_IF_ERROR(lower.Floats(node, 0).status());
    return lower.Unsupported(node, "the constant could not be read ahead");
  }
  if (in->type == kTfLiteFloat16) {
    return LowerSteps(node, lower, ElementwiseChain{{.expression = "v"}});
  }
  return lower.Unsupported(node, StrCat("tensor '", in->name, "' has type ",
                                        TfLiteTypeGetName(in->type), " and is no constant"));
}

}  // namespace

GpuOp DequantizeGpu() { return {.lower = LowerDequantize, .traits = {.types = kFloats | kHalves}}; }

}  // namespace tern::gpu
