// SPDX-License-Identifier: Apache-2.0
// Reading answers out of outputs: top five, boxes, masks and poses; and photo resizing.
#include "cli/answers/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tern::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Picture Plain(int width, int height) {
  Picture picture{width, height, {}};
  picture.rgb.assign(static_cast<size_t>(width) * static_cast<size_t>(height) * 3, 100);
  return picture;
}

Question Ask(std::vector<Values> outputs, const std::string& labels, Picture photo, int input) {
  Question question;
  question.outputs = std::move(outputs);
  if (!labels.empty()) question.labels = *Labels::Parse(labels, "labels.txt");
  question.photo = std::move(photo);
  question.input_width = question.input_height = input;
  return question;
}

Answer AnswerOf(std::vector<Values> outputs, const std::string& labels = "") {
  return FindAnswer(Ask(std::move(outputs), labels, Plain(64, 64), 64));
}

TEST(ScoresTest, BestFirst) {
  const Answer answer =
      AnswerOf({{{1, 6}, false, {0.1f, 0.5f, 0.05f, 0.2f, 0.1f, 0.05f}, ""}}, "a\nb\nc\nd\ne\nf\n");
  ASSERT_THAT(answer.lines, SizeIs(6));
  EXPECT_EQ(answer.lines[0], "output 0: scores of 6 classes, best first");
  EXPECT_THAT(answer.lines[1], HasSubstr("b"));
  EXPECT_THAT(answer.lines[2], HasSubstr("d"));
  EXPECT_FALSE(answer.drawn);
}

TEST(ScoresTest, EveryOutputWithScoresIsReported) {
  const Answer answer = AnswerOf({{{1, 2}, false, {0.25f, 0.75f}, ""}, {{2}, false, {1, 0}, ""}});
  ASSERT_THAT(answer.lines, SizeIs(6));
  EXPECT_EQ(answer.lines[3], "output 1: scores of 2 classes, best first");
}

// Landmarks, logits and features are numbers of any size; one number has no best.
TEST(ScoresTest, OtherVectorsAreNone) {
  constexpr char kNumbers[] =
      "output 0: no kind of answer that is known here, only numbers "
      "(--labels FILE with a name for each makes classes of them)";
  EXPECT_THAT(AnswerOf({{{1, 3}, false, {-2, 5, 1}, ""}}).lines, ElementsAre(kNumbers));
  EXPECT_THAT(AnswerOf({{{3}, false, {0.9f, 0.8f, 0.7f}, ""}}).lines, ElementsAre(kNumbers));
  constexpr char kNothing[] = "output 0: no kind of answer that is known here, only numbers";
  EXPECT_THAT(AnswerOf({{{1, 1}, false, {0.5f}, ""}}).lines, ElementsAre(kNothing));
  EXPECT_THAT(AnswerOf({{{1, 2}, true, {0, 1}, ""}}).lines, ElementsAre(kNothing));
  EXPECT_THAT(AnswerOf({{{1, 2}, false, {NAN, 1}, ""}}).lines, ElementsAre(kNothing));
  EXPECT_THAT(AnswerOf({{{1, 0}, false, {}, ""}, {{1, 3, 2}, false, {0, 1, 0, 1, 0, 1}, ""}}).lines,
              ElementsAre("outputs 0-1: no kind of answer that is known here, only numbers"));
}

TEST(ScoresTest, LabelsThatFitMakeClassesOfLogits) {
  EXPECT_THAT(AnswerOf({{{1, 3}, false, {-2, 5, 1}, ""}}, "a\nb\nc\n").lines, SizeIs(4));
  EXPECT_THAT(AnswerOf({{{1, 3}, false, {-2, 5, 1}, ""}}, "a\nb\nc\nd\n").lines, SizeIs(1));
}

TEST(ScoresTest, LabelsThatDoNotFitAreSaid) {
  const Answer answer = AnswerOf({{{1, 3}, false, {0.1f, 0.7f, 0.2f}, ""}}, "a\nb\nc\nd\ne\n");
  EXPECT_THAT(
      answer.warnings,
      ElementsAre("labels.txt: 5 labels for an output of 3 classes: the names may be wrong"));
}

std::vector<Values> Detections() {
  return {{{1, 2, 4}, false, {0.25f, 0.25f, 0.75f, 0.75f, 0, 0, 1, 1}, ""},
          {{1, 2}, false, {1, 0}, ""},
          {{1, 2}, false, {0.9f, 0.1f}, ""},
          {{1}, false, {2}, ""}};
}

TEST(OverlayTest, BoxesAreDrawnWhereTheyAre) {
  const Answer answer = FindAnswer(Ask(Detections(), "a\nb\n", Plain(200, 200), 300));
  ASSERT_THAT(answer.lines, SizeIs(1));
  EXPECT_THAT(answer.lines[0], HasSubstr("b"));
  EXPECT_TRUE(answer.drawn);
  const Color color = PaletteColor(1);
  EXPECT_EQ(answer.overlay.at(100, 149)[0], color[0]);
  EXPECT_EQ(answer.overlay.at(100, 100)[0], 100);
}

// Two classes whose numbers lead to one colour; and a name stands above its box, no line crosses
// it.
TEST(OverlayTest, BoxesDifferInColourAndNamesStandAbove) {
  const std::vector<Values> outputs = {
      {{1, 2, 4}, false, {0.25f, 0.25f, 0.75f, 0.75f, 0.2f, 0.1f, 0.9f, 0.9f}, ""},
      {{1, 2}, false, {0, 8}, ""},
      {{1, 2}, false, {0.9f, 0.8f}, ""},
      {{1}, false, {2}, ""}};
  const Answer answer = FindAnswer(Ask(outputs, "", Plain(200, 200), 300));
  const Color best = PaletteColor(0), other = PaletteColor(1);
  EXPECT_EQ(answer.overlay.at(149, 100)[0], best[0]);
  EXPECT_EQ(answer.overlay.at(100, 179)[0], other[0]);
  EXPECT_EQ(answer.overlay.at(51, 50 - LabelHeight(1))[0], best[0]);
  EXPECT_EQ(answer.overlay.at(55, 55)[0], 100);
  // The other box's upper border, at 40, ends where the name begins.
  EXPECT_EQ(answer.overlay.at(30, 40)[0], other[0]);
  EXPECT_NE(answer.overlay.at(51, 40)[0], other[0]);
}

// Scores, boxes, count, classes: as converters of TensorFlow 2 give them.
TEST(OverlayTest, BoxesComeInAnyOrder) {
  const std::vector<Values> in = Detections();
  const Answer answer =
      FindAnswer(Ask({in[2], in[0], in[3], in[1]}, "a\nb\n", Plain(200, 200), 300));
  EXPECT_THAT(answer.lines, ElementsAre("  0.9000  b  x 50..150  y 50..150"));
}

TEST(OverlayTest, ADetectedClassWithoutLabelIsSaid) {
  const Answer answer = FindAnswer(Ask(Detections(), "a\n", Plain(200, 200), 300));
  EXPECT_THAT(answer.warnings, ElementsAre(HasSubstr("1 labels, none of them for class 1")));
}

TEST(OverlayTest, MaskCountsPixels) {
  Values scores{{1, 10, 10, 4}, false, {}, ""};
  for (int i = 0; i < 100; ++i) {
    const bool left = i % 10 < 5;
    for (float v : {left ? 1.0f : 0.0f, 0.0f, left ? 0.0f : 1.0f, 0.0f}) scores.data.push_back(v);
  }
  const Answer answer = FindAnswer(Ask({scores}, "background\na\nb\nc\n", Plain(40, 40), 10));
  ASSERT_THAT(answer.lines, SizeIs(3));
  EXPECT_THAT(answer.lines[2], HasSubstr("0.5000  b"));
  EXPECT_EQ(answer.overlay.at(5, 35)[1], 100);
  EXPECT_NE(answer.overlay.at(35, 35)[1], 100);
}

// Two classes whose numbers lead to one colour.
TEST(OverlayTest, ClassesOfAMaskDifferInColour) {
  Values indices{{1, 16, 16}, true, {}, ""};
  for (int i = 0; i < 256; ++i) indices.data.push_back(i % 16 < 10 ? 15 : 15 - 8);
  const Answer answer = FindAnswer(Ask({indices}, "", Plain(160, 160), 16));
  EXPECT_NE(answer.overlay.at(159, 159)[0], answer.overlay.at(0, 159)[0]);
}

TEST(OverlayTest, AGreyMaskIsTintedAndWritten) {
  Values mask{{1, 16, 16, 1}, false, std::vector<float>(256, 0.0f), ""};
  for (size_t i = 0; i < 64; ++i) mask.data[i] = 1;
  Answer answer = FindAnswer(Ask({mask}, "", Plain(16, 16), 16));
  EXPECT_THAT(answer.lines,
              ElementsAre("output 0: a mask of 16x16 pixels, which takes 25.0% of the picture"));
  EXPECT_NE(answer.overlay.at(8, 1)[0], 100);
  EXPECT_EQ(answer.overlay.at(8, 12)[0], 100);
  EXPECT_EQ(answer.pictures.at(0).at(8, 1)[0], 255);
  mask.shape = {1, 256};  // the same in a row
  EXPECT_THAT(FindAnswer(Ask({mask}, "", Plain(16, 16), 16)).pictures, SizeIs(1));
  for (float& v : mask.data) v = v * 8 - 4;  // before the sigmoid
  mask.shape = {1, 16, 16, 1};
  EXPECT_THAT(FindAnswer(Ask({mask}, "", Plain(16, 16), 16)).lines,
              ElementsAre(HasSubstr("25.0%")));
  for (float& v : mask.data) v = v + 1000;  // a depth, say
  answer = FindAnswer(Ask({mask}, "", Plain(16, 16), 16));
  EXPECT_THAT(answer.lines,
              ElementsAre("output 0: a picture in grey, 16x16; black is 996, white is 1004"));
  EXPECT_FALSE(answer.drawn);
}

TEST(OverlayTest, ThreeChannelsAreAPicture) {
  Values output{{1, 10, 12, 3}, false, std::vector<float>(360, 0.5f), ""};
  Answer answer = AnswerOf({output});
  EXPECT_THAT(answer.lines, ElementsAre("output 0: a picture of 12x10; black is 0, white is 1"));
  EXPECT_EQ(answer.pictures.at(0).at(3, 3)[2], 128);
  output.data[0] = -1;
  EXPECT_EQ(AnswerOf({output}).pictures.at(0).at(0, 0)[0], 0);
  EXPECT_EQ(AnswerOf({output}).pictures.at(0).at(1, 0)[0], 191);
  output.data[0] = 255;
  EXPECT_EQ(AnswerOf({output}).pictures.at(0).at(0, 0)[0], 255);
  output.data.assign(360, -0.5f);  // as of an input in another range
  EXPECT_THAT(AnswerOf({output}).lines,
              ElementsAre(HasSubstr("nothing is brighter than grey: another --input-range")));
  output.data[0] = INFINITY;
  EXPECT_THAT(AnswerOf({output}).pictures, IsEmpty());
}

TEST(OverlayTest, PoseTakesPeakAndOffset) {
  Values heat{{1, 3, 3, 17}, false, std::vector<float>(9 * 17, -1.0f), ""};
  Values offsets{{1, 3, 3, 34}, false, std::vector<float>(9 * 34, 0.0f), ""};
  heat.data[4 * 17] = 5.0f;  // the nose in the middle cell
  offsets.data[4 * 34] = 10.0f;
  offsets.data[4 * 34 + 17] = -20.0f;
  const Answer answer = FindAnswer(Ask({heat, offsets}, "", Plain(100, 100), 101));
  ASSERT_THAT(answer.lines, SizeIs(2));
  EXPECT_THAT(answer.lines[0], HasSubstr("pose 0"));
  EXPECT_THAT(answer.lines[1], HasSubstr("nose"));
  EXPECT_THAT(answer.lines[1], HasSubstr("x 0.297  y 0.594"));
  EXPECT_GT(answer.overlay.at(29, 59)[0], 150);  // a light dot
}

TEST(PictureTest, ResizingKeepsTheMean) {
  Picture stripes = Plain(64, 64);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) stripes.at(x, y)[0] = x % 2 == 0 ? 0 : 200;
  }
  const Picture small = Resized(stripes, 8, 8);
  EXPECT_NEAR(small.at(4, 4)[0], 100, 4);
  EXPECT_EQ(small.at(4, 4)[1], 100);
}

TEST(PictureTest, ElementsFollowRangeAndQuantization) {
  Picture photo = Plain(2, 1);
  photo.rgb = {0, 0, 0, 255, 255, 255};
  TfLiteTensor tensor{};
  tensor.type = kTfLiteFloat32;
  tensor.dims = TfLiteIntArrayCreate(4);
  const int shape[] = {1, 1, 2, 3};
  std::copy(shape, shape + 4, tensor.dims->data);
  const Bytes floats = *PictureElements(photo, tensor, {});
  EXPECT_EQ(ReadElement(kTfLiteFloat32, floats.data(), 0), -1);
  EXPECT_EQ(ReadElement(kTfLiteFloat32, floats.data(), 3), 1);
  tensor.type = kTfLiteInt8;
  tensor.params = {0.5f, 1};
  EXPECT_EQ(static_cast<int8_t>(PictureElements(photo, tensor, {})->at(3)), 127);
  EXPECT_EQ(static_cast<int8_t>(PictureElements(photo, tensor, {0, 4, false})->at(3)), 9);
  tensor.dims->data[3] = 4;
  EXPECT_FALSE(PictureElements(photo, tensor, {}).ok());
  TfLiteIntArrayFree(tensor.dims);
}

}  // namespace
}  // namespace tern::cli
