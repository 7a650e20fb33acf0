// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kResizeExamples({"RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"},
                               "T(R:1,4,4,3) I32=6,5(2) -> T");

}  // namespace
}  // namespace tern::testing
