// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include <utility>

#include "ops/testing/example.h"

namespace tern::testing {
namespace {

// Casts into a type, and out of it.
void SetTypes(ModelBuilder& b, tflite::TensorType) {
  tflite::CastOptionsT o;
  o.in_data_type = b.tensor(b.op().inputs[0]).type;
  o.out_data_type = b.tensor(b.op().outputs[0]).type;
  b.op().builtin_options.Set(std::move(o));
}

const Examples kCastExamples({{"CAST", "T(R) -> F32", SetTypes},
                              {"CAST", "T(R) -> I32", SetTypes},
                              {"BITCAST", "T(R) -> T"}});

}  // namespace
}  // namespace tern::testing
