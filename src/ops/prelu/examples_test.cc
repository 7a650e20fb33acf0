// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kPreluExamples({{"PRELU", "T(R) T=1(c) -> T"}});

}  // namespace
}  // namespace tern::testing
