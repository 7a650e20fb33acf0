// SPDX-License-Identifier: Apache-2.0
// Which classes are printed, and how photos get into inputs.
#include "label_image/top_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "label_image/image_input.h"
#include "tensorflow/lite/c/common.h"

namespace tern::tools {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pair;

// A tensor over elements that the caller keeps.
class TensorOf {
 public:
  template <class T>
  TensorOf(TfLiteType type, const std::vector<int>& shape, std::vector<T>* elements) {
    tensor_.type = type;
    tensor_.dims = TfLiteIntArrayCreate(static_cast<int>(shape.size()));
    std::copy(shape.begin(), shape.end(), tensor_.dims->data);
    tensor_.data.data = elements->data();
    tensor_.bytes = elements->size() * sizeof(T);
  }
  ~TensorOf() { TfLiteIntArrayFree(tensor_.dims); }
  TensorOf(const TensorOf&) = delete;
  TensorOf& operator=(const TensorOf&) = delete;
  TfLiteTensor* get() { return &tensor_; }

 private:
  TfLiteTensor tensor_ = {};
};

TEST(TopResults, AreSortedByScoreThenByClass) {
  std::vector<float> scores = {0.25F, 0.0009F, 0.5F, 0.25F};
  TensorOf output(kTfLiteFloat32, {1, 4}, &scores);
  EXPECT_THAT(*TopResults(*output.get(), 5),
              ElementsAre(Pair(0.5F, 2), Pair(0.25F, 3), Pair(0.25F, 0)));
  EXPECT_THAT(*TopResults(*output.get(), 1), ElementsAre(Pair(0.5F, 2)));
}

TEST(TopResults, OfQuantizedOutputsAreShares) {
  std::vector<uint8_t> bytes = {255, 0, 51};
  TensorOf unsigned_output(kTfLiteUInt8, {3}, &bytes);
  EXPECT_THAT(*TopResults(*unsigned_output.get(), 5), ElementsAre(Pair(1.0F, 0), Pair(0.2F, 2)));
  std::vector<int8_t> signed_bytes = {-128, 0, 127};
  TensorOf signed_output(kTfLiteInt8, {3}, &signed_bytes);
  EXPECT_THAT(*TopResults(*signed_output.get(), 5),
              ElementsAre(Pair(255.0F / 256.0F, 2), Pair(0.5F, 1)));
}

TEST(TopResults, NeedClassesOfAKnownType) {
  std::vector<int64_t> indices = {1, 2};
  TensorOf other(kTfLiteInt64, {2}, &indices);
  EXPECT_FALSE(TopResults(*other.get(), 5).ok());
  std::vector<float> one = {1};
  TensorOf scalar(kTfLiteFloat32, {}, &one);
  EXPECT_FALSE(TopResults(*scalar.get(), 5).ok());
}

TEST(WriteImage, ScalesFromTheCorner) {
  cli::Picture photo = {4, 1, {0, 0, 0, 40, 40, 40, 80, 80, 80, 120, 120, 120}};
  std::vector<float> floats(3 * 3);
  TensorOf input(kTfLiteFloat32, {1, 1, 3, 3}, &floats);
  ASSERT_TRUE(WriteImage(photo, 100, 50, input.get()).ok());
  EXPECT_THAT(floats[0], FloatNear(-2, 1e-5));
  EXPECT_THAT(floats[3], FloatNear((160.0F / 3 - 100) / 50, 1e-5));  // at pixel 4 / 3
  EXPECT_THAT(floats[6], FloatNear((320.0F / 3 - 100) / 50, 1e-5));
  std::vector<int8_t> bytes(4);
  TensorOf grey(kTfLiteInt8, {1, 1, 4, 1}, &bytes);
  ASSERT_TRUE(WriteImage(photo, 0, 1, grey.get()).ok());
  EXPECT_THAT(bytes, ElementsAre(-128, -88, -48, -8));
}

TEST(WriteImage, RefusesOtherInputs) {
  cli::Picture photo = {1, 1, {0, 0, 0}};
  std::vector<float> floats(4);
  TensorOf flat(kTfLiteFloat32, {1, 4}, &floats);
  EXPECT_FALSE(WriteImage(photo, 0, 1, flat.get()).ok());
  TensorOf four_channels(kTfLiteFloat32, {1, 1, 1, 4}, &floats);
  EXPECT_FALSE(WriteImage(photo, 0, 1, four_channels.get()).ok());
  std::vector<int32_t> integers(3);
  TensorOf wide(kTfLiteInt32, {1, 1, 1, 3}, &integers);
  EXPECT_FALSE(WriteImage(photo, 0, 1, wide.get()).ok());
}

}  // namespace
}  // namespace tern::tools
