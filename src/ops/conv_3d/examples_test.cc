// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kConv3dExamples(
    {{"CONV_3D", "T(R:1,3,4,4,3) W=1(2,2,2,3,5) B=1(5) -> T", With([] {
        tflite::Conv3DOptionsT o;
        o.stride_d = 1;
        o.stride_h = o.stride_w = 1;
        return o;
      }())},
     {"CONV_3D_TRANSPOSE", "I32=1,3,4,4,5(5) W=1(2,2,2,5,3) T(R:1,3,4,4,3) B=1(5) -> T", With([] {
        tflite::Conv3DOptionsT o;
        o.stride_d = 1;
        o.stride_h = o.stride_w = 1;
        return o;
      }())}});

}  // namespace
}  // namespace tern::testing
