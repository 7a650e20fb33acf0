// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kNormalizationExamples({{"L2_NORMALIZATION", "T(R) -> T"},
                                       {"LOCAL_RESPONSE_NORMALIZATION", "T(R:1,2,3,4) -> T",
                                        With([] {
                                          tflite::LocalResponseNormalizationOptionsT o;
                                          o.radius = 1;
                                          o.bias = o.alpha = o.beta = 1;
                                          return o;
                                        }())}});

}  // namespace
}  // namespace tern::testing
