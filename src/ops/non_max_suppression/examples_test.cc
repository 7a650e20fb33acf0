// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kNonMaxSuppressionExamples({
    {"NON_MAX_SUPPRESSION_V4", "T(R:3,4) T(3) I32=2() T=1() T=0() -> I32 I32"},
    {"NON_MAX_SUPPRESSION_V5", "T(R:3,4) T(3) I32=2() T=1() T=0() T=0() -> I32 T I32"},
});

}  // namespace
}  // namespace tern::testing
