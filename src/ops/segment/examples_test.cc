// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSorted({{"SEGMENT_SUM", "T(R) I32=0(f) -> T"}});
const Examples kUnsorted({"UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_MIN", "UNSORTED_SEGMENT_PROD",
                          "UNSORTED_SEGMENT_SUM"},
                         "T(R) I32=0(f) I32=2() -> T");

}  // namespace
}  // namespace tern::testing
