// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/crop.h"

#include <gtest/gtest.h>

namespace tern::cli {
namespace {

// Red tells the column, green the row.
Picture Photo(int width, int height) {
  Picture photo{width, height, std::vector<uint8_t>(static_cast<size_t>(width * height * 3))};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      photo.at(x, y)[0] = static_cast<uint8_t>(10 * x);
      photo.at(x, y)[1] = static_cast<uint8_t>(10 * y);
      photo.at(x, y)[2] = 7;
    }
  }
  return photo;
}

std::vector<int> At(const Picture& picture, int x, int y) {
  return {picture.at(x, y)[0], picture.at(x, y)[1], picture.at(x, y)[2]};
}

TEST(Crop, TakesTheBox) {
  const absl::StatusOr<Picture> part = Cropped(Photo(8, 6), {{2, 1, 3, 4}, 0});
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(part->width, 3);
  EXPECT_EQ(part->height, 4);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 3; ++x)
      EXPECT_EQ(At(*part, x, y), (std::vector<int>{10 * (x + 2), 10 * (y + 1), 7}));
  }
}

TEST(Crop, IsBlackBeyondThePhoto) {
  const absl::StatusOr<Picture> part = Cropped(Photo(4, 4), {{-1, 2, 3, 3}, 0});
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(At(*part, 0, 0), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(At(*part, 1, 0), (std::vector<int>{0, 20, 7}));
  EXPECT_EQ(At(*part, 2, 1), (std::vector<int>{10, 30, 7}));
  EXPECT_EQ(At(*part, 1, 2), (std::vector<int>{0, 0, 0}));
}

// A quarter to the right: the photo's left column, from below, is the upper row.
TEST(Crop, TurnsBack) {
  const Picture photo = Photo(5, 5);
  const absl::StatusOr<Picture> quarter = Cropped(photo, {{}, 90});
  ASSERT_TRUE(quarter.ok()) << quarter.status();
  // A thing that lies turned clockwise has its top at the right.
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(At(*quarter, i, 0), At(photo, 4, i)) << i;
    EXPECT_EQ(At(*quarter, 0, i), At(photo, 4 - i, 0)) << i;
  }
  const absl::StatusOr<Picture> half = Cropped(photo, {{}, 180});
  ASSERT_TRUE(half.ok());
  EXPECT_EQ(At(*half, 0, 0), At(photo, 4, 4));
  const absl::StatusOr<Picture> whole = Cropped(photo, {{}, -360});
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->rgb, photo.rgb);
}

TEST(Crop, InterpolatesBetweenPixels) {
  const absl::StatusOr<Picture> part = Cropped(Photo(8, 8), {{2.5, 3.25, 2, 2}, 0});
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(At(*part, 0, 0), (std::vector<int>{25, 33, 7}));
}

TEST(Crop, SaysWhatIsWrong) {
  const Picture photo = Photo(8, 6);
  const auto error = [&](const Crop& crop) {
    return std::string(Cropped(photo, crop).status().message());
  };
  EXPECT_EQ(error({{0, 0, 0, 5}, 0}),
            "--crop: width and height must be from 1 to 16384, got 0 and 5");
  EXPECT_EQ(error({{0, 0, 5, 1e9}, 0}),
            "--crop: width and height must be from 1 to 16384, got 5 and 1e+09");
  EXPECT_EQ(error({{8, 0, 2, 2}, 15}),
            "--crop: nothing of the photo of 8x6 lies in 8,0,2x2, turned by 15");
}

}  // namespace
}  // namespace tern::cli
