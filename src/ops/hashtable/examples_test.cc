// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include <algorithm>

#include "ops/testing/example.h"

namespace tern::testing {
namespace {

tflite::HashtableOptionsT FromNumbersToTexts() {
  tflite::HashtableOptionsT o;
  o.key_dtype = tflite::TensorType_INT64;
  o.value_dtype = tflite::TensorType_STRING;
  return o;
}

void SetTable(ModelBuilder& b, tflite::TensorType) {
  b.tensor(b.op().outputs[0]).type = tflite::TensorType_RESOURCE;
  b.op().builtin_options.Set(FromNumbersToTexts());
}

// The operation gets the handle of a table, which is made and filled before.
void UseTable(ModelBuilder& b, tflite::TensorType) {
  const int handle = b.Tensor({1}, tflite::TensorType_RESOURCE);
  b.op().inputs[0] = handle;
  b.SetOpVersion(1);
  b.Op(tflite::BuiltinOperator_HASHTABLE, {}, {handle}, FromNumbersToTexts());
  b.Op(tflite::BuiltinOperator_HASHTABLE_IMPORT,
       {handle, b.Const<int64_t>({1}, {5}), b.ConstStrings({1}, {"five"})}, {});
  auto& ops = b.subgraph().operators;
  std::rotate(ops.begin(), ops.begin() + 1, ops.end());
}

const Examples kHashtableExamples(
    {{"HASHTABLE", "-> I32", SetTable},
     {"HASHTABLE_FIND", "I32=0(1) I64(R) STRING=0(1) -> STRING", UseTable},
     {"HASHTABLE_IMPORT", "I32=0(1) I64=1(2) STRING=0(2) ->", UseTable},
     {"HASHTABLE_SIZE", "I32=0(1) -> I64", UseTable}});

}  // namespace
}  // namespace tern::testing
