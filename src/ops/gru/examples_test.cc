// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kGruExamples({{"UNIDIRECTIONAL_SEQUENCE_GRU",
                              "T(R:2,3,4) T(3,5) T=1(10,9) T=1(10) T=1(5,9) T=1(5) -> T T"}});

}  // namespace
}  // namespace tern::testing
