// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_PAD, DILATE, STABLEHLO_GATHER and REDUCE_WINDOW on GPU engines, against the CPU to the
// last bit.
#include <gtest/gtest.h>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema

constexpr TensorType kMovedTypes[] = {TensorType_FLOAT32, TensorType_INT32, TensorType_INT64,
                                      TensorType_BOOL};

TEST(StablehloGpu, Pad) {
  struct Case {
    std::vector<int64_t> low, high, between;
    std::vector<int32_t> to;
  };
  const Case cases[] = {{{1, 0, 2}, {0, 3, 1}, {0, 0, 0}, {4, 7, 8}},
                        {{-1, 0, -2}, {1, -2, 4}, {0, 0, 0}, {3, 2, 7}},
                        {{0, 1, 0}, {0, 0, 0}, {2, 1, 0}, {7, 8, 5}},
                        {{-2, 1, -1}, {1, -2, 3}, {1, 0, 2}, {4, 3, 15}}};
  for (const Case& c : cases) {
    for (const TensorType type : kMovedTypes) {
      ModelBuilder b;
      const int x = b.Input({3, 4, 5}, type);
      const int fill = b.ConstBytes({}, type, WholeNumbers(1, type, 1, 7));
      b.SetOpVersion(1);
      b.Output(b.Op(BuiltinOperator_STABLEHLO_PAD, {x, fill}, {b.Tensor(c.to, type)}));
      StablehloPadOptionsT o;
      o.edge_padding_low = c.low;
      o.edge_padding_high = c.high;
      o.interior_padding = c.between;
      b.op().builtin_options_2.Set(std::move(o));
      CheckSameBytes(StrCat("low ", c.low[0], ", type ", type), b, WholeNumbers(60, type, -99, 99));
    }
  }
}

TEST(StablehloGpu, Dilate) {
  for (const TensorType type : kMovedTypes) {
    ModelBuilder b;
    const int x = b.Input({2, 3, 4, 5}, type), steps = b.Const<int32_t>({4}, {1, 3, 2, 4});
    const int fill = b.ConstBytes({}, type, WholeNumbers(1, type, 0, 1));
    b.SetOpVersion(1);
    b.Output(b.Op(BuiltinOperator_DILATE, {x, steps, fill}, {b.Tensor({2, 7, 7, 17}, type)}));
    b.op().builtin_options_2.Set(DilateOptionsT());
    CheckSameBytes(StrCat("type ", type), b, WholeNumbers(120, type, -99, 99));
  }
}

// Windows [2, 3] of a matrix at three places, some of them partly outside; rows by number.
TEST(StablehloGpu, Gather) {
  for (const TensorType type : kMovedTypes) {
    for (const bool rows : {false, true}) {
      ModelBuilder b;
      const int x = b.Input({6, 18}, type);
      const int at = rows ? b.Input({4}, TensorType_INT64) : b.Input({2, 3}, TensorType_INT32);
      StablehloGatherOptionsT o;
      if (rows) {
        o.offset_dims = {1};
        o.collapsed_slice_dims = {0};
        o.start_index_map = {0};
        o.index_vector_dim = 1;
        o.slice_sizes = {1, 18};
      } else {
        o.offset_dims = {0, 2};
        o.start_index_map = {1, 0};
        o.index_vector_dim = 0;
        o.slice_sizes = {2, 3};
      }
      b.SetOpVersion(1);
      const std::vector<int32_t> to =
          rows ? std::vector<int32_t>{4, 18} : std::vector<int32_t>{2, 3, 3};
      b.Output(b.Op(BuiltinOperator_STABLEHLO_GATHER, {x, at}, {b.Tensor(to, type)}));
      b.op().builtin_options_2.Set(std::move(o));
      CheckSameBytes(
          StrCat(rows ? "rows" : "windows", ", type ", type), b,
          {WholeNumbers(108, type, -99, 99),
           WholeNumbers(rows ? 4 : 6, rows ? TensorType_INT64 : TensorType_INT32, -4, 9)});
    }
  }
}

struct WindowCase {
  std::vector<int32_t> shape;
  std::vector<int64_t> size, stride, dilation;
  std::vector<int32_t> to;
};

const WindowCase kWindowCases[] = {
    {{7}, {3}, {1}, {2}, {3}},
    {{3, 6, 9}, {2, 1, 3}, {1, 2, 2}, {1, 1, 3}, {2, 3, 2}},
    {{2, 5, 4, 19}, {1, 2, 2, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}, {2, 2, 2, 19}},
    {{2, 3, 2, 4, 5}, {2, 2, 1, 1, 3}, {1, 1, 1, 2, 1}, {1, 1, 1, 1, 1}, {1, 2, 2, 2, 3}},
    // Strides and dilations that nothing takes.
    {{4, 3}, {1, 3}, {INT32_MAX, INT32_MAX}, {INT32_MAX, 1}, {1, 1}}};

// `low` and `high`: of the numbers.
void CheckReduceWindow(const WindowCase& c, TensorType type, ReduceWindowFunction function,
                       int64_t low, int64_t high) {
  ModelBuilder b;
  const auto rank = static_cast<int32_t>(c.shape.size());
  const int x = b.Input(c.shape, type);
  const int initial = b.ConstBytes({}, type, WholeNumbers(1, type, low, high));
  const int size = b.Const<int64_t>({rank}, c.size), stride = b.Const<int64_t>({rank}, c.stride);
  const int dilation = b.Const<int64_t>({rank}, c.dilation);
  b.SetOpVersion(1);
  b.Output(b.Op(BuiltinOperator_REDUCE_WINDOW, {x, initial, size, stride, dilation},
                {b.Tensor(c.to, type)}));
  ReduceWindowOptionsT o;
  o.reduce_function = function;
  b.op().builtin_options_2.Set(std::move(o));
  int64_t count = 1;
  for (const int32_t dim : c.shape) count *= dim;
  CheckSameBytes(StrCat("rank ", rank, ", ", EnumNameReduceWindowFunction(function)), b,
                 WholeNumbers(count, type, low, high));
}

TEST(StablehloGpu, ReduceWindow) {
  for (const WindowCase& c : kWindowCases) {
    for (const auto function :
         {ReduceWindowFunction_ADD, ReduceWindowFunction_MINIMUM, ReduceWindowFunction_MAXIMUM}) {
      CheckReduceWindow(c, TensorType_FLOAT32, function, -99, 99);
    }
    CheckReduceWindow(c, TensorType_FLOAT32, ReduceWindowFunction_MUL, -1, 2);
    for (const auto function : {ReduceWindowFunction_ALL, ReduceWindowFunction_ANY}) {
      CheckReduceWindow(c, TensorType_BOOL, function, -2, 2);
    }
  }
}

TEST(StablehloGpu, WindowsThatTheGpuDoesNotReduce) {
  const auto refusal = [](TfLiteReduceWindowFunction function, std::vector<int32_t> size,
                          bool quantized) {
    gpu::GraphBuilder b;
    const gpu::TensorId x = b.Input({4, 6});
    if (quantized) b.Quantize(x, {kTfLiteInt8, 0.5f, 3});
    const auto rank = static_cast<int>(size.size());
    b.Op(kTfLiteBuiltinReduceWindow, "REDUCE_WINDOW",
         {x, b.Constant({}, {0}), b.Ints({rank}, std::move(size)), b.Ints({2}, {1, 1}),
          b.Ints({2}, {1, 1})},
         {3, 4}, TfLiteReduceWindowParams{function});
    return RefusalOf(b);
  };
  EXPECT_EQ(refusal(TfLiteReduceWindowFunctionAdd, {2, 3}, false), "");
  EXPECT_EQ(refusal(TfLiteReduceWindowFunctionAdd, {2, 3}, true),
            "REDUCE_WINDOW #0: the CPU combines stored integers, whatever they stand for");
  EXPECT_EQ(refusal(TfLiteReduceWindowFunctionAll, {2, 3}, false),
            "REDUCE_WINDOW #0: all and any of floats");
  EXPECT_EQ(refusal(TfLiteReduceWindowFunctionUnsupported, {2, 3}, false),
            "REDUCE_WINDOW #0: function 0");
  EXPECT_EQ(refusal(TfLiteReduceWindowFunctionAdd, {2}, false),
            "REDUCE_WINDOW #0: input 2 has no number per axis (1, 2)");
  EXPECT_EQ(refusal(TfLiteReduceWindowFunctionAdd, {2, 0}, false),
            "REDUCE_WINDOW #0: a window size, stride or dilation is out of range (0, 2147483647)");
}

}  // namespace
}  // namespace tern::testing
