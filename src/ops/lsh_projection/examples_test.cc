// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kLshProjectionExamples({{"LSH_PROJECTION", "F32(2,3) T(R) F32=1(f) -> I32", With([] {
                                          tflite::LSHProjectionOptionsT o;
                                          o.type = tflite::LSHProjectionType_SPARSE;
                                          return o;
                                        }())}});

}  // namespace
}  // namespace tern::testing
