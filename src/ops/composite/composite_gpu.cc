// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_COMPOSITE on the GPU: from a name to what computes it.
#include "ops/composite/composite_gpu.h"

#include <string_view>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"

namespace tern::gpu {
namespace {

struct SupportedComposite {
  std::string_view name;
  LowerFunction lower;
  int max_inputs;
};

constexpr SupportedComposite kSupported[] = {
    {"odml.rms_norm", LowerRmsNorm, 2},
    {"odml.l2_norm", LowerL2Norm, 1},
    {"odml.group_norm", LowerGroupNorm, 3},
    {"odml.scaled_dot_product_attention", LowerAttention, 4},
};

absl::Status LowerComposite(const Node& node, Lowering& lower) {
  constexpr int kLastVersion = 1;
  const auto& params = node.Get<TfLiteStablehloCompositeParams>();
  const std::string_view name = params.name == nullptr ? "" : params.name;
  for (const SupportedComposite& known : kSupported) {
    if (known.name != name) continue;
    const int inputs = static_cast<int>(node.inputs.size());
    if (inputs > known.max_inputs || node.outputs.size() != 1) {
      return lower.Unsupported(node,
                               StrCat(name, " has ", inputs, " operands and ", node.outputs.size(),
                                      " outputs (", known.max_inputs, " and 1 at most)"),
                               {Reason::kOperands});
    }
    if (params.version < 0 || params.version > kLastVersion) {
      return lower.Unsupported(
          node, StrCat(name, " has version ", params.version, " (at most ", kLastVersion, ")"),
          {Reason::kOptions});
    }
    return known.lower(node, lower);
  }
  return lower.Unsupported(node, StrCat("composite '", name, "' has no GPU form"),
                           {Reason::kNoGpuForm});
}

}  // namespace

GpuOp StablehloCompositeGpu() {
  return {.lower = LowerComposite, .traits = {.types = kFloats | kHalves, .takes_epilogue = true}};
}

}  // namespace tern::gpu
