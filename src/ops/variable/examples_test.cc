// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include <algorithm>

#include "ops/testing/example.h"

namespace tern::testing {
namespace {

// Something must have given the variable its value before.
void AssignFirst(ModelBuilder& b, tflite::TensorType type) {
  const int handle = b.op().inputs[0], value = b.Input({2, 2}, type);
  b.Op(tflite::BuiltinOperator_ASSIGN_VARIABLE, {handle, value}, {});
  auto& ops = b.subgraph().operators;
  std::rotate(ops.begin(), ops.end() - 1, ops.end());
}

const Examples kVariableExamples({{"ASSIGN_VARIABLE", "I32=0(1) T(R) ->"},
                                  {"READ_VARIABLE", "I32=0(1) -> T", AssignFirst},
                                  {"VAR_HANDLE", "-> I32", With(tflite::VarHandleOptionsT())}});

}  // namespace
}  // namespace tern::testing
