// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kTableExamples({{"Table", "T(R) I8=0(256) -> I8"},
                               {"Table", "T(R) I16=0(513) -> I16"}});

}  // namespace
}  // namespace tern::testing
