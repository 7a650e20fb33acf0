// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSplitExamples({
    {"PACK", "T(R) T(R) -> T", With([] {
       tflite::PackOptionsT o;
       o.values_count = 2;
       return o;
     }())},
    {"SPLIT", "I32=-1() T(R) -> T T", With([] {
       tflite::SplitOptionsT o;
       o.num_splits = 2;
       return o;
     }())},
    {"SPLIT_V", "T(R) I32=3,1(2) I32=-1() -> T T", With([] {
       tflite::SplitVOptionsT o;
       o.num_splits = 2;
       return o;
     }())},
    {"UNPACK", "T(R) -> T T T T", With([] {
       tflite::UnpackOptionsT o;
       o.num = 4;
       o.axis = -1;
       return o;
     }())},
});

}  // namespace
}  // namespace tern::testing
