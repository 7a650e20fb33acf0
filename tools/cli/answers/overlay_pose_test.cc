// SPDX-License-Identifier: Apache-2.0
// People out of made-up maps with known answers, and out of a photo with published ones.
#include "cli/answers/overlay_pose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>

#include "model/testing/shared_files.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

namespace tern::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int kRows = 23, kColumns = 31, kStride = 16;
constexpr int kHeight = (kRows - 1) * kStride + 1, kWidth = (kColumns - 1) * kStride + 1;
constexpr int kEdges[16][2] = {{0, 1},  {1, 3},  {0, 2},   {2, 4},   {0, 5}, {5, 7},
                               {7, 9},  {5, 11}, {11, 13}, {13, 15}, {0, 6}, {6, 8},
                               {8, 10}, {6, 12}, {12, 14}, {14, 16}};

struct Person {
  float x = 0, y = 0;  // of the nose
  float size = 1;
  float logit = 5;  // at every key point

  KeyPoint Point(int k) const {
    constexpr float kBody[kPosePoints][2] = {{0, 0},    {5, -5},   {-5, -5},  {10, -2},  {-10, -2},
                                             {18, 20},  {-18, 20}, {24, 45},  {-24, 45}, {26, 70},
                                             {-26, 70}, {12, 75},  {-12, 75}, {13, 110}, {-13, 110},
                                             {14, 145}, {-14, 145}};
    return {x + size * kBody[k][0], y + size * kBody[k][1], 0};
  }
};

// Heat falls off around every key point, offsets are exact, displacements miss by a few pixels.
std::vector<Values> MapsOf(const std::vector<Person>& people) {
  std::vector<Values> maps(3);
  const int channels[] = {17, 34, 64};
  for (size_t i = 0; i < 3; ++i) {
    maps[i].shape = {1, kRows, kColumns, channels[i]};
    maps[i].data.resize(static_cast<size_t>(kRows * kColumns * channels[i]));
  }
  const auto at = [&](size_t map, int cell, int channel) -> float& {
    return maps[map].data[static_cast<size_t>(cell * channels[map] + channel)];
  };
  for (int cell = 0; cell < kRows * kColumns; ++cell) {
    const auto y = static_cast<float>(cell / kColumns * kStride);
    const auto x = static_cast<float>(cell % kColumns * kStride);
    for (int k = 0; k < kPosePoints; ++k) {
      const Person* nearest = nullptr;
      float distance = std::numeric_limits<float>::max();
      for (const Person& person : people) {
        const KeyPoint p = person.Point(k);
        const float d = std::hypot(p.x - x, p.y - y);
        if (d >= distance) continue;
        distance = d;
        nearest = &person;
      }
      const KeyPoint p = nearest->Point(k);
      at(0, cell, k) = nearest->logit - distance / 4;
      at(1, cell, k) = p.y - y;
      at(1, cell, 17 + k) = p.x - x;
      for (int e = 0; e < 16; ++e) {
        for (int direction = 0; direction < 2; ++direction) {
          if (kEdges[e][direction] != k) continue;
          const KeyPoint to = nearest->Point(kEdges[e][1 - direction]);
          at(2, cell, direction * 32 + e) = to.y - p.y + 6;
          at(2, cell, direction * 32 + 16 + e) = to.x - p.x - 5;
        }
      }
    }
  }
  return maps;
}

std::vector<Pose> Decoded(const std::vector<Values>& outputs) {
  const auto maps = FindPoseMaps(outputs, kWidth, kHeight);
  return maps ? DecodePoses(*maps) : std::vector<Pose>{};
}

void ExpectPoints(const Pose& pose, const Person& person, float tolerance) {
  for (int k = 0; k < kPosePoints; ++k) {
    const KeyPoint wanted = person.Point(k);
    EXPECT_NEAR(pose.points[static_cast<size_t>(k)].x, wanted.x, tolerance) << "key point " << k;
    EXPECT_NEAR(pose.points[static_cast<size_t>(k)].y, wanted.y, tolerance) << "key point " << k;
  }
}

TEST(PoseTest, TwoPeopleAreDistinguishedTheSurerOneFirst) {
  const Person left{130, 90, 1.2f, 5}, right{210, 80, 1.4f, 7};
  const auto poses = Decoded(MapsOf({left, right}));
  ASSERT_THAT(poses, SizeIs(2));
  ExpectPoints(poses[0], right, 0.01f);
  ExpectPoints(poses[1], left, 0.01f);
  EXPECT_GT(poses[0].score, poses[1].score);
  EXPECT_GT(poses[1].score, 0.8f);
}

TEST(PoseTest, APersonMayBeginAtAnAnkle) {
  const Person person{200, 100, 1.3f, 5};
  auto maps = MapsOf({person});
  for (size_t i = 0; i < maps[0].data.size(); ++i) {
    if (i % 17 != 16) maps[0].data[i] -= 5.1f;  // the other key points are too faint to begin at
  }
  const auto poses = Decoded(maps);
  ASSERT_THAT(poses, SizeIs(1));
  ExpectPoints(poses[0], person, 0.01f);
}

TEST(PoseTest, FaintPeopleAndSinglePointsAreNone) {
  EXPECT_THAT(Decoded(MapsOf({{200, 100, 1, -0.5f}})), SizeIs(0));
  auto maps = MapsOf({{200, 100, 1, 5}});
  for (size_t i = 0; i < maps[0].data.size(); ++i) {
    if (i % 17 != 9) maps[0].data[i] -= 15;
  }
  EXPECT_THAT(Decoded(maps), SizeIs(0));
}

TEST(PoseTest, AtMostTenPeople) {
  std::vector<Person> crowd;
  for (int i = 0; i < 12; ++i) {
    crowd.push_back({60.0f + 110.0f * static_cast<float>(i % 4),
                     30.0f + 110.0f * static_cast<float>(i / 4), 0.6f, 5});
  }
  EXPECT_THAT(Decoded(MapsOf(crowd)), SizeIs(10));
}

// The answer that maps give.
Answer Posed(std::vector<Values> maps, const Picture& photo) {
  Question question;
  question.outputs = std::move(maps);
  question.photo = photo;
  question.input_width = kWidth;
  question.input_height = kHeight;
  Answer answer(question);
  TellPose(question, &answer);
  return answer;
}

TEST(PoseTest, WithoutDisplacementsThereIsOnePose) {
  auto maps = MapsOf({{130, 90, 1.2f, 5}, {210, 80, 1.4f, 7}});
  maps.pop_back();
  const auto poses = Decoded(maps);
  ASSERT_THAT(poses, SizeIs(1));
  ExpectPoints(poses[0], {210, 80, 1.4f, 7}, 0.01f);
}

TEST(PoseTest, MapsOfOtherSizesAreLeftAlone) {
  auto maps = MapsOf({{200, 100, 1, 5}});
  maps[2].shape[1] -= 1;
  EXPECT_EQ(FindPoseMaps(maps, kWidth, kHeight)->displacements, nullptr);
  maps[1].data.pop_back();
  EXPECT_FALSE(FindPoseMaps(maps, kWidth, kHeight).has_value());
}

// Two outputs with names for the two ways along the edges.
TEST(PoseTest, DisplacementsMayBeApart) {
  auto maps = MapsOf({{130, 90, 1.2f, 5}, {210, 80, 1.4f, 7}});
  const Values joined = maps[2];
  maps[2] = {{1, kRows, kColumns, 32}, false, {}, "displacement_bwd_2"};
  maps.push_back({{1, kRows, kColumns, 32}, false, {}, "displacement_fwd_2"});
  for (size_t i = 0; i < joined.data.size(); i += 64) {
    const auto first = joined.data.begin() + static_cast<std::ptrdiff_t>(i);
    maps[3].data.insert(maps[3].data.end(), first, first + 32);
    maps[2].data.insert(maps[2].data.end(), first + 32, first + 64);
  }
  const auto poses = Decoded(maps);
  ASSERT_THAT(poses, SizeIs(2));
  ExpectPoints(poses[0], {210, 80, 1.4f, 7}, 0.01f);
}

TEST(PoseTest, RowsOfPointsAreOnePose) {
  Values rows{{1, 1, kPosePoints, 3}, false, std::vector<float>(3 * kPosePoints, 0.2f), ""};
  rows.data[1] = 0.5f;
  rows.data[2] = 0.9f;  // the nose
  const Picture photo{64, 48, std::vector<uint8_t>(64 * 48 * 3)};
  EXPECT_THAT(Posed({rows}, photo).lines,
              ElementsAre("  0.2412  pose 0", "  0.9000    nose            x 0.500  y 0.200"));
  rows.data.assign(3 * kPosePoints, 0.1f);
  EXPECT_THAT(Posed({rows}, photo).lines, ElementsAre("no pose with a score of 0.2 or more"));
  EXPECT_FALSE(Posed({rows}, photo).drawn);
}

TEST(PoseTest, FourteenHeatMapsAreOnePose) {
  Values heat{{1, 10, 10, 14}, false, std::vector<float>(1400, 0.01f), ""};
  for (size_t k = 0; k < 14; ++k) heat.data[14 + k] = 0.3f;
  heat.data[55 * 14 + 1] = 0.8f;  // the neck
  const Picture photo{64, 48, std::vector<uint8_t>(64 * 48 * 3)};
  const Answer answer = Posed({heat}, photo);
  ASSERT_THAT(answer.lines, SizeIs(2));
  EXPECT_EQ(answer.lines[1], "  0.8000    neck            x 0.550  y 0.550");
  heat.data.assign(1400, 0.5f);  // classes of pixels, say
  EXPECT_THAT(Posed({heat}, photo).lines, SizeIs(0));
}

TEST(PoseTest, WildValuesStayInTheMaps) {
  for (float wild : {std::numeric_limits<float>::quiet_NaN(), 1e30f, -1e30f}) {
    auto maps = MapsOf({{200, 100, 1, 5}});
    for (size_t i = 1; i < 3; ++i) maps[i].data.assign(maps[i].data.size(), wild);
    const Picture photo{64, 48, std::vector<uint8_t>(64 * 48 * 3)};
    EXPECT_TRUE(Posed(maps, photo).reported[0]);
    maps[0].data.assign(maps[0].data.size(), wild);
    EXPECT_TRUE(Posed(maps, photo).reported[0]);
  }
}

TEST(PoseTest, EveryPersonHasAColourAndALine) {
  Picture photo{kWidth, kHeight, {}};
  photo.rgb.assign(static_cast<size_t>(kWidth * kHeight * 3), 100);
  const Person strong{210, 80, 1.4f, 7}, weak{130, 90, 1.2f, 5};
  const Answer answer = Posed(MapsOf({weak, strong}), photo);
  EXPECT_THAT(answer.lines, Contains(HasSubstr("pose 0")));
  EXPECT_THAT(answer.lines, Contains(HasSubstr("pose 1")));
  EXPECT_THAT(answer.lines, Contains(HasSubstr("left ankle")).Times(2));
  int index = 0;
  for (const Person& person : {strong, weak}) {  // the middle of the line between the shoulders
    const uint8_t* pixel = answer.overlay.at(static_cast<int>(person.x),
                                             static_cast<int>(person.y + 20 * person.size));
    EXPECT_EQ(pixel[0], PaletteColor(index)[0]);
    EXPECT_EQ(pixel[1], PaletteColor(index)[1]);
    ++index;
  }
}

// The outputs of a float model for a photo.
std::vector<Values> RunOn(const std::string& model_file, const Picture& photo) {
  const auto model = tflite::FlatBufferModel::BuildFromFile(model_file.c_str());
  const tflite::ops::builtin::BuiltinOpResolver resolver;
  std::unique_ptr<tflite::Interpreter> interpreter;
  if (model == nullptr || tflite::InterpreterBuilder(*model, resolver)(&interpreter) != kTfLiteOk ||
      interpreter->AllocateTensors() != kTfLiteOk) {
    return {};
  }
  TfLiteTensor* input = interpreter->input_tensor(0);
  const auto elements = PictureElements(photo, *input, {});
  if (!elements.ok()) return {};
  std::memcpy(input->data.raw, elements->data(), elements->size());
  if (interpreter->Invoke() != kTfLiteOk) return {};
  std::vector<Values> outputs;
  for (size_t i = 0; i < interpreter->outputs().size(); ++i) {
    outputs.push_back(ReadValues(*interpreter->output_tensor(i)));
  }
  return outputs;
}

TEST(PoseTest, TwoPeopleOnAPhotoAreWhereTheReferenceHasThem) {
  const auto root = ::tern::testing::SharedRoot();
  const auto model = root / "models/derived_posenet_mobilenet_v1_075_353x481_float.tflite";
  const auto table =
      root / "media/coral_posenet_mobilenet_v1_075_353_481_16_quant_decoder_reference.csv";
  const auto photo = LoadPicture((root / "media/coral_posenet_test_image.bmp").string());
  std::ifstream reference(table);
  if (!std::filesystem::exists(model) || !photo.ok() || !reference) {
    GTEST_SKIP() << model.filename() << ", its photo or its reference is not there";
  }
  const auto poses = Decoded(RunOn(model.string(), *photo));
  ASSERT_THAT(poses, SizeIs(2));
  std::string line;
  int compared = 0;
  for (std::getline(reference, line); std::getline(reference, line);) {
    size_t person = 0, k = 0;
    float pose_score = 0, score = 0, x = 0, y = 0;
    ASSERT_EQ(
        std::sscanf(line.c_str(), "%zu,%f,%zu,%f,%f,%f", &person, &pose_score, &k, &score, &x, &y),
        6);
    ASSERT_LT(person, 2u);
    ASSERT_LT(k, poses[person].points.size());
    EXPECT_NEAR(poses[person].score, pose_score, 0.05);
    if (score < 0.5f) continue;  // hidden points wander
    EXPECT_NEAR(poses[person].points[k].x, x * kWidth, 6) << line;
    EXPECT_NEAR(poses[person].points[k].y, y * kHeight, 6) << line;
    ++compared;
  }
  EXPECT_EQ(compared, 31);
}

}  // namespace
}  // namespace tern::cli
