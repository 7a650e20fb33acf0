// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "flatbuffers/flexbuffers.h"
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

Example::Finish Weights(const char* type) {
  return [type](ModelBuilder& b, tflite::TensorType) {
    flexbuffers::Builder options;
    options.Map([&] {
      options.Int("num_experts", 3);
      options.Int("num_active_experts", 2);
      options.Int("model_dim", 4);
      options.Int("hidden_dim", 2);
      options.String("weight_type", type);
    });
    options.Finish();
    b.op().custom_options = options.GetBuffer();
  };
}

const Examples kMoeExamples({
    {"moe",
     "T(R:1,1,1,1,2,4) F32=1(2,2) I32=0(2,2) F32=1(2,3,4) F32=1(2,3,4) F32=1(4,3,2) F32=1(3) -> T",
     Weights("fp32")},
    {"moe",
     "T(R:1,1,1,1,2,4) F32=1(2,2) I32=0(2,2) I8=1(2,3,4) F32=1(6) I8=1(2,3,4) F32=1(6) "
     "I8=1(4,3,2) F32=1(12) F32=1(3) -> T",
     Weights("int8")},
    {"moe",
     "T(R:1,1,1,1,2,4) F32=1(2,2) I32=0(2,2) I8=1(2,3,2) F32=1(12) I8=1(2,3,2) F32=1(6) "
     "I8=1(4,3,1) F32=1(12) F32=1(3) -> T",
     Weights("int4")},
});

}  // namespace
}  // namespace tern::testing
