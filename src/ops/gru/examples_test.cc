// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kGruExamples({{"UNIDIRECTIONAL_SEQUENCE_GRU",
                              "T(R:2,3,4) T(3,5) T=1(10,9) T=1(10) T=1(5,9) T=1(5) -> T T"}});

}  // namespace
}  // namespace tern::testing
