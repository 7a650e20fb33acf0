// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kTopKExamples({{"TOPK_V2", "T(R) I32=2() -> T I32"}});

}  // namespace
}  // namespace tern::testing
