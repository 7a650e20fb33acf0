// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kBatchMatmulExamples({{"BATCH_MATMUL", "T(R) W=1(c,5) -> T"}});

}  // namespace
}  // namespace tern::testing
