// SPDX-License-Identifier: Apache-2.0
// Answers by the forms of known networks, out of made-up outputs: anchors, YOLO heads, landmarks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/answers/answers.h"
#include "cli/answers/overlay_boxes.h"
#include "cli/inputs/picture_input.h"

namespace tern::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Answer OnPhoto(std::vector<Values> outputs, int input) {
  Question question;
  question.outputs = std::move(outputs);
  question.photo = {100, 100, std::vector<uint8_t>(30000, 100)};
  question.input_width = question.input_height = input;
  return FindAnswer(question);
}

Values Zeros(const std::vector<int>& shape, float value = 0) {
  size_t count = 1;
  for (const int size : shape) count *= static_cast<size_t>(size);
  return {shape, false, std::vector<float>(count, value), ""};
}

TEST(BoxesTest, OverlapsOfOneClassAreLeftOut) {
  const Box good{0, 0, 0.5f, 0.5f, 0.9f, 1, "", {}};
  Box worse{0, 0, 0.5f, 0.4f, 0.8f, 1, "", {}};
  Box other = worse;
  other.index = 2;
  const Box apart{0.6f, 0, 1, 0.5f, 0.7f, 1, "", {}};
  EXPECT_THAT(WithoutOverlaps({worse, apart, good, other}, 0.5f), SizeIs(3));
  EXPECT_THAT(WithoutOverlaps({worse, good}, 0.9f), SizeIs(2));
}

// The first anchor of the second grid of a face detector for 128 pixels, with six at each cell: the
// middle of its first cell, at 8 of 128 pixels.
TEST(AnchorsTest, FacesComeFromTheirGrids) {
  Values places = Zeros({1, 896, 16}), scores = Zeros({1, 896, 1}, -10);
  scores.data[512] = 2;
  const float box[] = {8, 16, 16, 32, 0, 0};  // to its middle; its size; the first key point
  std::copy(box, box + 6, places.data.begin() + 512 * 16);
  const Answer answer = OnPhoto({places, scores}, 128);
  ASSERT_THAT(answer.lines, SizeIs(1));
  EXPECT_THAT(answer.lines[0], HasSubstr("0.8808  face  x 6..18  y 6..31  points 6,6 "));
  EXPECT_TRUE(answer.drawn);
  EXPECT_THAT(OnPhoto({places, Zeros({1, 896, 1}, -10)}, 128).lines,
              ElementsAre("no face with a score of 0.5 or more"));
}

TEST(AnchorsTest, KindsAreKnownByTheirCounts) {
  EXPECT_THAT(OnPhoto({Zeros({1, 2304, 16}), Zeros({1, 2304, 1}, 9)}, 192).lines[0],
              HasSubstr("face"));
  EXPECT_THAT(OnPhoto({Zeros({1, 2016, 1}, -9), Zeros({1, 2016, 18})}, 192).lines[0],
              HasSubstr("no palm"));
  EXPECT_THAT(OnPhoto({Zeros({1, 2254, 12}), Zeros({1, 2254, 1}, -9)}, 224).lines[0],
              HasSubstr("no person"));
  EXPECT_THAT(OnPhoto({Zeros({1, 900, 16}), Zeros({1, 900, 1}, 9)}, 128).lines[0],
              HasSubstr("no kind of answer"));
}

// 64 pixels make 8x8 + 4x4 + 2x2 = 84 cells.
TEST(YoloTest, HeadsWithNumbersFirst) {
  Values head = Zeros({1, 6, 84});
  const float numbers[] = {32, 16, 16, 8, 0.1f, 0.9f};
  for (size_t n = 0; n < 6; ++n) head.data[n * 84 + 5] = numbers[n];
  EXPECT_THAT(OnPhoto({head}, 64).lines, ElementsAre("  0.9000  class 1  x 37..62  y 18..31"));
  for (size_t n = 0; n < 4; ++n) head.data[n * 84 + 5] /= 64;  // fractions
  EXPECT_THAT(OnPhoto({head}, 64).lines, ElementsAre("  0.9000  class 1  x 37..62  y 18..31"));
}

TEST(YoloTest, HeadsWithThreeBoxesForACell) {
  Values head = Zeros({1, 252, 7});
  const float numbers[] = {0.5f, 0.25f, 0.25f, 0.125f, 0.8f, 0.1f, 1};
  std::copy(numbers, numbers + 7, head.data.begin() + 7 * 100);
  std::copy(numbers, numbers + 7, head.data.begin() + 7 * 101);  // the same again
  EXPECT_THAT(OnPhoto({head}, 64).lines, ElementsAre("  0.8000  class 1  x 37..62  y 18..31"));
}

TEST(YoloTest, HeadsWithDistancesFromCells) {
  Values head = Zeros({1, 84, 7}, 0);
  // Cell 1, 2 of the second grid, whose cells have 16 pixels.
  const float numbers[] = {1.5f, 0.5f, 0, std::log(2.0f), 1, 1, 0};
  std::copy(numbers, numbers + 7, head.data.begin() + 7 * (64 + 2 * 4 + 1));
  EXPECT_THAT(OnPhoto({head}, 64).lines, ElementsAre("  1.0000  class 0  x 50..75  y 37..87"));
}

TEST(YoloTest, RowsOfSeven) {
  Values rows{{2, 7}, false, {0, 3, 0.9f, 16, 0, 32, 64, 0, 4, 0.1f, 0, 0, 9, 9}, ""};
  EXPECT_THAT(OnPhoto({rows}, 64).lines, ElementsAre("  0.9000  class 3  x 25..50  y 0..100"));
  const Values classes{{1, 7}, false, {0, 0, 0.9f, 0, 0, 0.05f, 0.05f}, ""};
  EXPECT_THAT(OnPhoto({classes}, 64).lines[0], HasSubstr("scores of 7 classes"));
  rows.data[2] = 7;  // no score
  EXPECT_THAT(OnPhoto({rows}, 64).lines, ElementsAre(HasSubstr("no kind of answer")));
}

TEST(LandmarksTest, PointsOfAHandThatIsThere) {
  Values points = Zeros({1, 63}), metres = Zeros({1, 63}, 0.01f);
  points.data[3 * 8] = 100;  // the tip of a finger
  points.data[3 * 8 + 1] = 50;
  const Answer answer = OnPhoto({points, Zeros({1, 1}, 0.75f), metres}, 200);
  EXPECT_THAT(answer.lines,
              ElementsAre("output 0: 21 points of a hand", "output 2: the same points in metres",
                          "output 1: a hand is there, with a score of 0.7500"));
  EXPECT_NE(answer.overlay.at(50, 25)[0], 100);
  const Answer gone = OnPhoto({points, Zeros({1, 1}, 0.25f)}, 200);
  EXPECT_THAT(gone.lines, ElementsAre("output 0: 21 points of a hand, not drawn",
                                      "output 1: a hand is not there, with a score of 0.2500"));
  EXPECT_FALSE(gone.drawn);
}

TEST(LandmarksTest, FacesEyesAndBodies) {
  EXPECT_THAT(OnPhoto({Zeros({1, 1, 1, 1404}, 50), Zeros({1, 1, 1, 1}, 3)}, 192).lines,
              ElementsAre("output 0: 468 points of a face",
                          "output 1: a face is there, with a score of 0.9526"));
  EXPECT_THAT(
      OnPhoto({Zeros({1, 213}, 20), Zeros({1, 15}, 20)}, 64).lines,
      ElementsAre("output 0: 71 points of an eye and its brow", "output 1: 5 points of an iris"));
  EXPECT_THAT(OnPhoto({Zeros({1, 195}, 90), Zeros({1, 1}, 1), Zeros({1, 4, 4, 39})}, 256).lines,
              ElementsAre("output 0: 33 points of a body", "output 2: the same points as heat maps",
                          "output 1: a body is there, with a score of 1.0000"));
}

// A classifier may have as many classes.
TEST(LandmarksTest, OneRowAloneIsNone) {
  for (const int numbers : {15, 63, 195, 213}) {
    EXPECT_THAT(OnPhoto({Zeros({1, numbers}, 20)}, 64).lines, ElementsAre(HasSubstr("no kind")));
  }
}

TEST(LandmarksTest, WildNumbersAreHarmless) {
  for (const float wild : {NAN, INFINITY, 1e30f, -1e30f}) {
    for (const int numbers : {63, 195, 1404}) {
      OnPhoto({Zeros({1, numbers}, wild), Zeros({1, 1}, 1)}, 200);
    }
    OnPhoto({Zeros({1, 896, 16}, wild), Zeros({1, 896, 1}, 9)}, 128);
    OnPhoto({Zeros({1, 6, 84}, wild)}, 64);
    OnPhoto({Zeros({1, 84, 7}, wild)}, 64);
    OnPhoto({Zeros({1, 1, 17, 3}, wild)}, 64);
    OnPhoto({Zeros({1, 16, 16, 14}, wild)}, 64);
  }
}

// Without a picture there are no pixels to tell of.
TEST(LandmarksTest, WithoutAPictureTheyAreNumbers) {
  Question question;
  question.outputs = {Zeros({1, 63}, 50), Zeros({1, 896, 16}), Zeros({1, 896, 1}, 9),
                      Zeros({1, 20, 20, 5}, 1)};
  const Answer answer = FindAnswer(question);
  EXPECT_THAT(answer.lines, SizeIs(1));
  EXPECT_THAT(answer.pictures, IsEmpty());
}

TEST(PictureInputTest, RangesOfKnownNetworks) {
  const RangeChoice guess{ValueRange(), "a guess"};
  EXPECT_EQ(RangeOfForms({{1, 2016, 18}, {1, 2016, 1}}, guess).range.low, 0);
  EXPECT_EQ(RangeOfForms({{16, 7}}, guess).range.high, 255);
  EXPECT_EQ(RangeOfForms({{1, 63}, {1, 1}, {1, 1}, {1, 63}}, guess).why,
            "by its outputs: points of a hand");
  for (const std::vector<int>& other : {std::vector<int>{1, 7}, {1, 240, 320, 7}, {1, 63}, {14}}) {
    EXPECT_EQ(RangeOfForms({other}, guess).why, "a guess");
  }
  EXPECT_EQ(RangeOfForms({{16, 7}, {1, 1}}, guess).why, "a guess");
  EXPECT_EQ(RangeOfForms({{}, {1, 1001}}, guess).range.low, -1);
}

using Lab = std::array<double, 3>;

// A colour as somebody with a kind of colour vision sees it (a matrix over linear light, after
// Machado, Oliveira and Fernandes 2009), in CIE Lab.
Lab Seen(Color color, const double (&m)[9]) {
  double linear[3], seen[3];
  for (size_t c = 0; c < 3; ++c) {
    const double v = color[c] / 255.0;
    linear[c] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  for (size_t r = 0; r < 3; ++r) {
    const double* row = &m[3 * r];
    seen[r] = std::clamp(row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2], 0.0, 1.0);
  }
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047);
  const double y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
  const double z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(PaletteTest, ColoursDifferForEveryKindOfColourVision) {
  constexpr double kKinds[][9] = {
      {1, 0, 0, 0, 1, 0, 0, 0, 1},
      {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
      {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
      {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
       0.303900}};
  constexpr double kLeast = 15;  // 2 is what a trained eye sees side by side
  for (const auto& kind : kKinds) {
    for (int a = 0; a < static_cast<int>(kPaletteColors); ++a) {
      for (int b = 0; b < a; ++b) {
        const Lab p = Seen(PaletteColor(a), kind), q = Seen(PaletteColor(b), kind);
        EXPECT_GT(std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]), kLeast) << a << " " << b;
      }
    }
  }
}

}  // namespace
}  // namespace tern::cli
