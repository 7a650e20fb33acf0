// SPDX-License-Identifier: Apache-2.0
// Files that people give as models, by their first bytes; and any bytes at all.
#include "model/file_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include "api/profiling/proto_message.h"
#include "model/testing/model_builder.h"
#include "model/testing/recording_reporter.h"
#include "model/verify_model.h"
#include "tensorflow/lite/model_builder.h"

namespace tern {
namespace {

using std::string_literals::operator""s;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::span<const uint8_t> BytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string Describe(std::string_view file) { return DescribeForeignFile(BytesOf(file)); }

std::string Little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

// A zip archive of stored files without contents.
std::string Zip(const std::vector<std::string>& names, bool with_directory = true) {
  std::string file, directory;
  for (const std::string& name : names) {
    directory += "PK\x01\x02" + std::string(24, '\0') + Little(name.size(), 2) +
                 std::string(12, '\0') + Little(file.size(), 4) + name;
    file +=
        "PK\x03\x04" + std::string(22, '\0') + Little(name.size(), 2) + std::string(2, '\0') + name;
  }
  if (!with_directory) return file;
  const size_t at = file.size();
  return file + directory + "PK\x05\x06" + std::string(4, '\0') + Little(names.size(), 2) +
         Little(names.size(), 2) + Little(directory.size(), 4) + Little(at, 4) +
         std::string(2, '\0');
}

std::string Onnx() {
  ProtoMessage opset, graph, model;
  opset.AddInt(2, 17);
  graph.AddBytes(2, "main_graph");
  model.AddInt(1, 8);
  model.AddBytes(2, "pytorch");
  model.AddBytes(3, "2.1.0");
  model.AddMessage(7, graph);
  model.AddMessage(8, opset);
  return model.bytes();
}

std::string SavedModel() {
  ProtoMessage op, ops, info, graph, model;
  op.AddBytes(1, "AddV2");
  ops.AddMessage(1, op);
  info.AddMessage(2, ops);
  info.AddBytes(4, "serve");
  info.AddBytes(5, "2.15.0");
  graph.AddMessage(1, info);
  model.AddInt(1, 1);
  model.AddMessage(2, graph);
  return model.bytes();
}

std::string CoreMl() {
  ProtoMessage input, type, description, model;
  type.AddBytes(5, "");
  input.AddBytes(1, "image");
  input.AddMessage(3, type);
  description.AddMessage(1, input);
  model.AddInt(1, 4);
  model.AddMessage(2, description);
  return model.bytes();
}

std::string FrozenGraph() {
  ProtoMessage node, graph;
  node.AddBytes(1, "input");
  node.AddBytes(2, "Placeholder");
  graph.AddMessage(1, node);
  return graph.bytes();
}

std::string Tokenizer() {
  ProtoMessage piece, model;
  piece.AddBytes(1, "<unk>");
  piece.AddFloat(2, 0.0f);
  piece.AddInt(3, 2);
  model.AddMessage(1, piece);
  model.AddMessage(1, piece);
  return model.bytes();
}

struct Case {
  std::string file;
  const char* kind;  // what the description says among other things
};

std::vector<Case> Cases() {
  return {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:55\nsize 9012345\n",
       "a Git LFS pointer: the file itself, which has 9012345 bytes, was not fetched"},
      {"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer: the file itself, was"},
      {"/annex/objects/SHA256E-s9--55.tflite\n", "a git-annex pointer"},
      {"<!DOCTYPE html>\n<html><head><title>Not Found</title></head></html>\n", "a web page"},
      {"\n\n  <HTML lang=en>", "a web page"},
      {"\xef\xbb\xbf<!-- page --><html>", "a web page"},
      {"<!doctype html><title>\xe9t\xe9</title>", "a web page"},  // Latin-1
      {"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", "that a server sent"},
      {"<?xml version=\"1.0\"?><net name=\"m\" version=\"11\">", "OpenVINO"},
      {"404: Not Found", "a text file, which begins with '404: Not Found'"},
      {"Entry not found\n", "begins with 'Entry not found'"},
      {"ok", "a text file"},
      {"{\"modelTopology\": {}, \"weightsManifest\": []}", "TensorFlow.js"},
      {"{\"error\": \"gone\"}", "a JSON document"},
      {"HAAAAFRGTDMUACAAHAAYABQAEAAMAAAACAAE", "a model in base64"},
      {"\xff\xfeh\0i\0"s, "a text file (UTF-16)"},
      {Zip({"hand_detector.tflite", "hand_landmarks_detector.tflite"}),
       "task bundle (.task): unzip it and take 'hand_detector.tflite'"},
      {Zip({"METADATA", "TF_LITE_PREFILL_DECODE"}), "take 'TF_LITE_PREFILL_DECODE'"},
      {Zip({"face.tflite"}, false), "take 'face.tflite'"},
      {Zip({"net/data.pkl", "net/code/__torch__.py", "net/constants.pkl"}), "a TorchScript model"},
      {Zip({"archive/data.pkl", "archive/data/0"}), "a PyTorch checkpoint"},
      {Zip({"metadata.json", "config.json", "model.weights.h5"}), "a Keras model (.keras)"},
      {Zip({"m/saved_model.pb"}), "with a SavedModel"},
      {Zip({"x.npy"}), "NumPy (.npz)"},
      {Zip({"AndroidManifest.xml"}), "an Android package"},
      {Zip({"readme"}), "a zip archive"},
      {Zip({}), "a zip archive"},
      {"\x1f\x8b\x08\0\0\0\0\0\0\x03"s, "a gzip archive"},
      {std::string("net/") + std::string(253, '\0') + "ustar\0"s + std::string(100, '\0'),
       "a tar archive"},
      {"LITERTLM\x01\0\0\0"s, "a LiteRT-LM bundle (.litertlm)"},
      {"\x89HDF\r\n\x1a\n\0\0"s, "an HDF5 file"},
      {"GGUF\x03\0\0\0"s, "a GGUF file"},
      {Little(40, 8) + "{\"a\":{\"dtype\":\"F32\"}}", "a safetensors file"},
      {"\x80\x04\x95\x10\0\0\0\0\0\0\0}"s, "a Python pickle"},
      {"\x80\x02}q\0X\x05\0\0\0"s, "a Python pickle"},
      {"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80"s, "PyTorch checkpoint"},
      {"\x93NUMPY\x01\0v\0"s, "NumPy (.npy)"},
      {"\x20\0\0\0TFL2\0\0\0\0"s, "old format, TFL2"},
      {"\x40\0\0\0\x1c\0\0\0TFL3"s, "behind a size of 4 bytes"},
      {"\x20\0\0\0ET12\0\0\0\0"s, "ExecuTorch"},
      {"\x20\0\0\0ORTM\0\0\0\0"s, "ONNX Runtime"},
      {"%PDF-1.7\n%\xb5\xb5", "a PDF document"},
      {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s, "a picture (PNG)"},
      {"\xff\xd8\xff\xe0\0\x10JFIF"s, "a picture (JPEG)"},
      {"RIFF\x10\0\0\0WAVEfmt "s, "a sound (WAV)"},
      {"\x7f"
       "ELF\x02\x01\x01\0"s,
       "a program or a library"},
      {std::string(64, '\0'), "nothing but zeros"},
      {Onnx(), "an ONNX model"},
      {SavedModel(), "saved_model.pb"},
      {CoreMl(), "a Core ML model"},
      {FrozenGraph(), "a frozen graph"},
      {Tokenizer(), "SentencePiece"},
  };
}

TEST(FileKind, NamesWhatPeopleGiveAsModels) {
  for (const Case& c : Cases()) {
    EXPECT_THAT(Describe(c.file), HasSubstr(c.kind)) << ::testing::PrintToString(c.file);
  }
}

// Behind the reference's own line, wherever the model comes from.
TEST(FileKind, StandsBehindTheLineAboutTheIdentifier) {
  for (const Case& c : Cases()) {
    std::string file = c.file;
    file.resize(std::max<size_t>(file.size(), 8), ' ');
    if (Describe(file).empty()) continue;
    testing::RecordingReporter reporter;
    EXPECT_EQ(tflite::FlatBufferModel::BuildFromBuffer(file.data(), file.size(), &reporter),
              nullptr);
    EXPECT_EQ(reporter.text, "Model provided has model identifier '" +
                                 Printable(std::string_view(file).substr(4, 4), 4) +
                                 "', should be 'TFL3'. The file is " + Describe(file) + ".\n");
  }
  testing::RecordingReporter reporter;
  EXPECT_EQ(tflite::FlatBufferModel::BuildFromBuffer("gone\n", 5, &reporter), nullptr);
  EXPECT_EQ(reporter.text,
            "Model provided must have at least 7 bytes to hold identifier. The file is a text "
            "file, which begins with 'gone'.\n");
}

// A file with any bytes and any end is safe to describe.
TEST(FileKind, AnyBytesAreSafe) {
  EXPECT_THAT(Describe(""), IsEmpty());
  EXPECT_THAT(Describe("\x01\x02\x03"), IsEmpty());
  std::mt19937 random(5);
  for (const Case& c : Cases()) {
    for (size_t size = 0; size <= c.file.size(); ++size) {
      // In memory of its own, so that a sanitizer sees what is read beyond.
      const std::vector<uint8_t> cut(c.file.begin(), c.file.begin() + static_cast<long>(size));
      (void)DescribeForeignFile(cut);
      (void)DescribeDamage(cut);
    }
    for (int round = 0; round < 100; ++round) {
      std::vector<uint8_t> damaged(c.file.begin(), c.file.end());
      for (int i = 0; i < 4 && !damaged.empty(); ++i) {
        damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
      }
      (void)DescribeForeignFile(damaged);
      (void)DescribeDamage(damaged);
    }
  }
}

TEST(FileKind, ACutOffModelSaysSo) {
  testing::ModelBuilder b;
  const int x = b.Input({64});
  const int w = b.Const<float>({64}, std::vector<float>(64, 1.0f));
  b.Output(b.Op(tflite::BuiltinOperator_ADD, {x, w}, {b.Tensor({64})}, tflite::AddOptionsT()));
  const std::vector<uint8_t> whole = b.Finish();
  for (const size_t size : {whole.size() - 4, whole.size() / 2, size_t{16}, size_t{8}}) {
    std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<long>(size));
    const Status status = VerifyContainer(cut);
    EXPECT_THAT(std::string(Message(status)),
                HasSubstr("The model is not a valid Flatbuffer buffer: the file is "));
    if (size > whole.size() / 2) continue;
    EXPECT_THAT(std::string(Message(status)), HasSubstr("cut off or damaged (it has "));
  }
}

TEST(FileKind, FoldersAreNamed) {
  const std::string folder = ::testing::TempDir() + "/tern_folder";
  std::filesystem::create_directories(folder);
  testing::RecordingReporter reporter;
  EXPECT_EQ(tflite::FlatBufferModel::BuildFromFile(folder.c_str(), &reporter), nullptr);
  EXPECT_THAT(reporter.text, HasSubstr("it is a folder: a model is a file"));
  std::ofstream(folder + "/saved_model.pb") << SavedModel();
  EXPECT_EQ(tflite::FlatBufferModel::BuildFromFile(folder.c_str(), &reporter), nullptr);
  EXPECT_THAT(reporter.text, HasSubstr("it is a folder with a SavedModel of TensorFlow"));
  std::filesystem::remove_all(folder);
}

TEST(FileKind, OperationsSayWhatTheyNeed) {
  EXPECT_THAT(WhatOpNeeds("edgetpu-custom-op"), HasSubstr("Coral device"));
  EXPECT_THAT(WhatOpNeeds("ethos-u"), HasSubstr("Ethos-U"));
  EXPECT_THAT(WhatOpNeeds("FlexMultinomial"), HasSubstr("Flex delegate"));
  EXPECT_THAT(WhatOpNeeds("ShopWindowOp"), HasSubstr("the application must register it"));
}

}  // namespace
}  // namespace tern
