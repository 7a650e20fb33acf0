// SPDX-License-Identifier: Apache-2.0
// GATHER, GATHER_ND and ONE_HOT with indices that are known only when the model runs, in every type
// of elements that the GPU moves.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using tflite::TensorType;
using Sizes = std::vector<int32_t>;

constexpr TensorType kTypes[] = {tflite::TensorType_FLOAT32, tflite::TensorType_INT32,
                                 tflite::TensorType_INT64, tflite::TensorType_BOOL};

int64_t CountOf(const Sizes& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// Halves hold them exactly; INT64 ones do not fit 32 bits.
std::vector<uint8_t> TypedData(TensorType type, const Sizes& shape) {
  const int64_t reach = type == tflite::TensorType_INT64 ? int64_t{1} << 45 : 300;
  return WholeNumbers(CountOf(shape), type, -reach, reach);
}

struct LookupCase {
  Sizes from;
  int axis, batch_dims;
  Sizes indices;
  Sizes to;
};

TEST(LookupGpu, Gather) {
  const LookupCase cases[] = {{{5, 7}, 0, 0, {3}, {3, 7}},
                              {{5, 7}, 1, 0, {2, 2}, {5, 2, 2}},
                              {{3, 4, 2, 5}, 2, 0, {6}, {3, 4, 6, 5}},
                              {{2, 6, 17}, 1, 1, {2, 3}, {2, 3, 17}},
                              {{2, 3, 4, 5}, 3, 1, {2, 3}, {2, 3, 4, 3}},
                              {{9}, 0, 0, {}, {}}};
  for (const LookupCase& c : cases) {
    for (const TensorType type : kTypes) {
      for (const TensorType index : {tflite::TensorType_INT32, tflite::TensorType_INT64}) {
        ModelBuilder b;
        const int x = b.Input(c.from, type), i = b.Input(c.indices, index);
        tflite::GatherOptionsT o;
        o.axis = c.axis;
        o.batch_dims = c.batch_dims;
        b.SetOpVersion(5);
        b.Output(b.Op(tflite::BuiltinOperator_GATHER, {x, i}, {b.Tensor(c.to, type)}, o));
        CheckSameBytes(StrCat("axis ", c.axis, ", rank ", c.from.size(), ", type ", type), b,
                       {TypedData(type, c.from),
                        WholeNumbers(CountOf(c.indices), index, 0, c.from[c.axis] - 1)});
      }
    }
  }
}

// More runs than copies are worth.
TEST(LookupGpu, KnownIndices) {
  std::vector<int32_t> chosen;
  for (int k = 0; k < 40; ++k) chosen.push_back(k * k % 9);
  for (const int axis : {0, 1}) {
    ModelBuilder b;
    const int x = b.Input({9, 9});
    const int i = b.Const<int32_t>({40}, chosen);
    tflite::GatherOptionsT o;
    o.axis = axis;
    b.SetOpVersion(1);
    b.Output(b.Op(tflite::BuiltinOperator_GATHER, {x, i},
                  {b.Tensor(axis == 0 ? Sizes{40, 9} : Sizes{9, 40})}, o));
    CheckSameBytes(StrCat("axis ", axis), b, TypedData(tflite::TensorType_FLOAT32, {9, 9}));
  }
}

TEST(LookupGpu, GatherNd) {
  const std::vector<std::pair<Sizes, Sizes>> cases = {{{4, 5, 3}, {6, 1}},
                                                      {{4, 5, 3}, {2, 3, 2}},
                                                      {{4, 5, 3}, {7, 3}},
                                                      {{6}, {4, 1}},
                                                      {{3, 3, 4, 17}, {5, 2}}};
  for (const auto& [from, vectors] : cases) {
    for (const TensorType type : kTypes) {
      const int depth = vectors.back();
      Sizes to(vectors.begin(), vectors.end() - 1);
      to.insert(to.end(), from.begin() + depth, from.end());
      ModelBuilder b;
      const int x = b.Input(from, type), i = b.Input(vectors, tflite::TensorType_INT32);
      b.SetOpVersion(5);
      b.Output(b.Op(tflite::BuiltinOperator_GATHER_ND, {x, i}, {b.Tensor(to, type)},
                    tflite::GatherNdOptionsT()));
      const int min = *std::min_element(from.begin(), from.begin() + depth);
      CheckSameBytes(StrCat("rank ", from.size(), ", depth ", depth, ", type ", type), b,
                     {TypedData(type, from),
                      WholeNumbers(CountOf(vectors), tflite::TensorType_INT32, 0, min - 1)});
    }
  }
}

// Of elements that stand for other numbers, before and after, than the indices do.
TEST(LookupGpu, ElementsByInt16) {
  ModelBuilder b;
  const int x = b.Quantize(b.Input({9, 5}, tflite::TensorType_INT8), 0.25f, -7);
  const int i = b.Input({6, 1}, tflite::TensorType_INT16);
  const auto made = [&](const Sizes& shape) {
    return b.Quantize(b.Tensor(shape, tflite::TensorType_INT8), 0.5f, 3);
  };
  b.SetOpVersion(5);
  b.Output(
      b.Op(tflite::BuiltinOperator_GATHER_ND, {x, i}, {made({6, 5})}, tflite::GatherNdOptionsT()));
  b.Output(
      b.Op(tflite::BuiltinOperator_GATHER, {x, i}, {made({6, 1, 5})}, tflite::GatherOptionsT()));
  std::vector<int8_t> elements(45);
  for (size_t e = 0; e < elements.size(); ++e) elements[e] = static_cast<int8_t>(e * 41);
  CheckSameBytes("INT8 by INT16", b, {BytesOf(elements), BytesOf<int16_t>({8, 0, 3, 3, 7, 1})},
                 true);
}

// Some that halves would not hold.
TEST(LookupGpu, ByInt16) {
  for (const TensorType type : kTypes) {
    for (const bool computed : {false, true}) {
      ModelBuilder b;
      const int x = b.Input({3000, 5}, type), given = b.Input({6, 1}, tflite::TensorType_INT16);
      int i = given;
      if (computed) {
        i = b.Op(tflite::BuiltinOperator_MAXIMUM, {given, given},
                 {b.Tensor({6, 1}, tflite::TensorType_INT16)}, tflite::MaximumMinimumOptionsT());
      }
      b.SetOpVersion(5);
      b.Output(b.Op(tflite::BuiltinOperator_GATHER_ND, {x, i}, {b.Tensor({6, 5}, type)},
                    tflite::GatherNdOptionsT()));
      b.Output(b.Op(tflite::BuiltinOperator_GATHER, {x, i}, {b.Tensor({6, 1, 5}, type)},
                    tflite::GatherOptionsT()));
      CheckSameBytes(StrCat("type ", type, computed ? ", computed" : ""), b,
                     {TypedData(type, {3000, 5}), BytesOf<int16_t>({0, 1, 2047, 2049, 2998, 2999})},
                     true);
    }
  }
}

TEST(LookupGpu, OneHot) {
  for (const int axis : {-1, 0, 1}) {
    for (const TensorType type : kTypes) {
      ModelBuilder b;
      const int i = b.Input({3, 4}, tflite::TensorType_INT64);
      const int depth = b.Const<int32_t>({}, {5});
      const int on = b.ConstBytes({}, type, WholeNumbers(1, type, 1, 1));
      const int off = b.ConstBytes({}, type, WholeNumbers(1, type, -3, 0));
      tflite::OneHotOptionsT o;
      o.axis = axis;
      Sizes to = {3, 4};
      to.insert(axis < 0 ? to.end() : to.begin() + axis, 5);
      b.SetOpVersion(1);
      b.Output(b.Op(tflite::BuiltinOperator_ONE_HOT, {i, depth, on, off}, {b.Tensor(to, type)}, o));
      // Some lie outside.
      CheckSameBytes(StrCat("axis ", axis, ", type ", type), b,
                     WholeNumbers(12, tflite::TensorType_INT64, -1, 5));
    }
  }
}

// Elements of 8 bits without parameters are numbers as they are, those of constants, too.
TEST(LookupGpu, OneHotOfPlainBytes) {
  ModelBuilder b;
  const int i = b.Input({7}, tflite::TensorType_INT32);
  tflite::OneHotOptionsT o;
  o.axis = -1;
  const int depth = b.Const<int32_t>({}, {5});
  const int on = b.Const<int8_t>({}, {-128}), off = b.Const<int8_t>({}, {100});
  b.Output(b.Op(tflite::BuiltinOperator_ONE_HOT, {i, depth, on, off},
                {b.Tensor({7, 5}, tflite::TensorType_INT8)}, o));
  CheckSameBytes("bytes", b, WholeNumbers(7, tflite::TensorType_INT32, -1, 5), true);
}

// The kernel reads the low halves of INT64 indices; what the GPU computes may need the high ones.
TEST(LookupGpu, OneHotOfComputedIndices) {
  for (const auto code : {tflite::BuiltinOperator_MUL, tflite::BuiltinOperator_ARG_MAX}) {
    const bool product = code == tflite::BuiltinOperator_MUL;
    ModelBuilder b;
    const int x = b.Input({3, 4}, product ? tflite::TensorType_INT64 : tflite::TensorType_FLOAT32);
    const int second = product ? x : b.Const<int32_t>({}, {1});
    const int made = b.Tensor(product ? Sizes{3, 4} : Sizes{3}, tflite::TensorType_INT64);
    if (product) {
      b.Op(code, {x, second}, {made}, tflite::MulOptionsT());
    } else {
      tflite::ArgMaxOptionsT o;
      o.output_type = tflite::TensorType_INT64;
      b.Op(code, {x, second}, {made}, o);
    }
    tflite::OneHotOptionsT o;
    o.axis = 0;
    const int depth = b.Const<int32_t>({}, {5});
    const int on = b.Const<float>({}, {1}), off = b.Const<float>({}, {0});
    b.Output(b.Op(tflite::BuiltinOperator_ONE_HOT, {made, depth, on, off},
                  {b.Tensor(product ? Sizes{5, 3, 4} : Sizes{5, 3})}, o));
    const RunResult result = RunModel(b.Finish(), {std::vector<uint8_t>(product ? 96 : 48)},
                                      {"the smallest device", false, 1, "null:gles-min", 4, false});
    EXPECT_EQ(result.report.find("may lie beyond 32 bits") != std::string::npos, product)
        << result.report;
  }
}

}  // namespace
}  // namespace tern::testing
