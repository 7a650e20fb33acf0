// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
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
