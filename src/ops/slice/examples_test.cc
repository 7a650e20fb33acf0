// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSliceExamples({
    {"SLICE", "T(R) I32=0(r) I32=sizes(r) -> T"},
    {"STRIDED_SLICE", "T(R) I32=0(r) I32=sizes(r) I32=1(r) -> T"},
});

}  // namespace
}  // namespace tern::testing
