// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "flatbuffers/flexbuffers.h"
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

void SetSize(ModelBuilder& b, tflite::TensorType) {
  flexbuffers::Builder options;
  options.Map([&] { options.Int("hadamard_size", 4); });
  options.Finish();
  b.op().custom_options = options.GetBuffer();
}

const Examples kHadamardExamples({{"aeq.hadamard_rotation", "T(R:1,1,1,1,2,4) -> T", SetSize}});

}  // namespace
}  // namespace tern::testing
