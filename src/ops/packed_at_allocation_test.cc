// SPDX-License-Identifier: Apache-2.0
// Constant weights are packed when tensors are allocated, so that the first run packs nothing.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cpu/instruction_set.h"
#include "cpu/packed_cache.h"
#include "ops/testing/example.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

namespace tern::testing {
namespace {

struct Counts {
  int64_t at_allocation = 0, at_first_run = 0;
};

Counts PackedBy(const std::vector<uint8_t>& bytes) {
  const auto model = tflite::FlatBufferModel::BuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(
      *model, tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates())(&interpreter);
  const int64_t before = PackedCount();
  if (interpreter == nullptr || interpreter->AllocateTensors() != kTfLiteOk) {
    ADD_FAILURE() << "not allocated";
    return {};
  }
  const int64_t allocated = PackedCount();
  for (const int input : interpreter->inputs()) {
    TfLiteTensor* tensor = interpreter->tensor(input);
    if (tensor->type == kTfLiteString) return {};
    if (tensor->bytes > 0) std::memset(tensor->data.raw, 1, tensor->bytes);
  }
  interpreter->Invoke();  // an operation may refuse the numbers; weights are packed before
  return {allocated - before, PackedCount() - allocated};
}

TEST(PackedAtAllocation, FirstRunsPackNothing) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no optimized kernels here";
  std::map<std::string, int64_t> packed;
  for (const Example& example : Examples::All()) {
    for (const std::vector<uint8_t>& bytes : ModelsOnCpu(example)) {
      SCOPED_TRACE(example.op + " " + example.operands);
      const Counts counts = PackedBy(bytes);
      EXPECT_EQ(counts.at_first_run, 0);
      packed[example.op] += counts.at_allocation;
    }
  }
  for (const char* op :
       {"CONV_2D", "FULLY_CONNECTED", "BATCH_MATMUL", "LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM",
        "BIDIRECTIONAL_SEQUENCE_LSTM", "RNN", "UNIDIRECTIONAL_SEQUENCE_RNN",
        "BIDIRECTIONAL_SEQUENCE_RNN", "SVDF", "UNIDIRECTIONAL_SEQUENCE_GRU"}) {
    EXPECT_GT(packed[op], 0) << op;
  }
}

}  // namespace
}  // namespace tern::testing
