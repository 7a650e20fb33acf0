// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSoftmaxExamples({
    {"SOFTMAX", "T(R) -> T", With([] {
       tflite::SoftmaxOptionsT o;
       o.beta = 1;
       return o;
     }())},
    {"LOG_SOFTMAX", "T(R) -> T"},
});

}  // namespace
}  // namespace tern::testing
