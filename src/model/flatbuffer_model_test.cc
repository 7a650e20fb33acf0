// SPDX-License-Identifier: Apache-2.0
// FlatBufferModel and the allocations below it.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/metadata.h"
#include "model/tensor_data.h"
#include "model/testing/model_builder.h"
#include "model/testing/recording_reporter.h"
#include "model/verify_model.h"
#include "tensorflow/lite/model_builder.h"
#include "tensorflow/lite/schema/schema_conversion_utils.h"
#include "tensorflow/lite/schema/schema_utils.h"

namespace tern {
namespace {

using testing::ModelBuilder;
using testing::RecordingReporter;
using tflite::FlatBufferModel;

std::vector<uint8_t> SmallModel() {
  ModelBuilder b;
  const int x = b.Input({2});
  b.Output(b.Op(tflite::BuiltinOperator_NEG, {x}, {b.Tensor({2})}));
  b.Metadata(kMinRuntimeVersionKey, {'2', '.', '1', '.', '0', 0, 0, 0});
  b.Metadata("note", {'h', 'i'});
  return b.Finish();
}

const char* Chars(const std::vector<uint8_t>& bytes) {
  return reinterpret_cast<const char*>(bytes.data());
}

class Verifier : public tflite::TfLiteVerifier {
 public:
  explicit Verifier(bool answer) : answer_(answer) {}
  bool Verify(const char* data, int length, tflite::ErrorReporter*) override {
    seen = std::string(data, static_cast<size_t>(length));
    return answer_;
  }
  std::string seen;

 private:
  bool answer_;
};

class ModelFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = ::testing::TempDir() + "/tern_model_XXXXXX";
    fd_ = mkstemp(path_.data());
    ASSERT_GE(fd_, 0);
    bytes_ = SmallModel();
    ASSERT_EQ(write(fd_, bytes_.data(), bytes_.size()), static_cast<ssize_t>(bytes_.size()));
  }
  void TearDown() override {
    close(fd_);
    unlink(path_.c_str());
  }

  std::string path_;
  int fd_ = -1;
  std::vector<uint8_t> bytes_;
  RecordingReporter reporter_;
};

TEST_F(ModelFileTest, BuildsFromFile) {
  const auto model = FlatBufferModel::BuildFromFile(path_.c_str(), &reporter_);
  ASSERT_NE(model, nullptr);
  EXPECT_TRUE(model->initialized());
  EXPECT_TRUE(model->CheckModelIdentifier());
  EXPECT_FALSE(FlatBufferModel::CheckBufferOutsideModel(model->GetModel()));
  EXPECT_EQ(model->allocation()->bytes(), bytes_.size());
  EXPECT_EQ(model->allocation()->type(), tflite::Allocation::Type::kMMap);
  EXPECT_EQ(model->error_reporter(), &reporter_);
  EXPECT_EQ((*model)->subgraphs()->size(), 1u);
  EXPECT_EQ(model->GetMinimumRuntime(), "2.1.0");
  const auto metadata = model->ReadAllMetadata();
  EXPECT_EQ(metadata.size(), 2u);
  EXPECT_EQ(metadata.at("note"), "hi");
  EXPECT_EQ(FlatBufferModel::ReadAllMetadata(model->GetModel()), metadata);
  EXPECT_TRUE(reporter_.messages.empty());
}

TEST_F(ModelFileTest, BuildsFromDescriptorAndLeavesItOpen) {
  const auto model = FlatBufferModel::BuildFromFileDescriptor(fd_, &reporter_);
  ASSERT_NE(model, nullptr);
  EXPECT_GE(fcntl(fd_, F_GETFD), 0);
  EXPECT_EQ(FlatBufferModel::BuildFromFileDescriptor(-1, &reporter_), nullptr);
  EXPECT_EQ(reporter_.messages.size(), 1u);
}

TEST_F(ModelFileTest, MissingAndForeignFilesGiveOneError) {
  EXPECT_EQ(FlatBufferModel::BuildFromFile((path_ + ".no").c_str(), &reporter_), nullptr);
  ASSERT_EQ(reporter_.messages.size(), 1u);
  EXPECT_NE(reporter_.messages[0].find("Could not open"), std::string::npos);
  EXPECT_EQ(FlatBufferModel::BuildFromFile(nullptr, &reporter_), nullptr);
  EXPECT_EQ(FlatBufferModel::BuildFromFile("/", &reporter_), nullptr);
  EXPECT_EQ(reporter_.messages.size(), 3u);
}

TEST_F(ModelFileTest, ExtraVerifierSeesTheBytesAndDecides) {
  Verifier yes(true);
  EXPECT_NE(FlatBufferModel::VerifyAndBuildFromFile(path_.c_str(), &yes, &reporter_), nullptr);
  EXPECT_EQ(yes.seen, std::string(Chars(bytes_), bytes_.size()));
  Verifier no(false);
  EXPECT_EQ(FlatBufferModel::VerifyAndBuildFromFile(path_.c_str(), &no, &reporter_), nullptr);
  EXPECT_EQ(FlatBufferModel::VerifyAndBuildFromFileDescriptor(fd_, &no, &reporter_), nullptr);
  EXPECT_EQ(
      FlatBufferModel::VerifyAndBuildFromBuffer(Chars(bytes_), bytes_.size(), &no, &reporter_),
      nullptr);
}

TEST_F(ModelFileTest, Allocations) {
  tflite::MMAPAllocation part(path_.c_str(), 5, 7, &reporter_);
  ASSERT_TRUE(part.valid());
  EXPECT_EQ(part.bytes(), 7u);
  EXPECT_EQ(std::memcmp(part.base(), bytes_.data() + 5, 7), 0);
  EXPECT_EQ(part.mmapped_buffer_offset_in_file(), 0u);
  EXPECT_GE(part.mmapped_buffer_size(), 12u);
  EXPECT_GE(part.fd(), 0);
  tflite::MMAPAllocation beyond(fd_, bytes_.size(), 1, &reporter_);
  EXPECT_FALSE(beyond.valid());
  tflite::FileCopyAllocation copy(path_.c_str(), &reporter_);
  ASSERT_TRUE(copy.valid());
  ASSERT_EQ(copy.bytes(), bytes_.size());
  EXPECT_EQ(std::memcmp(copy.base(), bytes_.data(), bytes_.size()), 0);
  const auto writable = tflite::GetAllocationFromFile(path_.c_str(), &reporter_, true);
  ASSERT_TRUE(writable->valid());
  const_cast<char*>(static_cast<const char*>(writable->base()))[0] = 1;
  EXPECT_FALSE(tflite::FileCopyAllocation("/no/such/file", &reporter_).valid());
}

TEST(ModelBufferTest, UsesTheCallersBytesInPlace) {
  const std::vector<uint8_t> bytes = SmallModel();
  const auto model = FlatBufferModel::BuildFromBuffer(Chars(bytes), bytes.size());
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->allocation()->base(), bytes.data());
}

TEST(ModelBufferTest, CopiesUnalignedBytes) {
  const std::vector<uint8_t> bytes = SmallModel();
  for (size_t shift = 1; shift < 8; ++shift) {
    std::vector<uint8_t> shifted(bytes.size() + shift);
    std::memcpy(shifted.data() + shift, bytes.data(), bytes.size());
    const auto model = FlatBufferModel::BuildFromBuffer(Chars(shifted) + shift, bytes.size());
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(model->allocation()->base()) % 8, 0u);
  }
}

TEST(ModelBufferTest, NullAndEmptyAreRefused) {
  RecordingReporter reporter;
  EXPECT_EQ(FlatBufferModel::BuildFromBuffer(nullptr, 100, &reporter), nullptr);
  EXPECT_EQ(FlatBufferModel::BuildFromBuffer("x", 0, &reporter), nullptr);
  EXPECT_EQ(FlatBufferModel::BuildFromAllocation(nullptr, &reporter), nullptr);
  EXPECT_EQ(FlatBufferModel::BuildFromModel(nullptr, &reporter), nullptr);
  ASSERT_EQ(reporter.messages.size(), 4u);
  EXPECT_EQ(reporter.messages[0], "The model allocation is null/empty");
}

TEST(ModelBufferTest, BuildsFromModelTable) {
  const std::vector<uint8_t> bytes = SmallModel();
  RecordingReporter reporter;
  const auto model = FlatBufferModel::BuildFromModel(tflite::GetModel(bytes.data()), &reporter);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->allocation(), nullptr);
  EXPECT_EQ(model->GetMinimumRuntime(), "2.1.0");
  ModelBuilder outside;
  outside.Metadata(kBufferLocationKey, {'x'});
  const std::vector<uint8_t> other = outside.Finish();
  EXPECT_EQ(FlatBufferModel::BuildFromModel(tflite::GetModel(other.data()), &reporter), nullptr);
}

TEST(ModelBufferTest, NonEmptyBufferZeroIsReportedOnly) {
  ModelBuilder b;
  b.Output(b.Input({1}));
  b.model().buffers[0]->data = {1};
  const std::vector<uint8_t> bytes = b.Finish();
  RecordingReporter reporter;
  EXPECT_NE(FlatBufferModel::BuildFromBuffer(Chars(bytes), bytes.size(), &reporter), nullptr);
  ASSERT_EQ(reporter.messages.size(), 1u);
  EXPECT_EQ(reporter.messages[0], "The 0th entry of the model buffer must be an empty buffer.");
}

// Weights and custom options after the flatbuffer, as files beyond 2 GB have them.
TEST(ModelBufferTest, DataOutsideTheFlatbuffer) {
  ModelBuilder b;
  const int w = b.ConstBytes({4}, tflite::TensorType_INT8, {});
  auto& buffer = *b.model().buffers[b.tensor(w).buffer];
  buffer.offset = buffer.size = 1;
  b.CustomOp("Far", {w}, {b.Tensor({1})});
  b.op().large_custom_options_offset = b.op().large_custom_options_size = 1;
  size_t end = b.Finish().size();
  // Empty vectors stay absent so that the outside data is used.
  buffer.offset = end;
  buffer.size = 4;
  b.op().large_custom_options_offset = end + 4;
  b.op().large_custom_options_size = 3;
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &b.model()));
  ASSERT_EQ(builder.GetSize(), end);
  std::vector<uint8_t> bytes(builder.GetBufferPointer(), builder.GetBufferPointer() + end);
  for (const uint8_t byte : {11, 22, 33, 44, 5, 6, 7}) bytes.push_back(byte);
  const auto model = FlatBufferModel::BuildFromBuffer(Chars(bytes), bytes.size());
  ASSERT_NE(model, nullptr);
  EXPECT_TRUE(FlatBufferModel::CheckBufferOutsideModel(model->GetModel()));
  const tflite::SubGraph& subgraph = *(*model)->subgraphs()->Get(0);
  const auto data = ConstantBytes(*model->GetModel(), *subgraph.tensors()->Get(0), bytes);
  ASSERT_TRUE(data.ok() && data->has_value());
  EXPECT_EQ((**data)[3], 44);
  const auto options = CustomOptionBytes(*subgraph.operators()->Get(0), bytes);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ((*options)[2], 7);
  bytes.pop_back();
  const auto cut = FlatBufferModel::BuildFromBuffer(Chars(bytes), bytes.size());
  ASSERT_NE(cut, nullptr);
  EXPECT_FALSE(VerifyModel(*cut->GetModel(), bytes).ok());
}

TEST(SchemaUtilsTest, CodesAreFoundInBothFields) {
  tflite::OperatorCodeT code;
  code.deprecated_builtin_code = 3;
  EXPECT_EQ(tflite::GetBuiltinCode(&code), tflite::BuiltinOperator_CONV_2D);
  code.deprecated_builtin_code = 127;
  code.builtin_code = tflite::BuiltinOperator_GELU;
  EXPECT_EQ(tflite::GetBuiltinCode(&code), tflite::BuiltinOperator_GELU);
  EXPECT_EQ(tflite::ConvertBuiltinCodeToDeprecatedBuiltinCode(tflite::BuiltinOperator_GELU), 127);
  EXPECT_EQ(tflite::ConvertBuiltinCodeToDeprecatedBuiltinCode(tflite::BuiltinOperator_MUL), 18);
}

TEST(MetadataTest, ControlDependenciesRoundTrip) {
  const ModelControlDependencies dependencies = {{{0, 1}, {300, -7}}, {}, {{1 << 30, 2}}};
  const std::string blob = SerializeControlDependencies(dependencies);
  const auto parsed = ParseControlDependencies(blob);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, dependencies);
  for (size_t length = 0; length < blob.size(); ++length) {
    EXPECT_FALSE(ParseControlDependencies(blob.substr(0, length)).ok());
  }
  EXPECT_FALSE(ParseControlDependencies(blob + "x").ok());
  EXPECT_FALSE(ParseControlDependencies(std::string(1, '\2') + blob.substr(1)).ok());
  EXPECT_FALSE(ParseControlDependencies(std::string(20, '\xFF')).ok());
}

TEST(MetadataTest, BrokenEntriesAreSkipped) {
  ModelBuilder b;
  b.Metadata("good", {'1'});
  b.Metadata("bad index", {'2'});
  b.Metadata("empty", {});
  b.Metadata(kMinRuntimeVersionKey, {'1', '.', '0'});
  b.model().metadata[1]->buffer = 77;
  const std::vector<uint8_t> bytes = b.Finish();
  const tflite::Model& model = *tflite::GetModel(bytes.data());
  EXPECT_EQ(ReadAllMetadata(model).size(), 2u);
  EXPECT_EQ(FindMetadata(model, "bad index"), "");
  EXPECT_EQ(MinRuntimeVersion(model), "");  // no NUL: malformed
}

}  // namespace
}  // namespace tern
