// SPDX-License-Identifier: Apache-2.0
//
// Verify with and without a resolver; the control dependencies of a model as bytes.
#include "tensorflow/lite/core/tools/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
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
  EXPECT_TRUE(reporter.Has("No subgraph in the model."));
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
              HasSubstr("Tensor 3 requires 4 bytes, but is allocated with 8 bytes buffer"));
  EXPECT_THAT(ReasonAgainst([](ModelBuilder& b) { b.tensor(3).shape = {3}; }),
              HasSubstr("requires 12 bytes, but is allocated with 8 bytes buffer"));
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
  // What only a validation subgraph needs does not count.
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
  EXPECT_TRUE(reporter.Has("Unsupported custom op: , version: 1"));
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
