// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSpaceExamples({
    {"BATCH_TO_SPACE_ND", "T(R:1,2,3,4) I32=1(s) I32=0(s,2) -> T"},
    {"SPACE_TO_BATCH_ND", "T(R:1,2,3,4) I32=1(s) I32=0(s,2) -> T"},
    {"DEPTH_TO_SPACE", "T(R:1,2,3,4) -> T", With([] {
       tflite::DepthToSpaceOptionsT o;
       o.block_size = 2;
       return o;
     }())},
    {"SPACE_TO_DEPTH", "T(R:1,2,4,4) -> T", With([] {
       tflite::SpaceToDepthOptionsT o;
       o.block_size = 2;
       return o;
     }())},
});

}  // namespace
}  // namespace tern::testing
