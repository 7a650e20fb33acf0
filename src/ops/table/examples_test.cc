// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kTableExamples({{"Table", "T(R) I8=0(256) -> I8"},
                               {"Table", "T(R) I16=0(513) -> I16"}});

}  // namespace
}  // namespace tern::testing
