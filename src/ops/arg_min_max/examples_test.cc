// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kArgMinMaxExamples({
    {"ARG_MAX", "T(R) I32=0() -> I32", With([] {
       tflite::ArgMaxOptionsT o;
       o.output_type = tflite::TensorType_INT32;
       return o;
     }())},
    {"ARG_MIN", "T(R) I32=0() -> I32", With([] {
       tflite::ArgMinOptionsT o;
       o.output_type = tflite::TensorType_INT32;
       return o;
     }())},
});

}  // namespace
}  // namespace tern::testing
