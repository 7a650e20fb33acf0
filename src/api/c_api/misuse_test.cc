// SPDX-License-Identifier: Apache-2.0
//
// Wrong use of the C API: a status or a null, one message, and an interpreter that still works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"

namespace tern {
namespace {

using ::testing::HasSubstr;

// Counts what the library says, through its reporter and on standard error.
struct Reports {
  static void Take(void* self, const char* format, va_list args) {
    char line[512];
    std::vsnprintf(line, sizeof(line), format, args);
    static_cast<Reports*>(self)->text += std::string(line) + "\n";
    ++static_cast<Reports*>(self)->count;
  }
  std::string text;
  int count = 0;
};

// y = x + x over [1, 4], the first dimension open; signature "serve" with "in" and "out".
std::vector<uint8_t> AddModel() {
  testing::ModelBuilder b;
  const int x = b.Input({1, 4});
  b.tensor(x).shape_signature = {-1, 4};
  const int y = b.Tensor({1, 4});
  b.Op(tflite::BuiltinOperator_ADD, {x, x}, {y}, tflite::AddOptionsT());
  b.Output(y);
  b.Signature("serve", {{"in", x}}, {{"out", y}});
  return b.Finish();
}

class CApiMisuse : public ::testing::Test {
 protected:
  CApiMisuse() {
    model_ =
        TfLiteModelCreateWithErrorReporter(bytes_.data(), bytes_.size(), Reports::Take, &reports_);
    options_ = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options_, Reports::Take, &reports_);
    interpreter_ = TfLiteInterpreterCreate(model_, options_);
    ::testing::internal::CaptureStderr();
  }
  ~CApiMisuse() override {
    ::testing::internal::GetCapturedStderr();
    TfLiteInterpreterDelete(interpreter_);
    TfLiteInterpreterOptionsDelete(options_);
    TfLiteModelDelete(model_);
  }
  // Messages since the last call.
  int Messages() {
    const std::string log = ::testing::internal::GetCapturedStderr();
    ::testing::internal::CaptureStderr();
    const int count = reports_.count + static_cast<int>(std::count(log.begin(), log.end(), '\n'));
    last_ = reports_.text + log;
    reports_ = Reports();
    return count;
  }
  void ExpectStillRuns() {
    ASSERT_EQ(TfLiteInterpreterAllocateTensors(interpreter_), kTfLiteOk) << reports_.text;
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter_, 0);
    const std::vector<float> ones(TfLiteTensorByteSize(input) / sizeof(float), 1.0f);
    ASSERT_EQ(TfLiteTensorCopyFromBuffer(input, ones.data(), ones.size() * sizeof(float)),
              kTfLiteOk);
    ASSERT_EQ(TfLiteInterpreterInvoke(interpreter_), kTfLiteOk) << reports_.text;
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter_, 0);
    EXPECT_EQ(static_cast<const float*>(TfLiteTensorData(output))[3], 2.0f);
  }

  const std::vector<uint8_t> bytes_ = AddModel();
  Reports reports_;
  std::string last_;
  alignas(64) float values_[16] = {};
  TfLiteModel* model_ = nullptr;
  TfLiteInterpreterOptions* options_ = nullptr;
  TfLiteInterpreter* interpreter_ = nullptr;
};

TEST_F(CApiMisuse, Shapes) {
  ASSERT_NE(interpreter_, nullptr) << reports_.text;
  const int dims[] = {2, -4};
  for (int position : {-1, 1, INT_MAX, INT_MIN}) {
    EXPECT_EQ(TfLiteInterpreterResizeInputTensor(interpreter_, position, dims, 1), kTfLiteError);
    EXPECT_EQ(Messages(), 1) << last_;
  }
  EXPECT_EQ(TfLiteInterpreterResizeInputTensor(interpreter_, 0, dims, -1), kTfLiteError);
  EXPECT_EQ(Messages(), 1) << last_;
  EXPECT_EQ(TfLiteInterpreterResizeInputTensor(interpreter_, 0, nullptr, 2), kTfLiteError);
  EXPECT_EQ(Messages(), 1) << last_;
  EXPECT_EQ(TfLiteInterpreterResizeInputTensor(interpreter_, 0, dims, 2), kTfLiteError);
  EXPECT_EQ(Messages(), 1) << last_;
  EXPECT_THAT(last_, HasSubstr("A FLOAT32 tensor cannot have shape [2,-4]."));
  const int huge[] = {INT_MAX, INT_MAX, INT_MAX};
  EXPECT_EQ(TfLiteInterpreterResizeInputTensor(interpreter_, 0, huge, 3), kTfLiteError);
  EXPECT_EQ(Messages(), 1) << last_;
  ExpectStillRuns();
}

TEST_F(CApiMisuse, BuffersOfAnotherSize) {
  ASSERT_NE(interpreter_, nullptr) << reports_.text;
  float values[8] = {};
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter_, 0);
  EXPECT_EQ(TfLiteTensorData(input), nullptr);
  EXPECT_EQ(TfLiteTensorCopyFromBuffer(input, values, 16), kTfLiteError);  // no memory yet
  EXPECT_EQ(Messages(), 1) << last_;
  ASSERT_EQ(TfLiteInterpreterAllocateTensors(interpreter_), kTfLiteOk);
  const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter_, 0);
  for (size_t size : {size_t{0}, size_t{15}, size_t{17}, SIZE_MAX}) {
    EXPECT_EQ(TfLiteTensorCopyFromBuffer(input, values, size), kTfLiteError);
    EXPECT_EQ(Messages(), 1) << last_;
    EXPECT_EQ(TfLiteTensorCopyToBuffer(output, values, size), kTfLiteError);
    EXPECT_EQ(Messages(), 1) << last_;
  }
  EXPECT_EQ(TfLiteTensorCopyFromBuffer(input, nullptr, 16), kTfLiteError);
  EXPECT_EQ(TfLiteTensorCopyToBuffer(output, nullptr, 16), kTfLiteError);
  EXPECT_EQ(Messages(), 2) << last_;
  ExpectStillRuns();
}

// The memory of a constant may be the file's, which cannot be written.
TEST_F(CApiMisuse, InputsThatAreConstants) {
  testing::ModelBuilder b;
  const int x = b.Input({1, 4});
  const int w = b.Const<float>({4}, {1, 2, 3, 4});
  b.subgraph().inputs.push_back(w);
  const int y = b.Tensor({1, 4});
  b.Op(tflite::BuiltinOperator_ADD, {x, w}, {y}, tflite::AddOptionsT());
  b.Output(y);
  const std::vector<uint8_t> bytes = b.Finish();
  TfLiteModel* model = TfLiteModelCreate(bytes.data(), bytes.size());
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options_);
  ASSERT_EQ(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
  TfLiteTensor* constant = TfLiteInterpreterGetInputTensor(interpreter, 1);
  const float values[4] = {7, 7, 7, 7};
  Messages();
  EXPECT_EQ(TfLiteTensorCopyFromBuffer(constant, values, sizeof(values)), kTfLiteError);
  EXPECT_EQ(Messages(), 1) << last_;
  EXPECT_THAT(last_, HasSubstr("the tensor is a constant of the model."));
  EXPECT_EQ(static_cast<const float*>(TfLiteTensorData(constant))[3], 4.0f);
  TfLiteInterpreterDelete(interpreter);
  TfLiteModelDelete(model);
}

TEST_F(CApiMisuse, Indices) {
  ASSERT_NE(interpreter_, nullptr) << reports_.text;
  const TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter_, 0);
  for (int bad : {-1, 2, INT_MAX, INT_MIN}) {
    EXPECT_EQ(TfLiteInterpreterGetInputTensor(interpreter_, bad), nullptr);
    EXPECT_EQ(TfLiteInterpreterGetOutputTensor(interpreter_, bad), nullptr);
    EXPECT_EQ(TfLiteInterpreterGetTensor(interpreter_, bad), nullptr);
    EXPECT_EQ(TfLiteInterpreterGetSignatureKey(interpreter_, bad), nullptr);
    EXPECT_EQ(TfLiteInterpreterGetVariableTensor(interpreter_, bad), nullptr);
    EXPECT_EQ(TfLiteInterpreterGetInputTensorIndex(interpreter_, bad), -1);
    EXPECT_EQ(TfLiteTensorDim(input, bad), -1);
    EXPECT_EQ(TfLiteOpaqueTensorDim(reinterpret_cast<const TfLiteOpaqueTensor*>(input), bad), -1);
    Messages();
    EXPECT_EQ(TfLiteInterpreterEnsureTensorDataIsReadable(interpreter_, bad), kTfLiteError);
    EXPECT_EQ(Messages(), 1) << last_;
    TfLiteBufferHandle handle = 0;
    TfLiteOpaqueDelegate* delegate = nullptr;
    EXPECT_EQ(TfLiteInterpreterGetBufferHandle(interpreter_, bad, &handle, &delegate),
              kTfLiteError);
    EXPECT_EQ(Messages(), 1) << last_;
    const TfLiteCustomAllocation memory = {values_, sizeof(values_)};
    EXPECT_EQ(TfLiteInterpreterSetCustomAllocationForTensor(interpreter_, bad, &memory, 0),
              kTfLiteError);
    EXPECT_EQ(Messages(), 1) << last_;
  }
  ExpectStillRuns();
}

TEST_F(CApiMisuse, Signatures) {
  ASSERT_NE(interpreter_, nullptr) << reports_.text;
  EXPECT_EQ(TfLiteInterpreterGetSignatureRunner(interpreter_, "nope"), nullptr);
  TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter_, "serve");
  ASSERT_NE(runner, nullptr);
  Messages();
  for (const char* name : {"nope", "", static_cast<const char*>(nullptr)}) {
    EXPECT_EQ(TfLiteSignatureRunnerGetInputTensor(runner, name), nullptr);
    EXPECT_EQ(Messages(), 1) << last_;
    EXPECT_EQ(TfLiteSignatureRunnerGetOutputTensor(runner, name), nullptr);
    EXPECT_EQ(Messages(), 1) << last_;
  }
  const int dims[] = {3, 5};
  EXPECT_EQ(TfLiteSignatureRunnerResizeInputTensor(runner, "in", dims, 2), kTfLiteError);
  EXPECT_EQ(Messages(), 1) << last_;
  EXPECT_EQ(TfLiteSignatureRunnerResizeInputTensor(runner, "in", nullptr, 2), kTfLiteError);
  EXPECT_EQ(TfLiteSignatureRunnerResizeInputTensor(runner, "in", dims, INT_MIN), kTfLiteError);
  EXPECT_EQ(TfLiteSignatureRunnerResizeInputTensor(runner, "out", dims, 2), kTfLiteError);
  EXPECT_EQ(Messages(), 3) << last_;
  EXPECT_EQ(TfLiteSignatureRunnerInvoke(runner), kTfLiteError);
  EXPECT_EQ(Messages(), 1) << last_;
  EXPECT_EQ(TfLiteSignatureRunnerGetInputName(runner, 1), nullptr);
  EXPECT_EQ(TfLiteSignatureRunnerGetOutputName(runner, -1), nullptr);
  TfLiteSignatureRunnerDelete(runner);
  ExpectStillRuns();
}

TEST_F(CApiMisuse, NullObjects) {
  EXPECT_EQ(TfLiteInterpreterCreate(nullptr, options_), nullptr);
  EXPECT_EQ(Messages(), 1) << last_;
  EXPECT_THAT(last_, HasSubstr("TfLiteInterpreterCreate was called with a null pointer."));
  EXPECT_EQ(TfLiteInterpreterCreateWithSelectedOps(nullptr, options_), nullptr);
  EXPECT_EQ(TfLiteInterpreterAllocateTensors(nullptr), kTfLiteError);
  EXPECT_EQ(TfLiteInterpreterInvoke(nullptr), kTfLiteError);
  EXPECT_EQ(TfLiteInterpreterCancel(nullptr), kTfLiteError);
  EXPECT_EQ(TfLiteInterpreterResizeInputTensor(nullptr, 0, nullptr, 0), kTfLiteError);
  EXPECT_EQ(TfLiteInterpreterGetInputTensorCount(nullptr), 0);
  EXPECT_EQ(TfLiteInterpreterGetOutputTensorCount(nullptr), 0);
  EXPECT_EQ(TfLiteInterpreterGetInputTensor(nullptr, 0), nullptr);
  EXPECT_EQ(TfLiteInterpreterGetOutputTensor(nullptr, 0), nullptr);
  EXPECT_EQ(TfLiteInterpreterGetSignatureRunner(nullptr, "serve"), nullptr);
  EXPECT_EQ(TfLiteInterpreterModifyGraphWithDelegate(nullptr, nullptr), kTfLiteError);
  EXPECT_EQ(TfLiteSignatureRunnerInvoke(nullptr), kTfLiteError);
  EXPECT_EQ(TfLiteTensorData(nullptr), nullptr);
  EXPECT_EQ(TfLiteTensorNumDims(nullptr), -1);
  EXPECT_EQ(TfLiteTensorByteSize(nullptr), 0u);
  EXPECT_EQ(TfLiteTensorCopyFromBuffer(nullptr, values_, 4), kTfLiteError);
  EXPECT_EQ(TfLiteTensorCopyToBuffer(nullptr, values_, 4), kTfLiteError);
  TfLiteInterpreterOptionsSetNumThreads(nullptr, 1);
  TfLiteInterpreterOptionsAddDelegate(nullptr, nullptr);
  EXPECT_EQ(Messages(), 19) << last_;
  // Deleting nothing is fine and silent.
  TfLiteModelDelete(nullptr);
  TfLiteInterpreterOptionsDelete(nullptr);
  TfLiteInterpreterDelete(nullptr);
  TfLiteSignatureRunnerDelete(nullptr);
  EXPECT_EQ(TfLiteInterpreterOptionsCopy(nullptr), nullptr);
  EXPECT_EQ(Messages(), 0) << last_;
}

TEST_F(CApiMisuse, ThreadCounts) {
  for (int threads : {-1, 0, 1, INT_MAX, -2, INT_MIN}) {
    TfLiteInterpreterOptionsSetNumThreads(options_, threads);
    Messages();
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model_, options_);
    EXPECT_EQ(interpreter != nullptr, threads >= -1) << threads;
    EXPECT_EQ(Messages(), threads >= -1 ? 0 : 1) << last_;
    TfLiteInterpreterDelete(interpreter);
  }
}

// A changed byte gives a model that runs, a model that fails with a status, or no model.
TEST_F(CApiMisuse, DamagedModels) {
  const auto try_model = [&](const std::vector<uint8_t>& bytes) {
    TfLiteModel* model =
        TfLiteModelCreateWithErrorReporter(bytes.data(), bytes.size(), Reports::Take, &reports_);
    if (model == nullptr) {
      EXPECT_EQ(reports_.count, 1) << reports_.text;
    } else {
      TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options_);
      if (interpreter != nullptr && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk) {
        TfLiteInterpreterInvoke(interpreter);
      }
      TfLiteInterpreterDelete(interpreter);
    }
    TfLiteModelDelete(model);
    reports_ = Reports();
  };
  for (size_t length = 0; length < bytes_.size(); ++length) {
    try_model({bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(length)});
  }
  // Two values for each byte, others for its neighbours; with TERN_ALL_ENGINES set all of them.
  constexpr uint8_t kValues[] = {0, 1, 0x7F, 0x80, 0xFF};
  const size_t values = std::getenv("TERN_ALL_ENGINES") != nullptr ? std::size(kValues) : 2;
  for (size_t i = 0; i < bytes_.size(); ++i) {
    for (size_t other = 0; other < values; ++other) {
      std::vector<uint8_t> damaged = bytes_;
      damaged[i] = kValues[(i + 2 * other) % std::size(kValues)];
      try_model(damaged);
    }
  }
  ExpectStillRuns();
}

}  // namespace
}  // namespace tern
