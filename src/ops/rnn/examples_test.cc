// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kRnnStep({"RNN"}, "T(R:8,3) W=1(4,3) W=1(4,4) B=0(4) T!(8,4) -> T");
const Examples kRnnSequence({"UNIDIRECTIONAL_SEQUENCE_RNN"},
                            "T(R:8,2,3) W=1(4,3) W=1(4,4) B=0(4) T!(8,4) -> T");
const Examples kRnnBothWays(
    {"BIDIRECTIONAL_SEQUENCE_RNN"},
    "T(R:8,2,3) W=1(4,3) W=1(4,4) B=0(4) T!(8,4) W=1(4,3) W=1(4,4) B=0(4) T!(8,4) - - - -> T T");

}  // namespace
}  // namespace tern::testing
