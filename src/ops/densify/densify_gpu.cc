// SPDX-License-Identifier: Apache-2.0
// DENSIFY on the GPU: what it makes of a constant is known before the run, and of others it makes
// nothing there.
#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"

namespace tern::gpu {
namespace {

absl::Status LowerDensify(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  if (!in->is_constant())
    return lower.Unsupported(node, StrCat("'", in->name, "' is no constant"),
                             {Reason::kNotConstant});
  return lower.Unsupported(node, "the constant could not be read ahead", {Reason::kTensorType});
}

}  // namespace

GpuOp DensifyGpu() { return {.lower = LowerDensify}; }

}  // namespace tern::gpu
