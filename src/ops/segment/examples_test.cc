// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSorted({{"SEGMENT_SUM", "T(R) I32=0(f) -> T"}});
const Examples kUnsorted({"UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_MIN", "UNSORTED_SEGMENT_PROD",
                          "UNSORTED_SEGMENT_SUM"},
                         "T(R) I32=0(f) I32=2() -> T");

}  // namespace
}  // namespace tern::testing
