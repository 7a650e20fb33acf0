// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSelectExamples({"SELECT", "SELECT_V2"}, "BOOL(R) T(R) T(R) -> T");

}  // namespace
}  // namespace tern::testing
