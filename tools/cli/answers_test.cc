// SPDX-License-Identifier: Apache-2.0
// Reading answers out of outputs: labels, top five, boxes, masks and poses; and photo resizing.
#include "cli/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace tern::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Labels LabelsOf(const std::string& text) {
  const std::string file = testing::TempDir() + "tern_labels.txt";
  std::ofstream(file) << text;
  return *Labels::Read(file);
}

Picture Plain(int width, int height) {
  Picture picture{width, height, {}};
  picture.rgb.assign(static_cast<size_t>(width) * static_cast<size_t>(height) * 3, 100);
  return picture;
}

TEST(LabelsTest, IndexAndBackgroundAreAccountedFor) {
  EXPECT_EQ(LabelsOf("0  person\n1  bicycle\n").Class(1, 2), "bicycle");
  EXPECT_EQ(LabelsOf("cat\ndog\n").Class(1, 3), "cat");
  EXPECT_EQ(LabelsOf("cat\ndog\n").Class(0, 3), "background");
  EXPECT_EQ(LabelsOf("background\ncat\n").Class(1, 2), "cat");
  EXPECT_EQ(LabelsOf("background\ncat\n").Class(0, 1), "cat");
  EXPECT_EQ(LabelsOf("???\nperson\n").Detected(0), "person");
  EXPECT_EQ(LabelsOf("").Detected(3), "class 3");
}

TEST(TopFiveTest, BestFirst) {
  const Values scores{{1, 6}, false, {0.1f, 0.5f, 0.05f, 0.2f, 0.1f, 0.05f}};
  const auto lines = TopFive({scores}, LabelsOf("a\nb\nc\nd\ne\nf\n"));
  ASSERT_THAT(lines, SizeIs(5));
  EXPECT_THAT(lines[0], HasSubstr("b"));
  EXPECT_THAT(lines[1], HasSubstr("d"));
}

TEST(OverlayTest, BoxesAreDrawnWhereTheyAre) {
  const Values boxes{{1, 2, 4}, false, {0.25f, 0.25f, 0.75f, 0.75f, 0, 0, 1, 1}};
  const Values classes{{1, 2}, false, {1, 0}};
  const Values scores{{1, 2}, false, {0.9f, 0.1f}};
  const Values count{{1}, false, {2}};
  const auto overlay =
      DrawAnswer({boxes, classes, scores, count}, LabelsOf("a\nb\n"), Plain(200, 200), 300, 300);
  ASSERT_TRUE(overlay.has_value());
  ASSERT_THAT(overlay->lines, SizeIs(1));
  EXPECT_THAT(overlay->lines[0], HasSubstr("b"));
  const Color color = PaletteColor(1);
  EXPECT_EQ(overlay->picture.at(100, 149)[0], color[0]);
  EXPECT_EQ(overlay->picture.at(100, 100)[0], 100);
}

TEST(OverlayTest, MaskCountsPixels) {
  Values scores{{1, 10, 10, 4}, false, {}};
  for (int i = 0; i < 100; ++i) {
    const bool left = i % 10 < 5;
    for (float v : {left ? 1.0f : 0.0f, 0.0f, left ? 0.0f : 1.0f, 0.0f}) scores.data.push_back(v);
  }
  const auto overlay =
      DrawAnswer({scores}, LabelsOf("background\na\nb\nc\n"), Plain(40, 40), 10, 10);
  ASSERT_TRUE(overlay.has_value());
  ASSERT_THAT(overlay->lines, SizeIs(2));
  EXPECT_THAT(overlay->lines[1], HasSubstr("0.5000  b"));
  EXPECT_EQ(overlay->picture.at(5, 35)[1], 100);
  EXPECT_NE(overlay->picture.at(35, 35)[1], 100);
}

TEST(OverlayTest, PoseTakesPeakAndOffset) {
  Values heat{{1, 3, 3, 17}, false, std::vector<float>(9 * 17, -5.0f)};
  Values offsets{{1, 3, 3, 34}, false, std::vector<float>(9 * 34, 0.0f)};
  heat.data[4 * 17] = 5.0f;  // the nose in the middle cell
  offsets.data[4 * 34] = 10.0f;
  offsets.data[4 * 34 + 17] = -20.0f;
  const auto overlay = DrawAnswer({heat, offsets}, {}, Plain(100, 100), 101, 101);
  ASSERT_TRUE(overlay.has_value());
  ASSERT_THAT(overlay->lines, SizeIs(2));
  EXPECT_THAT(overlay->lines[0], HasSubstr("pose 0"));
  EXPECT_THAT(overlay->lines[1], HasSubstr("nose"));
  EXPECT_THAT(overlay->lines[1], HasSubstr("x 0.297  y 0.594"));
  EXPECT_EQ(overlay->picture.at(29, 59)[0], 246);  // a light dot
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
