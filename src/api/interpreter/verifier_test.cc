// SPDX-License-Identifier: Apache-2.0
//
// Verify with and without a resolver; the control dependencies of a model as bytes.
#include "tensorflow/lite/core/tools/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/experimental/remat/metadata_util.h"
#include "tensorflow/lite/mutable_op_resolver.h"

namespace tern {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ModelBuilder;
using ::testing::Pair;
using testing::RecordingReporter;

ModelBuilder Model() {
  ModelBuilder b;
  const int x = b.Input({4});
  const int y = b.Op(tflite::BuiltinOperator_ADD, {x, x}, {b.Tensor({4})}, tflite::AddOptionsT());
  b.SetOpVersion(2);
  b.Output(b.CustomOp("Mine", {y}, {b.Tensor({4})}));
  return b;
}

TEST(Verify, WithoutResolver) {
  RecordingReporter reporter;
  const std::vector<uint8_t> bytes = Model().Finish();
  EXPECT_TRUE(tflite::Verify(bytes.data(), bytes.size(), &reporter)) << reporter.text;
  EXPECT_TRUE(reporter.text.empty());
  EXPECT_FALSE(tflite::Verify(bytes.data(), bytes.size() / 2, &reporter));
  EXPECT_FALSE(reporter.text.empty());
  EXPECT_FALSE(tflite::Verify(nullptr, 100, &reporter));
  ModelBuilder old = Model();
  old.model().version = 2;
  const std::vector<uint8_t> old_bytes = old.Finish();
  EXPECT_FALSE(tflite::Verify(old_bytes.data(), old_bytes.size(), &reporter));
  EXPECT_TRUE(reporter.Has("Invalid model version 2"));
  ModelBuilder empty;
  empty.model().subgraphs.clear();
  const std::vector<uint8_t> empty_bytes = empty.Finish();
  EXPECT_FALSE(tflite::Verify(empty_bytes.data(), empty_bytes.size(), &reporter));
  EXPECT_TRUE(reporter.Has("Missing 'subgraphs' section."));
}

std::string ReasonAgainst(const std::function<void(ModelBuilder&)>& damage) {
  ModelBuilder b = Model();
  b.Const<float>({2}, {1, 2});
  damage(b);
  RecordingReporter reporter;
  const std::vector<uint8_t> bytes = b.Finish();
  const bool good = tflite::Verify(bytes.data(), bytes.size(), &reporter);
  EXPECT_EQ(good, reporter.text.empty());
  return reporter.text;
}

// A model may run without these.
TEST(Verify, WhatAWellFormedFileKeeps) {
  EXPECT_EQ(ReasonAgainst([](ModelBuilder&) {}), "");
  EXPECT_THAT(ReasonAgainst([](ModelBuilder& b) { b.op().outputs = {1}; }),
              HasSubstr("Output tensor 1 to op 1 (CUSTOM) is an output from another op. There is a "
                        "cycle in the graph"));
  EXPECT_THAT(ReasonAgainst([](ModelBuilder& b) { b.op().outputs = {0}; }),
              HasSubstr("Output tensor 0 to op 1 (CUSTOM) is a subgraph input"));
  EXPECT_THAT(ReasonAgainst([](ModelBuilder& b) { b.op().outputs = {b.Variable({4})}; }),
              HasSubstr("Output tensor 4 to op 1 (CUSTOM) is a variable"));
  EXPECT_THAT(ReasonAgainst([](ModelBuilder& b) { b.op().inputs = {b.Tensor({4})}; }),
              HasSubstr("Input tensor 4 to op 1 (CUSTOM) is not produced"));
  EXPECT_THAT(ReasonAgainst([](ModelBuilder& b) { b.tensor(3).shape = {1}; }),
              HasSubstr("Tensor t3 requires 4 bytes, but is allocated with 8 bytes buffer"));
  EXPECT_THAT(ReasonAgainst([](ModelBuilder& b) { b.tensor(3).shape = {3}; }),
              HasSubstr("requires 12 bytes, but is allocated with 8 bytes buffer"));
}

// The words of TensorFlow Lite's verifier, which its users search for.
TEST(Verify, NamesTensorsAndSections) {
  EXPECT_THAT(ReasonAgainst([](ModelBuilder& b) {
                b.tensor(3).shape = {1 << 15, 1 << 15, 1 << 5};
              }),
              HasSubstr("Tensor t3 dimension overflow"));
  EXPECT_THAT(ReasonAgainst([](ModelBuilder& b) { b.op().opcode_index = 7; }),
              HasSubstr("Operator 7 does not exist in model op codes"));
  const auto strings = [](const std::function<void(std::vector<uint8_t>&)>& change) {
    return ReasonAgainst([&](ModelBuilder& b) {
      b.ConstStrings({3}, {"a", "", "bcd"});
      change(b.model().buffers.back()->data);
    });
  };
  using Data = std::vector<uint8_t>;
  EXPECT_EQ(strings([](Data&) {}), "");
  EXPECT_THAT(strings([](Data& d) { d = {0}; }), HasSubstr("String tensor t4 is invalid (empty)"));
  EXPECT_THAT(strings([](Data& d) { d[3] = 0x40; }),
              HasSubstr("String tensor t4 has invalid num of string set: 1073741827"));
  EXPECT_THAT(strings([](Data& d) { d[0] = 6; }),
              HasSubstr("String tensor t4 buffer requires at least 32 bytes, but is allocated with "
                        "24 bytes"));
  EXPECT_THAT(strings([](Data& d) { d[4] = 21; }),
              HasSubstr("String tensor t4 buffer initial offset must be: 20"));
  EXPECT_THAT(strings([](Data& d) { d[12] = 1; }),
              HasSubstr("String tensor t4 buffer is invalid: index 2"));
  EXPECT_THAT(strings([](Data& d) { d.push_back(0); }),
              HasSubstr("String tensor t4 buffer last offset must be 25"));
  const auto sparse = [](int32_t dense_size, size_t bytes) {
    return ReasonAgainst([=](ModelBuilder& b) {
      auto sparsity = std::make_unique<tflite::SparsityParametersT>();
      sparsity->traversal_order = {0};
      auto level = std::make_unique<tflite::DimensionMetadataT>();
      level->dense_size = dense_size;
      sparsity->dim_metadata.push_back(std::move(level));
      b.tensor(3).sparsity = std::move(sparsity);
      b.model().buffers.back()->data.resize(bytes);
    });
  };
  EXPECT_EQ(sparse(2, 8), "");
  EXPECT_THAT(sparse(5, 8), HasSubstr("Tensor t3 has invalid sparsity parameters"));
  EXPECT_THAT(sparse(2, 12), HasSubstr("Tensor t3 requires 8 bytes, but is allocated with 12"));
}

enum class Section { kNone, kEmpty, kFull };

// The object form of the schema leaves out empty lists, so these files are written by hand.
std::string ReasonAgainstModel(Section subgraphs, bool operators, bool buffers) {
  flatbuffers::FlatBufferBuilder f;
  const std::vector<flatbuffers::Offset<tflite::Operator>> no_ops;
  std::vector<flatbuffers::Offset<tflite::SubGraph>> all;
  if (subgraphs == Section::kFull) {
    all.push_back(tflite::CreateSubGraph(f, 0, 0, 0, operators ? f.CreateVector(no_ops) : 0));
  }
  const std::vector<flatbuffers::Offset<tflite::Buffer>> no_buffers;
  const auto list = subgraphs == Section::kNone ? 0 : f.CreateVector(all);
  const auto buffer_list = buffers ? f.CreateVector(no_buffers) : 0;
  tflite::FinishModelBuffer(f, tflite::CreateModel(f, 3, 0, list, 0, buffer_list));
  RecordingReporter reporter;
  tflite::Verify(f.GetBufferPointer(), f.GetSize(), &reporter);
  return reporter.text;
}

TEST(Verify, MissingSections) {
  EXPECT_EQ(ReasonAgainstModel(Section::kFull, true, true), "");
  EXPECT_THAT(ReasonAgainstModel(Section::kNone, true, true),
              HasSubstr("Missing 'subgraphs' section."));
  EXPECT_THAT(ReasonAgainstModel(Section::kEmpty, true, true),
              HasSubstr("No subgraph in the model."));
  EXPECT_THAT(ReasonAgainstModel(Section::kFull, false, true),
              HasSubstr("Missing 'operators' section in subgraph."));
  EXPECT_THAT(ReasonAgainstModel(Section::kFull, true, false),
              HasSubstr("Missing 'buffers' section."));
}

TEST(Verify, WithResolver) {
  const TfLiteRegistration op = testing::AddOp();
  RecordingReporter reporter;
  tflite::MutableOpResolver resolver;
  std::vector<uint8_t> bytes = Model().Finish();
  EXPECT_FALSE(tflite::Verify(bytes.data(), bytes.size(), resolver, &reporter));
  EXPECT_TRUE(reporter.Has("Unsupported builtin op: ADD, version: 1"));
  resolver.AddBuiltin(tflite::BuiltinOperator_ADD, &op);
  resolver.AddCustom("Mine", &op, 1);
  EXPECT_FALSE(tflite::Verify(bytes.data(), bytes.size(), resolver, &reporter));
  EXPECT_TRUE(reporter.Has("Unsupported custom op: Mine, version: 2"));
  resolver.AddCustom("Mine", &op, 2);
  EXPECT_TRUE(tflite::Verify(bytes.data(), bytes.size(), resolver, &reporter));
  // Ops that only a validation subgraph needs do not count.
  ModelBuilder b = Model();
  b.AddSubgraph("VALIDATION:main");
  const int x = b.Input({4});
  b.Output(b.CustomOp("Judge", {x}, {b.Tensor({4})}));
  bytes = b.Finish();
  EXPECT_TRUE(tflite::Verify(bytes.data(), bytes.size(), resolver, &reporter)) << reporter.text;
  b.subgraph().name = "other";
  bytes = b.Finish();
  EXPECT_FALSE(tflite::Verify(bytes.data(), bytes.size(), resolver, &reporter));
}

// A name may be empty; it is looked up like any other.
TEST(Verify, EmptyCustomName) {
  const TfLiteRegistration op = testing::AddOp();
  RecordingReporter reporter;
  ModelBuilder b;
  const int x = b.Input({4});
  b.Output(b.CustomOp("Nameless", {x}, {b.Tensor({4})}));
  std::vector<uint8_t> bytes = b.Finish();
  const std::string name = "Nameless";
  const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
  ASSERT_NE(at, bytes.end());
  std::fill(at - sizeof(uint32_t), at + static_cast<long>(name.size()), uint8_t{0});
  EXPECT_TRUE(tflite::Verify(bytes.data(), bytes.size(), &reporter)) << reporter.text;
  tflite::MutableOpResolver resolver;
  EXPECT_FALSE(tflite::Verify(bytes.data(), bytes.size(), resolver, &reporter));
  EXPECT_TRUE(reporter.Has("Invalid custom op name, cannot be null/empty."));
  resolver.AddCustom("", &op, 1);
  EXPECT_TRUE(tflite::Verify(bytes.data(), bytes.size(), resolver, &reporter));
}

TEST(ControlDependencies, ToBytesAndBack) {
  const tflite::ModelControlDependencies edges = {{{0, 1}, {-3, 700}}, {}};
  const std::string bytes = tflite::SerializeModelControlDependencies(edges);
  tflite::ModelControlDependencies read;
  ASSERT_TRUE(tflite::ParseModelControlDependencies(bytes.data(), bytes.size(), &read));
  EXPECT_EQ(read, edges);
  EXPECT_THAT(read[0], ElementsAre(Pair(0, 1), Pair(-3, 700)));
  EXPECT_FALSE(tflite::ParseModelControlDependencies(bytes.data(), bytes.size() - 1, &read));
  EXPECT_TRUE(read.empty());
  EXPECT_FALSE(tflite::ParseModelControlDependencies(nullptr, 0, &read));
  EXPECT_FALSE(tflite::ParseModelControlDependencies(bytes.data(), bytes.size(), nullptr));
}

}  // namespace
}  // namespace tern
