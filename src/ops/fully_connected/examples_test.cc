// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kFullyConnectedExamples({
    {"FULLY_CONNECTED", "T(R) W=1(5,c) B=1(5) -> T", With([] {
       tflite::FullyConnectedOptionsT o;
       o.keep_num_dims = true;
       return o;
     }())},
    // Without it, all dimensions but the last one are rows.
    {"FULLY_CONNECTED", "T(R) W=1(5,c) - -> T", With(tflite::FullyConnectedOptionsT())},
});

}  // namespace
}  // namespace tern::testing
