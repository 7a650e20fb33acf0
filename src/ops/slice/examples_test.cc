// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSliceExamples({
    {"SLICE", "T(R) I32=0(r) I32=sizes(r) -> T"},
    {"STRIDED_SLICE", "T(R) I32=0(r) I32=sizes(r) I32=1(r) -> T"},
});

}  // namespace
}  // namespace tern::testing
