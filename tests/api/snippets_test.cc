// SPDX-License-Identifier: Apache-2.0
// The C++ code blocks of the product documents, word for word (snippets/*.inc), compiled and run.
// Each function below supplies only the names that its document leaves to the reader: the model's
// path, the interpreter of the block before, and what reads and writes the tensors.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

using namespace tflite;

namespace {

const char* const model_path = "demo/landscape.tflite";
constexpr size_t kInputs = size_t{240} * 320 * 3;
constexpr size_t kOutputs = size_t{240} * 320 * 7;

float InputElement(size_t i) { return static_cast<float>(i % 511) / 255.0f - 1.0f; }

void WriteToInputTensor(float* data) {
  ASSERT_NE(data, nullptr);
  for (size_t i = 0; i < kInputs; ++i) data[i] = InputElement(i);
}

std::vector<float> last_output;

void ReadFromOutputTensor(const float* data) {
  ASSERT_NE(data, nullptr);
  last_output.assign(data, data + kOutputs);
}

std::unique_ptr<Interpreter> PlainInterpreter() {
  static const auto model = FlatBufferModel::BuildFromFile(model_path);
  static const ops::builtin::BuiltinOpResolver op_resolver;
  std::unique_ptr<Interpreter> interpreter;
  if (model != nullptr) InterpreterBuilder(*model, op_resolver)(&interpreter);
  return interpreter;
}

const std::vector<float>& CpuOutput() {
  static const std::vector<float> output = [] {
    const std::unique_ptr<Interpreter> interpreter = PlainInterpreter();
    interpreter->AllocateTensors();
    WriteToInputTensor(interpreter->typed_input_tensor<float>(0));
    interpreter->Invoke();
    const float* data = interpreter->typed_output_tensor<float>(0);
    return std::vector<float>(data, data + kOutputs);
  }();
  return output;
}

void ExpectCpuOutput() {
  ASSERT_EQ(last_output.size(), CpuOutput().size());
  float worst = 0;
  for (size_t i = 0; i < kOutputs; ++i) {
    worst = std::max(worst, std::fabs(last_output[i] - CpuOutput()[i]));
  }
  EXPECT_LT(worst, 2e-3f);
}

// Runs what a block set up.
void RunAndCompare(Interpreter* interpreter) {
  WriteToInputTensor(interpreter->typed_input_tensor<float>(0));
  ASSERT_EQ(interpreter->Invoke(), kTfLiteOk);
  ReadFromOutputTensor(interpreter->typed_output_tensor<float>(0));
  ExpectCpuOutput();
}

bool HasGpu() {
  static const bool has = [] {
    const std::unique_ptr<Interpreter> interpreter = PlainInterpreter();
    TfLiteDelegate* delegate = TfLiteGpuDelegateV2Create(nullptr);
    const bool ok = delegate != nullptr && interpreter != nullptr &&
                    interpreter->ModifyGraphWithDelegate(delegate) == kTfLiteOk;
    TfLiteGpuDelegateV2Delete(delegate);
    return ok;
  }();
  return has;
}

class SnippetsTest : public testing::Test {
 protected:
  void SetUp() override {
    last_output.clear();
    if (!HasGpu()) GTEST_SKIP() << "no GPU device for the documented snippets";
  }
};

bool AndroidBasic() {
#include "snippets/android_basic.inc"
  return true;
}

TEST_F(SnippetsTest, AndroidBasic) {
  ASSERT_TRUE(AndroidBasic());
  ExpectCpuOutput();
}

bool QuantizationOff(Interpreter* interpreter) {
#include "snippets/quantization_off.inc"
  RunAndCompare(interpreter);
  TfLiteGpuDelegateV2Delete(delegate);
  return true;
}

TEST_F(SnippetsTest, QuantizationOff) { ASSERT_TRUE(QuantizationOff(PlainInterpreter().get())); }

bool QuantizationOn(const std::unique_ptr<Interpreter>& interpreter) {
#include "snippets/quantization_on.inc"
  RunAndCompare(interpreter.get());
  TfLiteGpuDelegateV2Delete(delegate);
  return true;
}

TEST_F(SnippetsTest, QuantizationOn) { ASSERT_TRUE(QuantizationOn(PlainInterpreter())); }

bool Serialization(const std::unique_ptr<Interpreter>& interpreter, const char* kTmpDir) {
  const char* const kModelToken = "landscape";
#include "snippets/serialization.inc"
  RunAndCompare(interpreter.get());
  TfLiteGpuDelegateV2Delete(delegate);
  return true;
}

TEST_F(SnippetsTest, Serialization) {
  // The test of the other standard runs at the same time.
  const std::string folder =
      testing::TempDir() + "tern_snippets_serialization_" + std::to_string(getpid());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto files = [&folder] {
    return std::distance(std::filesystem::directory_iterator(folder), {});
  };
  ASSERT_TRUE(Serialization(PlainInterpreter(), folder.c_str()));
  const auto saved = files();
  EXPECT_GT(saved, 0);
  // The second start finds all that it needs.
  ASSERT_TRUE(Serialization(PlainInterpreter(), folder.c_str()));
  EXPECT_EQ(files(), saved);
  std::filesystem::remove_all(folder);
}

// The document's loop never ends; writing the input for the third time does.
struct LoopEnds {};

// The document does not say what `model` is: both kinds of model and the owning pointer have to do.
template <typename AnyModel>
bool Announcement(const AnyModel& model, TfLiteDelegate** made) {
  const ops::builtin::BuiltinOpResolver op_resolver;
  const auto NewGpuDelegate = [made](std::nullptr_t) { return *made = ::NewGpuDelegate(nullptr); };
  int runs = 0;
  const auto WriteToInputTensor = [&runs](float* data) {
    if (++runs == 3) throw LoopEnds();
    ::WriteToInputTensor(data);
  };
#include "snippets/announcement.inc"
  return true;
}

template <typename AnyModel>
void RunAnnouncement(const AnyModel& model) {
  TfLiteDelegate* delegate = nullptr;
  last_output.clear();
  EXPECT_THROW(Announcement(model, &delegate), LoopEnds);
  ExpectCpuOutput();
  DeleteGpuDelegate(delegate);
}

TEST_F(SnippetsTest, AnnouncementWithEveryKindOfModel) {
  const std::unique_ptr<FlatBufferModel> model = FlatBufferModel::BuildFromFile(model_path);
  ASSERT_NE(model, nullptr);
  RunAnnouncement(*model);
  RunAnnouncement(model->GetModel());
  RunAnnouncement(model);
}

// Beside the blocks: the delegate may die before the interpreter, and a null delegate may be
// deleted.
TEST_F(SnippetsTest, DelegateMayDieFirst) {
  const std::unique_ptr<Interpreter> interpreter = PlainInterpreter();
  TfLiteDelegate* delegate = TfLiteGpuDelegateV2Create(nullptr);
  ASSERT_EQ(interpreter->ModifyGraphWithDelegate(delegate), kTfLiteOk);
  TfLiteGpuDelegateV2Delete(delegate);
  TfLiteGpuDelegateV2Delete(nullptr);
}

TEST(SnippetOptionsTest, DefaultsAreTheDocumentedOnes) {
  const TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
  EXPECT_EQ(options.experimental_flags, TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT);
  EXPECT_EQ(options.max_delegated_partitions, 1);
  EXPECT_EQ(options.serialization_dir, nullptr);
}

}  // namespace
