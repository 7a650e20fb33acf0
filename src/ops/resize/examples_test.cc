// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kResizeExamples({"RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"},
                               "T(R:1,4,4,3) I32=6,5(2) -> T");

}  // namespace
}  // namespace tern::testing
