// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "flatbuffers/flexbuffers.h"
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

void SetTolerance(ModelBuilder& b, tflite::TensorType) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Float("tolerance", 5);
    options.Bool("log_if_failed", false);
  });
  options.Finish();
  b.op().custom_options = options.GetBuffer();
}

const Examples kNumericVerifyExamples({{"NumericVerify", "T(R) F32(R) -> F32", SetTolerance}});

}  // namespace
}  // namespace tern::testing
