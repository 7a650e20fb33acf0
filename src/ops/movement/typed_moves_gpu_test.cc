// SPDX-License-Identifier: Apache-2.0
// Elements of every type move on the GPU as they are: INT32, UINT32, INT64 beyond 32 bits, FLOAT16,
// BOOL.
#include <gtest/gtest.h>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using tflite::TensorType;
using Sizes = std::vector<int32_t>;

class TypedMovesGpu : public ::testing::TestWithParam<TensorType> {
 protected:
  int Input(const Sizes& shape) {
    int64_t count = 1;
    for (const int32_t d : shape) count *= d;
    const int64_t reach = GetParam() == tflite::TensorType_INT64 ? int64_t{1} << 50 : 1000000000;
    inputs_.push_back(WholeNumbers(count, GetParam(), -reach, reach));
    return b_.Input(shape, GetParam());
  }
  int Ints(const std::vector<int32_t>& values) {
    return b_.Const<int32_t>({static_cast<int32_t>(values.size())}, values);
  }
  template <class Options>
  void Check(tflite::BuiltinOperator op, const std::vector<int32_t>& inputs, const Sizes& to,
             Options options, int version = 1) {
    b_.SetOpVersion(version);
    b_.Output(b_.Op(op, inputs, {b_.Tensor(to, GetParam())}, std::move(options)));
    CheckSameBytes(tflite::EnumNameBuiltinOperator(op), b_, inputs_);
  }

  ModelBuilder b_;
  std::vector<std::vector<uint8_t>> inputs_;
};

TEST_P(TypedMovesGpu, Transpose) {
  Check(tflite::BuiltinOperator_TRANSPOSE, {Input({2, 3, 5, 7}), Ints({3, 0, 2, 1})}, {7, 2, 5, 3},
        tflite::TransposeOptionsT());
}

TEST_P(TypedMovesGpu, Pad) {
  const int paddings = b_.Const<int32_t>({3, 2}, {1, 0, 0, 2, 3, 1});
  Check(tflite::BuiltinOperator_PAD, {Input({2, 3, 5}), paddings}, {3, 5, 9},
        tflite::PadOptionsT());
}

TEST_P(TypedMovesGpu, Join) {
  tflite::ConcatenationOptionsT o;
  o.axis = 2;
  Check(tflite::BuiltinOperator_CONCATENATION, {Input({2, 3, 5}), Input({2, 3, 6})}, {2, 3, 11}, o);
}

TEST_P(TypedMovesGpu, Reverse) {
  Check(tflite::BuiltinOperator_REVERSE_V2, {Input({4, 3, 6}), Ints({2})}, {4, 3, 6},
        tflite::ReverseV2OptionsT());
}

TEST_P(TypedMovesGpu, TileOfManyAxes) {
  Check(tflite::BuiltinOperator_TILE, {Input({2, 3, 2, 3}), Ints({2, 3, 2, 2})}, {4, 9, 4, 6},
        tflite::TileOptionsT());
}

TEST_P(TypedMovesGpu, Fill) {
  const TensorType type = GetParam();
  inputs_.push_back(WholeNumbers(1, type, 1, type == tflite::TensorType_INT64 ? 1LL << 50 : 1000));
  const int value = b_.Input({}, type);
  Check(tflite::BuiltinOperator_FILL, {Ints({3, 4, 5}), value}, {3, 4, 5}, tflite::FillOptionsT());
}

INSTANTIATE_TEST_SUITE_P(Types, TypedMovesGpu,
                         ::testing::Values(tflite::TensorType_INT32, tflite::TensorType_UINT32,
                                           tflite::TensorType_INT64, tflite::TensorType_FLOAT16,
                                           tflite::TensorType_BOOL),
                         [](const auto& info) {
                           return std::string(tflite::EnumNameTensorType(info.param));
                         });

}  // namespace
}  // namespace tern::testing
