// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess: decoding, both ways of suppression, and damaged options.
#include <gtest/gtest.h>

#include <cmath>

#include "base/flex_map.h"
#include "flatbuffers/flexbuffers.h"
#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

struct BoxOptions {
  int max_detections = 3, max_classes = 1, per_class = 100, classes = 2;
  bool regular = false;
  double score = 0, iou = 0.5, y_scale = 10;
};

std::vector<uint8_t> PackBoxOptions(const BoxOptions& o) {
  flexbuffers::Builder b;
  b.Map([&] {
    b.Int("max_detections", o.max_detections);
    b.Int("max_classes_per_detection", o.max_classes);
    b.Int("detections_per_class", o.per_class);
    b.Bool("use_regular_nms", o.regular);
    b.Float("nms_score_threshold", static_cast<float>(o.score));
    b.Double("nms_iou_threshold", o.iou);
    b.Int("num_classes", o.classes);
    b.Float("y_scale", static_cast<float>(o.y_scale));
    b.Float("x_scale", 10);
    b.Float("h_scale", 5);
    b.Float("w_scale", 5);
  });
  b.Finish();
  return b.GetBuffer();
}

// Six unit boxes whose centres lie at x = 0.5, 0.6, 0.4, 10.5, 10.6 and 100.5; encodings move some
// of them.
void Boxes(OpRunner& run) {
  run.Input<float>({1, 6, 4},
                   {0, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  run.Input<float>({1, 6, 3}, {0, .9f, .8f, 0, .75f, .72f, 0, .6f, .5f, 0, .93f, .95f, 0, .5f, .4f,
                               0, .3f, .2f});
  run.Input<float>({6, 4}, {.5f, .5f,   1, 1, .5f, .5f,   1, 1, .5f, .5f,    1, 1,
                            .5f, 10.5f, 1, 1, .5f, 10.5f, 1, 1, .5f, 100.5f, 1, 1},
                   kTfLiteMmapRo);
  for (int i = 0; i < 4; ++i) run.Output();
}

TEST(Detection, OneSuppressionForAllClasses) {
  OpRunner run(DetectionPostprocessRegistration(OpForm::kOptimized));
  run.SetCustomOptions(PackBoxOptions({}));
  Boxes(run);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(0), (Shape{1, 3, 4}));
  EXPECT_EQ(run.OutputShape(3), (Shape{1}));
  EXPECT_EQ(run.Values(1), (std::vector<float>{1, 0, 0}));
  EXPECT_EQ(run.Values(2), (std::vector<float>{.95f, .9f, .3f}));
  EXPECT_EQ(run.Values(3), (std::vector<float>{3}));
  EXPECT_EQ(run.Values(0), (std::vector<float>{0, 10, 1, 11, 0, 0, 1, 1, 0, 100, 1, 101}));
}

TEST(Detection, SeveralClassesPerBox) {
  OpRunner run(DetectionPostprocessRegistration(OpForm::kReference));
  run.SetCustomOptions(PackBoxOptions({.max_detections = 4, .max_classes = 2}));
  Boxes(run);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(1), (std::vector<float>{1, 0, 0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(run.Values(2), (std::vector<float>{.95f, .93f, .9f, .8f, .3f, .2f, 0, 0}));
  EXPECT_EQ(run.Values(3), (std::vector<float>{3}));
}

TEST(Detection, FewerClassesThanAskedPerBoxLeaveRowsEmpty) {
  OpRunner run(DetectionPostprocessRegistration(OpForm::kOptimized));
  run.SetCustomOptions(PackBoxOptions({.max_detections = 2, .max_classes = 3}));
  Boxes(run);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(1), (std::vector<float>{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(run.Values(2), (std::vector<float>{.95f, .93f, 0, .9f, .8f, 0}));
  EXPECT_EQ(run.Values(0), (std::vector<float>{0, 10, 1, 11, 0, 10, 1, 11, 0, 0, 0, 0,  //
                                               0, 0,  1, 1,  0, 0,  1, 1,  0, 0, 0, 0}));
}

TEST(Detection, SuppressionPerClass) {
  OpRunner run(DetectionPostprocessRegistration(OpForm::kOptimized));
  run.SetCustomOptions(
      PackBoxOptions({.max_detections = 5, .per_class = 2, .regular = true, .score = 0.25}));
  Boxes(run);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(1), (std::vector<float>{1, 0, 0, 1, 0}));
  EXPECT_EQ(run.Values(2), (std::vector<float>{.95f, .93f, .9f, .8f, 0}));
  EXPECT_EQ(run.Values(3), (std::vector<float>{4}));
}

TEST(Detection, BadOptionsAndOperandsAreErrors) {
  for (const BoxOptions& options :
       std::initializer_list<BoxOptions>{{.max_detections = 0},
                                         {.max_detections = -1},
                                         {.max_classes = 0},
                                         {.max_detections = INT32_MAX, .max_classes = 2},
                                         {.classes = 0},
                                         {.classes = 1},
                                         {.classes = 4},
                                         {.iou = 0},
                                         {.iou = 1.5},
                                         {.iou = std::nan("")},
                                         {.y_scale = 0}}) {
    OpRunner run(DetectionPostprocessRegistration(OpForm::kOptimized));
    run.SetCustomOptions(PackBoxOptions(options));
    Boxes(run);
    EXPECT_EQ(run.Run(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("TFLite_Detection_PostProcess: ", 0), 0u) << run.error();
  }
  const auto error_of = [](const BoxOptions& options, int batch) {
    OpRunner run(DetectionPostprocessRegistration(OpForm::kOptimized));
    run.SetCustomOptions(PackBoxOptions(options));
    Boxes(run);
    run.input(1).dims->data[0] = batch;
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    return run.error().substr(run.error().find(": ") + 2);
  };
  EXPECT_EQ(error_of({.per_class = -3}, 1),
            "option detections_per_class must lie in 1..2147483647 (-3)");
  EXPECT_EQ(error_of({.y_scale = 0}, 1), "option y_scale must be finite and not 0 (0)");
  EXPECT_EQ(error_of({}, 2), "the batch must be 1 (boxes 1, scores 2)");
  OpRunner inside_out(DetectionPostprocessRegistration(OpForm::kOptimized));
  inside_out.SetCustomOptions(PackBoxOptions({.classes = 1}));
  inside_out.Input<float>({1, 1, 4}, {0, 0, 0, 0});
  inside_out.Input<float>({1, 1, 1}, {.5f});
  inside_out.Input<float>({1, 4}, {0, 0, -1, 1});
  for (int i = 0; i < 4; ++i) inside_out.Output();
  EXPECT_EQ(inside_out.Prepare(), kTfLiteOk);
  EXPECT_EQ(inside_out.Eval(), kTfLiteError);
  OpRunner none(DetectionPostprocessRegistration(OpForm::kOptimized));
  Boxes(none);
  EXPECT_EQ(none.Run(), kTfLiteError);
}

// The bytes end at an unreadable page, so reading past them would crash.
TEST(FlexMap, DamagedBytesNeverReadOutside) {
  const std::vector<uint8_t> good = PackBoxOptions({});
  Random random(4);
  int opened = 0, found = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes = good;
    if (round % 2 == 0) bytes.erase(bytes.begin(), bytes.begin() + random.Integer(0, good.size()));
    for (int64_t i = random.Integer(0, 4); i > 0 && !bytes.empty(); --i) {
      bytes[random.Integer(0, static_cast<int64_t>(bytes.size()) - 1)] =
          static_cast<uint8_t>(random.Bits());
    }
    GuardedMemory memory(bytes.size(), 0);
    std::copy(bytes.begin(), bytes.end(), memory.data());
    const auto map = FlexMap::Open(memory.data(), bytes.size());
    if (!map.ok()) continue;
    ++opened;
    for (const char* key : {"num_classes", "y_scale", "missing"}) {
      const auto number = map->Find(key);
      found += number.ok() && number->has_value();
    }
  }
  EXPECT_GT(opened, 100);
  EXPECT_GT(found, opened / 2);
}

TEST(FlexMap, ReadsEveryKindOfNumber) {
  flexbuffers::Builder b;
  b.Map([&] {
    b.Int("minus", -300);
    b.UInt("plus", 70000);
    b.Double("half", 0.5);
    b.Float("third", 1.0f / 3);
    b.Bool("yes", true);
    b.IndirectInt("far", -5);
    b.IndirectFloat("far half", 0.5f);
    b.String("text", "no");
  });
  b.Finish();
  const FlexMap map = *FlexMap::Open(b.GetBuffer().data(), b.GetBuffer().size());
  auto number = [&](const char* key) { return map.Find(key)->value(); };
  EXPECT_EQ(number("minus").as_integer, -300);
  EXPECT_EQ(number("plus").as_integer, 70000);
  EXPECT_EQ(number("half").as_double, 0.5);
  EXPECT_EQ(static_cast<float>(number("third").as_double), 1.0f / 3);
  EXPECT_EQ(number("yes").as_integer, 1);
  EXPECT_EQ(number("far").as_integer, -5);
  EXPECT_EQ(number("far half").as_double, 0.5);
  EXPECT_FALSE(map.Find("text").ok());
  EXPECT_FALSE(map.Find("absent")->has_value());
}

}  // namespace
}  // namespace tern::testing
