// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
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
