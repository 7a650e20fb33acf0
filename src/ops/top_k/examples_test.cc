// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kTopKExamples({{"TOPK_V2", "T(R) I32=2() -> T I32"}});

}  // namespace
}  // namespace tern::testing
