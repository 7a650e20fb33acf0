// SPDX-License-Identifier: Apache-2.0
// Label files: with numbers and gaps, with and without background, and those that do not fit.
#include "cli/answers/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tern::cli {
namespace {

using ::testing::HasSubstr;

Labels LabelsOf(absl::string_view text) { return *Labels::Parse(text, "names.txt"); }

TEST(LabelsTest, IndexAndBackgroundAreAccountedFor) {
  EXPECT_EQ(LabelsOf("0  person\n1  bicycle\n").Class(1, 2), "bicycle");
  EXPECT_EQ(LabelsOf("cat\ndog\n").Class(1, 3), "cat");
  EXPECT_EQ(LabelsOf("cat\ndog\n").Class(0, 3), "background");
  EXPECT_EQ(LabelsOf("background\ncat\n").Class(1, 2), "cat");
  EXPECT_EQ(LabelsOf("background\ncat\n").Class(0, 1), "cat");
  EXPECT_EQ(LabelsOf("???\nperson\n").Detected(0), "person");
  EXPECT_EQ(Labels().Detected(3), "class 3");
}

TEST(LabelsTest, NumbersMayHaveGaps) {
  const Labels labels = LabelsOf("0 person\n16 cat\r\n17: dog\n");
  EXPECT_EQ(labels.Detected(0), "person");
  EXPECT_EQ(labels.Detected(16), "cat");
  EXPECT_EQ(labels.Class(17, 0), "dog");
  EXPECT_EQ(labels.Detected(1), "class 1");
  EXPECT_EQ(labels.Detected(18), "class 18");
  EXPECT_EQ(LabelsOf("17 dog\n16 cat").Detected(16), "cat");
}

TEST(LabelsTest, NumbersFromOneLeaveOutTheBackground) {
  EXPECT_EQ(LabelsOf("1 cat\n2 dog\n").Class(0, 2), "cat");
  EXPECT_EQ(LabelsOf("1 cat\n2 dog\n").Class(1, 3), "cat");
  EXPECT_EQ(LabelsOf("1 cat\n2 dog\n").Detected(1), "cat");
}

// One line without a number, or one number twice: the numbers are part of names.
TEST(LabelsTest, NamesMayBeginWithNumbers) {
  EXPECT_EQ(LabelsOf("7 Up\nwater\n").Class(0, 2), "7 Up");
  EXPECT_EQ(LabelsOf("2 doors\n2 wheels\n").Class(1, 2), "2 wheels");
  EXPECT_EQ(LabelsOf("0\n1\n2\n").Class(2, 3), "2");
  EXPECT_EQ(LabelsOf("\xef\xbb\xbf"
                     "a\n")
                .Class(0, 1),
            "a");
  EXPECT_EQ(LabelsOf("99999999999 a\n").Class(0, 1), "99999999999 a");
}

TEST(LabelsTest, FitIsSaid) {
  const Labels three = LabelsOf("a\nb\nc\n");
  EXPECT_EQ(three.Misfit(3), "");
  EXPECT_EQ(three.Misfit(4), "");  // and the background
  EXPECT_EQ(three.Misfit(2),
            "names.txt: 3 labels for an output of 2 classes: the names may be wrong");
  EXPECT_EQ(three.Misfit(1001),
            "names.txt: 3 labels for an output of 1001 classes: the names may be wrong");
  EXPECT_EQ(LabelsOf("background\na\n").Misfit(1), "");
  EXPECT_THAT(LabelsOf("0 a\n5 b\n").Misfit(3),
              HasSubstr("2 labels with numbers up to 5 for an output of 3 classes"));
  EXPECT_EQ(three.MisfitDetected(2), "");
  EXPECT_THAT(three.MisfitDetected(3), HasSubstr("none of them for class 3, which was detected"));
  EXPECT_EQ(Labels().Misfit(7), "");
  EXPECT_EQ(Labels().MisfitDetected(7), "");
}

TEST(LabelsTest, FilesWithoutLabelsAreErrors) {
  for (const absl::string_view text : {"", "\n", "  \n\t\n", "\xef\xbb\xbf"}) {
    const auto none = Labels::Parse(text, "names.txt");
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.status().message(),
              "names.txt: no labels in it; a label on each line is expected");
  }
  EXPECT_THAT(Labels::Parse(absl::string_view("\x89PNG\0\1", 6), "p.png").status().message(),
              HasSubstr("p.png: no text with a label on each line"));
  EXPECT_FALSE(Labels::Read(::testing::TempDir()).ok());
  EXPECT_FALSE(Labels::Read("none.txt").ok());
}

}  // namespace
}  // namespace tern::cli
