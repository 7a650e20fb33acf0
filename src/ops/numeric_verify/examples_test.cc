// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
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
