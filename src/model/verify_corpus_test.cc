// SPDX-License-Identifier: Apache-2.0
// The verifier against many files: real models must pass, broken bytes must give one error and
// nothing else.

#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/metadata.h"
#include "model/quantization.h"
#include "model/read_params.h"
#include "model/signatures.h"
#include "model/sparsity.h"
#include "model/tensor_data.h"
#include "model/testing/model_builder.h"
#include "model/testing/recording_reporter.h"
#include "model/testing/shared_files.h"
#include "model/vectors.h"
#include "model/verify_model.h"
#include "tensorflow/lite/core/model_builder.h"
#include "tensorflow/lite/schema/schema_utils.h"

namespace tern {
namespace {

using testing::ModelBuilder;
using testing::ReadFileBytes;
using testing::RecordingReporter;
using testing::SharedFiles;
using tflite::FlatBufferModel;

// Reads everything that a runtime would read, so that a sanitizer sees whatever the verifier let
// through.
void ReadAllParts(const tflite::Model& model, Bytes file) {
  ReadAllMetadata(model);
  (void)ReadSignatures(model);
  for (uint32_t s = 0; s < SizeOf(model.subgraphs()); ++s) {
    const tflite::SubGraph& subgraph = *model.subgraphs()->Get(s);
    const auto tensors = static_cast<int>(SizeOf(subgraph.tensors()));
    for (int t = 0; t < tensors; ++t) {
      const tflite::Tensor& tensor = *subgraph.tensors()->Get(static_cast<uint32_t>(t));
      StatusOr<std::optional<Bytes>> data = ConstantBytes(model, tensor, file);
      EXPECT_TRUE(data.ok()) << data.status();
      if (data.ok() && data->has_value() && !(*data)->empty()) {
        volatile uint8_t last = (*data)->back();
        (void)last;
      }
      StatusOr<TfLiteQuantization> quantization = ReadQuantization(tensor, tensors);
      EXPECT_TRUE(quantization.ok()) << quantization.status();
      if (quantization.ok()) TfLiteQuantizationFree(&*quantization);
      StatusOr<TfLiteSparsity*> sparsity = ReadSparsity(tensor);
      EXPECT_TRUE(sparsity.ok()) << sparsity.status();
      if (sparsity.ok()) TfLiteSparsityFree(*sparsity);
    }
    for (uint32_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
      const tflite::Operator& op = *subgraph.operators()->Get(i);
      EXPECT_TRUE(CustomOptionBytes(op, file).ok());
      StatusOr<void*> params =
          ReadParams(op, tflite::GetBuiltinCode(model.operator_codes()->Get(op.opcode_index())));
      if (params.ok()) std::free(*params);
    }
  }
}

// Loads and verifies the bytes; on success reads all parts. Exactly one message on failure.
bool Load(const std::vector<uint8_t>& bytes) {
  RecordingReporter reporter;
  std::unique_ptr<FlatBufferModel> model = FlatBufferModel::BuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size(), &reporter);
  if (model == nullptr) {
    EXPECT_EQ(reporter.messages.size(), 1u);
    return false;
  }
  const Bytes file(static_cast<const uint8_t*>(model->allocation()->base()), bytes.size());
  model->ReadAllMetadata();
  if (!VerifyModel(*model->GetModel(), file).ok()) return false;
  ReadAllParts(*model->GetModel(), file);
  return true;
}

void ExpectAllLoad(const std::string& folder) {
  const auto files = SharedFiles(folder, ".tflite");
  if (files.empty()) GTEST_SKIP() << "no models in shared/" << folder;
  for (const auto& path : files) {
    RecordingReporter reporter;
    std::unique_ptr<FlatBufferModel> model =
        FlatBufferModel::BuildFromFile(path.c_str(), &reporter);
    ASSERT_EQ(reporter.messages, std::vector<std::string>()) << path;
    ASSERT_NE(model, nullptr) << path;
    const tflite::Model& m = *model->GetModel();
    ReadAllParts(m, {static_cast<const uint8_t*>(model->allocation()->base()),
                     model->allocation()->bytes()});
    for (const tflite::SubGraph* subgraph : *m.subgraphs()) {
      for (uint32_t i = 0; i < SizeOf(subgraph->operators()); ++i) {
        const tflite::Operator& op = *subgraph->operators()->Get(i);
        StatusOr<void*> params =
            ReadParams(op, tflite::GetBuiltinCode(m.operator_codes()->Get(op.opcode_index())));
        EXPECT_TRUE(params.ok()) << path << " op " << i << ": " << params.status();
        if (params.ok()) std::free(*params);
      }
    }
  }
  std::printf("%zu models of %s load\n", files.size(), folder.c_str());
}

TEST(VerifyCorpusTest, RealModelsLoad) { ExpectAllLoad("models"); }

TEST(VerifyCorpusTest, ConformanceModelsLoad) { ExpectAllLoad("conformance"); }

// A small model with most kinds of content: quantized convolution, variable, sparse and string
// constants, control flow, signature, metadata, custom op.
std::vector<uint8_t> RichModel() {
  ModelBuilder b;
  const int x = b.Quantize(b.Input({1, 4, 4, 2}, tflite::TensorType_INT8), 0.5f, -3);
  const int w = b.QuantizePerChannel(b.Const<int8_t>({3, 1, 1, 2}, {1, 2, 3, 4, 5, 6}),
                                     {0.1f, 0.2f, 0.3f}, {0, 0, 0}, 0);
  const int bias = b.Const<int32_t>({3}, {7, 8, 9});
  tflite::Conv2DOptionsT conv;
  conv.stride_w = conv.stride_h = 1;
  const int y = b.Quantize(b.Tensor({1, 4, 4, 3}, tflite::TensorType_INT8), 0.25f, 0);
  b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, bias}, {y}, conv);
  const int shape = b.Const<int32_t>({2}, {1, 48});
  tflite::ReshapeOptionsT reshape;
  reshape.new_shape = {1, 48};
  const int flat =
      b.Op(tflite::BuiltinOperator_RESHAPE, {y, shape},
           {b.Quantize(b.Tensor({1, 48}, tflite::TensorType_INT8), 0.25f, 0)}, reshape);
  b.ConstStrings({2}, {"one", "three"});
  b.Variable({1, 4});
  const int custom = b.CustomOp("Mystery", {flat}, {b.Tensor({1})}, {1, 2, 3});
  const int condition = b.Const<bool>({1}, {true});
  tflite::IfOptionsT branches;
  branches.then_subgraph_index = 1;
  branches.else_subgraph_index = 2;
  const int result =
      b.Op(tflite::BuiltinOperator_IF, {condition, custom}, {b.Tensor({1})}, branches);
  b.Output(result);
  b.Signature("serving_default", {{"x", x}}, {{"y", result}});
  b.Metadata(kMinRuntimeVersionKey, {'1', '.', '5', '.', '0', 0});
  for (const char* name : {"then", "else"}) {
    b.AddSubgraph(name);
    const int in = b.Input({1});
    b.Output(b.Op(tflite::BuiltinOperator_NEG, {in}, {b.Tensor({1})}));
  }
  return b.Finish();
}

TEST(VerifyFuzzTest, RichModelLoads) { EXPECT_TRUE(Load(RichModel())); }

TEST(VerifyFuzzTest, EveryTruncationGivesOneErrorOrLoads) {
  const std::vector<uint8_t> bytes = RichModel();
  for (size_t length = 0; length < bytes.size(); ++length) {
    Load(std::vector<uint8_t>(bytes.begin(), bytes.begin() + static_cast<long>(length)));
  }
}

TEST(VerifyFuzzTest, TruncatedMappedFilesGiveOneError) {
  const std::vector<uint8_t> bytes = RichModel();
  const std::string path = ::testing::TempDir() + "/tern_truncated.tflite";
  for (size_t length = 1; length < bytes.size(); length += 97) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    std::fwrite(bytes.data(), 1, length, file);
    std::fclose(file);
    RecordingReporter reporter;
    if (FlatBufferModel::BuildFromFile(path.c_str(), &reporter) == nullptr) {
      EXPECT_EQ(reporter.messages.size(), 1u);
    }
  }
  std::remove(path.c_str());
}

TEST(VerifyFuzzTest, RandomByteChanges) {
  constexpr uint32_t kSeed = 20240917;
  std::printf("seed %u\n", kSeed);
  std::mt19937 random(kSeed);
  const std::vector<uint8_t> good = RichModel();
  int loaded = 0;
  for (int round = 0; round < 10000; ++round) {
    std::vector<uint8_t> bytes = good;
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < changes; ++i) {
      const size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] ^= static_cast<uint8_t>(1u << (random() % 8));
          break;
        case 1:
          bytes[at] = static_cast<uint8_t>(random());
          break;
        case 2:
          bytes[at] = 0xFF;
          break;
        default:
          bytes[at] = 0;
      }
    }
    if (Load(bytes)) ++loaded;
    if (HasFailure()) FAIL() << "round " << round;
  }
  std::printf("%d of 10000 changed models still load\n", loaded);
}

TEST(VerifyFuzzTest, RandomWordChanges) {
  constexpr uint32_t kSeed = 7;
  std::mt19937 random(kSeed);
  const std::vector<uint8_t> good = RichModel();
  const uint32_t interesting[] = {0,    1,      2,          8,          0x7F,
                                  0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  for (int round = 0; round < 4000; ++round) {
    std::vector<uint8_t> bytes = good;
    const size_t at = random() % (bytes.size() / 4) * 4;
    const uint32_t value = interesting[random() % std::size(interesting)];
    std::memcpy(&bytes[at], &value, sizeof(value));
    Load(bytes);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

TEST(VerifyFuzzTest, ShortFilesWithTheIdentifier) {
  for (size_t size = 0; size <= 64; ++size) {
    for (uint32_t root = 0; root <= 72; ++root) {
      for (const uint8_t fill : {0x00, 0x04, 0xFF}) {
        std::vector<uint8_t> bytes(size, fill);
        if (size >= 4) std::memcpy(bytes.data(), &root, 4);
        if (size >= 8) std::memcpy(bytes.data() + 4, "TFL3", 4);
        Load(bytes);
      }
    }
    for (const uint32_t root : {0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0xFFFFFFF0u}) {
      std::vector<uint8_t> bytes(size, 0);
      if (size >= 4) std::memcpy(bytes.data(), &root, 4);
      if (size >= 8) std::memcpy(bytes.data() + 4, "TFL3", 4);
      EXPECT_FALSE(Load(bytes));
    }
  }
}

// One vector shared by very many tensors: the file is small, walking it as a tree would not be.
TEST(VerifyFuzzTest, SharedTablesDoNotExplode) {
  flatbuffers::FlatBufferBuilder builder;
  const std::vector<float> scales(100000, 1.0f);
  const std::vector<int64_t> zeros(100000, 0);
  const auto quantization =
      tflite::CreateQuantizationParametersDirect(builder, nullptr, nullptr, &scales, &zeros);
  const std::vector<int32_t> dims = {100000};
  const auto shape = builder.CreateVector(dims);
  const auto tensor =
      tflite::CreateTensor(builder, shape, tflite::TensorType_INT8, 0, 0, quantization);
  const std::vector<flatbuffers::Offset<tflite::Tensor>> tensors(100000, tensor);
  const std::vector<int32_t> none;
  const std::vector<flatbuffers::Offset<tflite::SubGraph>> subgraphs = {
      tflite::CreateSubGraphDirect(builder, &tensors, &none, &none)};
  tflite::FinishModelBuffer(builder, tflite::CreateModelDirect(builder, 3, nullptr, &subgraphs));
  const Status status = VerifyModelFile({builder.GetBufferPointer(), builder.GetSize()});
  EXPECT_NE(Message(status).find("lists are far longer than the file"), std::string_view::npos);
}

}  // namespace
}  // namespace tern
