// SPDX-License-Identifier: Apache-2.0
//
// The file about an interpreter's graphs, read back field by field.
#include "tensorflow/lite/profiling/model_runtime_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/testing/fake_delegate.h"
#include "runtime/testing/fake_ops.h"

namespace tern {
namespace {

using ::testing::ElementsAre;

// A decoded message: by field number, the varints and the byte strings in order.
struct Decoded {
  std::map<int, std::vector<uint64_t>> numbers;
  std::map<int, std::vector<std::string>> strings;
};

uint64_t Varint(const std::string& bytes, size_t* at) {
  uint64_t value = 0;
  for (int shift = 0; *at < bytes.size() && shift < 64; shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[(*at)++]);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  ADD_FAILURE() << "a varint has no end";
  return value;
}

Decoded Decode(const std::string& bytes) {
  Decoded message;
  for (size_t at = 0; at < bytes.size();) {
    const uint64_t tag = Varint(bytes, &at);
    const int field = static_cast<int>(tag >> 3);
    if ((tag & 7) == 0) {
      message.numbers[field].push_back(Varint(bytes, &at));
    } else {
      EXPECT_EQ(tag & 7, 2u);
      const uint64_t size = Varint(bytes, &at);
      EXPECT_LE(at + size, bytes.size());
      message.strings[field].push_back(bytes.substr(at, size));
      at += size;
    }
  }
  return message;
}

std::vector<int> Packed(const std::string& bytes) {
  std::vector<int> values;
  for (size_t at = 0; at < bytes.size();) {
    values.push_back(static_cast<int>(Varint(bytes, &at)));
  }
  return values;
}

TEST(ModelRuntimeInfo, HoldsTensorsNodesAndWhatDelegatesReplaced) {
  testing::RecordingReporter reporter;
  tflite::Interpreter interpreter(&reporter);
  interpreter.AddTensors(2);
  interpreter.SetTensorParametersReadWrite(0, kTfLiteFloat32, "in", {200, 3}, TfLiteQuantization());
  interpreter.SetTensorParametersReadWrite(1, kTfLiteFloat32, "out", {200, 3},
                                           TfLiteQuantization());
  interpreter.SetInputs({0});
  interpreter.SetOutputs({1});
  const TfLiteRegistration add = testing::AddOp();
  interpreter.AddNodeWithParameters({0, kTfLiteOptionalTensor}, {1}, nullptr, 0, nullptr, &add);
  interpreter.primary_subgraph().SetName("main");
  testing::FakeDelegate delegate;
  ASSERT_EQ(interpreter.ModifyGraphWithDelegate(delegate.Ready()), kTfLiteOk);

  const std::string path = ::testing::TempDir() + "/model_runtime_info.pb";
  ASSERT_EQ(tflite::profiling::GenerateModelRuntimeInfo(interpreter, path), kTfLiteOk);
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const Decoded model = Decode(text.str());
  ASSERT_EQ(model.strings.at(2).size(), 1u);
  const Decoded graph = Decode(model.strings.at(2)[0]);
  EXPECT_THAT(graph.numbers.at(5), ElementsAre(1));
  EXPECT_THAT(graph.strings.at(6), ElementsAre("main"));
  EXPECT_THAT(Packed(graph.strings.at(4)[0]), ElementsAre(1));

  ASSERT_EQ(graph.strings.at(2).size(), 2u);
  const Decoded out = Decode(graph.strings.at(2)[1]);
  EXPECT_THAT(out.numbers.at(1), ElementsAre(1));
  EXPECT_THAT(out.strings.at(2), ElementsAre("out"));
  EXPECT_THAT(out.numbers.at(3), ElementsAre(1));
  EXPECT_THAT(Packed(out.strings.at(4)[0]), ElementsAre(200, 3));
  EXPECT_THAT(out.strings.at(5), ElementsAre("kTfLiteArenaRw"));
  EXPECT_THAT(out.numbers.at(7), ElementsAre(2400));

  ASSERT_EQ(graph.strings.at(3).size(), 2u);
  const Decoded replaced = Decode(graph.strings.at(3)[0]);
  EXPECT_THAT(replaced.strings.at(2), ElementsAre("add"));
  EXPECT_THAT(replaced.strings.at(3), ElementsAre("Delegate/add"));
  EXPECT_THAT(Packed(replaced.strings.at(4)[0]), ElementsAre(0, -1));
  EXPECT_THAT(replaced.numbers.at(9), ElementsAre(1));
  const Decoded kernel = Decode(graph.strings.at(3)[1]);
  EXPECT_THAT(kernel.strings.at(3), ElementsAre("FakeKernel"));
  const Decoded details = Decode(kernel.strings.at(8)[0]);
  EXPECT_THAT(details.strings.at(1), ElementsAre("FakeKernel"));
  EXPECT_THAT(Packed(details.strings.at(2)[0]), ElementsAre(0));
}

TEST(ModelRuntimeInfo, AFileThatCannotBeWrittenIsAnError) {
  tflite::Interpreter interpreter;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(tflite::profiling::GenerateModelRuntimeInfo(interpreter, "/no/such/folder/file"),
            kTfLiteError);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::HasSubstr("Could not write '/no/such/folder/file'."));
}

}  // namespace
}  // namespace tern
