// SPDX-License-Identifier: Apache-2.0
// ARG_MAX, ARG_MIN and TOPK_V2 on the GPU engines, with many ties.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using Sizes = std::vector<int32_t>;

void CheckArg(const Sizes& in, int axis, tflite::TensorType type, tflite::TensorType index,
              bool largest) {
  ModelBuilder b;
  const int x = b.Input(in, type);
  const int at = b.Const<int32_t>({}, {axis});
  Sizes out = in;
  const auto rank = static_cast<int>(in.size());
  out.erase(out.begin() + (axis < 0 ? axis + rank : axis));
  const int y = b.Tensor(out, index);
  if (largest) {
    tflite::ArgMaxOptionsT o;
    o.output_type = index;
    b.Op(tflite::BuiltinOperator_ARG_MAX, {x, at}, {y}, std::move(o));
  } else {
    tflite::ArgMinOptionsT o;
    o.output_type = index;
    b.Op(tflite::BuiltinOperator_ARG_MIN, {x, at}, {y}, std::move(o));
  }
  b.Output(y);
  int64_t count = 1;
  for (const int32_t size : in) count *= size;
  CheckSameBytes(StrCat("position along ", axis, " of rank ", rank), b,
                 WholeNumbers(count, type, -3, 3));
}

TEST(ArgMinMaxGpu, EveryAxis) {
  int next = 0;
  constexpr tflite::TensorType kTypes[] = {tflite::TensorType_FLOAT32, tflite::TensorType_INT32};
  for (const Sizes& in :
       {Sizes{17}, {3, 33}, {2, 3, 9}, {3, 2, 4, 5}, {2, 3, 1, 2, 5}, {2, 3, 2, 1, 2, 3}}) {
    const auto rank = static_cast<int>(in.size());
    for (int axis = -rank; axis < rank; ++axis) {
      CheckArg(in, axis, kTypes[next % 2], tflite::TensorType_INT32, next / 2 % 2 == 0);
      ++next;
    }
  }
  CheckArg({2, 5}, 1, tflite::TensorType_FLOAT32, tflite::TensorType_INT64, true);
  CheckArg({2, 3, 5}, 0, tflite::TensorType_INT32, tflite::TensorType_INT64, false);
}

void CheckTopK(const Sizes& in, int k, tflite::TensorType type) {
  ModelBuilder b;
  const int x = b.Input(in, type), count = b.Const<int32_t>({}, {k});
  Sizes out = in;
  out.back() = std::max(k, 0);
  const int values = b.Tensor(out, type), places = b.Tensor(out, tflite::TensorType_INT32);
  b.Op(tflite::BuiltinOperator_TOPK_V2, {x, count}, {values, places}, tflite::TopKV2OptionsT());
  b.Output(values);
  b.Output(places);
  int64_t elements = 1;
  for (const int32_t size : in) elements *= size;
  CheckSameBytes(StrCat("the ", k, " largest of rank ", in.size()), b,
                 WholeNumbers(elements, type, -6, 6));
}

TEST(TopKGpu, SizesTypesAndPlaces) {
  int next = 0;
  constexpr tflite::TensorType kTypes[] = {tflite::TensorType_FLOAT32, tflite::TensorType_INT32};
  for (const Sizes& in : {Sizes{1}, {17}, {3, 33}, {2, 3, 9}, {3, 2, 2, 5}, {2, 3, 1, 2, 5}}) {
    for (const int k : {-1, 1, 2, 4, 5, 17, 33}) {
      if (k <= in.back()) CheckTopK(in, k, kTypes[next++ % 2]);
    }
  }
}

// Places of INT16 beside floats, plain elements and such that stand for other numbers.
TEST(TopKGpu, PlacesOf16Bits) {
  for (const int k : {1, 5, 100}) {
    for (const tflite::TensorType type :
         {tflite::TensorType_FLOAT32, tflite::TensorType_INT8, tflite::TensorType_INT16}) {
      for (const float scale : {0.0f, 0.5f}) {
        if (scale != 0 && type == tflite::TensorType_FLOAT32) continue;
        const Sizes in = {2, k == 100 ? 3953 : 37}, out = {2, k};
        ModelBuilder b;
        const int x = b.Input(in, type), values = b.Tensor(out, type);
        if (scale != 0) b.Quantize(values, scale, 3), b.Quantize(x, scale, 3);
        const int places = b.Tensor(out, tflite::TensorType_INT16);
        b.SetOpVersion(3);
        b.Op(tflite::BuiltinOperator_TOPK_V2, {x, b.Const<int16_t>({}, {static_cast<int16_t>(k)})},
             {values, places}, tflite::TopKV2OptionsT());
        b.Output(values);
        b.Output(places);
        std::vector<int16_t> elements(static_cast<size_t>(in[0] * in[1]));
        for (size_t i = 0; i < elements.size(); ++i)
          elements[i] = static_cast<int16_t>(i * 31 % 97);
        std::vector<uint8_t> bytes = BytesOf(elements);
        if (type == tflite::TensorType_INT8)
          bytes = BytesOf(std::vector<int8_t>(elements.begin(), elements.end()));
        if (type == tflite::TensorType_FLOAT32)
          bytes = BytesOf(std::vector<float>(elements.begin(), elements.end()));
        CheckSameBytes(StrCat("the ", k, " largest of type ", type, ", scale ", scale), b, bytes,
                       true);
      }
    }
  }
}

// So many that each element is compared with each.
TEST(TopKGpu, ManyOfMany) {
  for (const tflite::TensorType type : {tflite::TensorType_FLOAT32, tflite::TensorType_INT32}) {
    CheckTopK({3953}, 100, type);
    CheckTopK({2, 2, 1025}, 1025, type);
  }
}

}  // namespace
}  // namespace tern::testing
