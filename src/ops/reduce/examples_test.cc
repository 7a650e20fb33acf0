// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kReduceExamples({"MEAN", "REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN",
                                "REDUCE_PROD", "SUM"},
                               "T(R) I32=0(1) -> T");

}  // namespace
}  // namespace tern::testing
