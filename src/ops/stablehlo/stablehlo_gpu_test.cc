// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_PAD, DILATE and STABLEHLO_GATHER on GPU engines, against the CPU to the last bit.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tern::testing
