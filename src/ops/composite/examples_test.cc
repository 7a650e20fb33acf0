// SPDX-License-Identifier: Apache-2.0
// Example models of composites on the GPU. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"
#include "ops/testing/flex_options.h"

namespace tern::testing {
namespace {

// By a name that the GPU knows; what stands for it on the CPU only takes the same operands.
void SetNorm(ModelBuilder& b, tflite::TensorType type) {
  tflite::StableHLOCompositeOptionsT o;
  o.name = "odml.l2_norm";
  o.composite_attributes =
      FlexOptions([](flexbuffers::Builder& attributes) { attributes.Float("epsilon", 1e-6f); });
  o.decomposition_subgraph_index = b.AddSubgraph("pass");
  b.Output(b.Input({}, type));
  b.SelectSubgraph(0);
  b.op().builtin_options_2.Set(std::move(o));
}

const Examples kCompositeExamples({{"STABLEHLO_COMPOSITE", "T(R) -> T", SetNorm}});

}  // namespace
}  // namespace tern::testing
