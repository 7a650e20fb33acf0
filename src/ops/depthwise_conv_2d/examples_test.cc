// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kDepthwiseConv2dExamples({{"DEPTHWISE_CONV_2D",
                                          "T(R:1,4,4,3) W=1(1,2,2,3) B=1(3) -> T", With([] {
                                            tflite::DepthwiseConv2DOptionsT o;
                                            o.stride_h = o.stride_w = 1;
                                            o.depth_multiplier = 1;
                                            return o;
                                          }())}});

}  // namespace
}  // namespace tern::testing
