// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSearchExamples({
    {"BUCKETIZE", "T(R) -> I32", With([] {
       tflite::BucketizeOptionsT o;
       o.boundaries = {0, 2};
       return o;
     }())},
    {"HASHTABLE_LOOKUP", "I32=0(2) I32=0,1(f) T(R) -> T U8"},
    {"UNIQUE", "T(R:4) -> T I32", With([] {
       tflite::UniqueOptionsT o;
       o.idx_out_type = tflite::TensorType_INT32;
       return o;
     }())},
    {"WHERE", "T(R) -> I64"},
});

}  // namespace
}  // namespace tern::testing
