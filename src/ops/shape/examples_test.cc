// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kShapeExamples({
    {"BROADCAST_ARGS", "T=1(r) T=sizes(r) -> T"},
    {"FILL", "I32=sizes(r) T=1() -> T"},
    {"RANGE", "T=0() T=3() T=1() -> T"},
    {"RANK", "T(R) -> I32"},
    {"SHAPE", "T(R) -> I32", With([] {
       tflite::ShapeOptionsT o;
       o.out_type = tflite::TensorType_INT32;
       return o;
     }())},
    {"ZEROS_LIKE", "T(R) -> T"},
});

}  // namespace
}  // namespace tern::testing
