// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_SCATTER on GPU engines, against the CPU to the last bit.
#include <gtest/gtest.h>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema

struct ScatterCase {
  const char* what;
  std::vector<int32_t> shape, indices, updates;
  std::vector<int64_t> window_axes, inserted, starts;
  int64_t vector_axis;
};

const ScatterCase kScatterCases[] = {
    {"rows by number", {6, 18}, {4, 1}, {4, 18}, {1}, {0}, {0}, 1},
    {"windows, axes exchanged, vectors in columns",
     {6, 18},
     {2, 3},
     {3, 2, 5},
     {1, 2},
     {},
     {1, 0},
     0},
    {"numbers without an axis of vectors", {5}, {3}, {3}, {}, {0}, {0}, 1},
    {"one number", {3, 4, 9}, {2}, {2, 3}, {0, 1}, {2}, {1, 2}, 0},
    {"two axes of vectors", {3, 4, 2}, {2, 3, 2}, {2, 3, 2, 2}, {2, 3}, {0}, {0, 2}, 2},
    {"rank 5", {2, 3, 2, 4, 5}, {3, 2}, {3, 2, 3, 2}, {1, 2, 3}, {0, 3}, {3, 4}, 1},
    {"a whole tensor", {3, 7}, {0}, {3, 7}, {0, 1}, {}, {}, 0},
    {"one element without axes", {}, {0}, {}, {}, {}, {}, 0}};

const ScatterCase kWindowsFirst = {"windows first", {7, 6}, {3, 1}, {2, 3, 6}, {0, 2}, {}, {0}, 1};

// kNone: the second of two numbers.
constexpr int kNone = -1;

int JoiningBody(ModelBuilder& b, int op, TensorType type) {
  const int body = b.AddSubgraph("body");
  const int x = b.Input({}, type), y = b.Input({}, type);
  b.SetOpVersion(1);
  b.Output(op == kNone ? y : b.Op(static_cast<BuiltinOperator>(op), {x, y}, {b.Tensor({}, type)}));
  b.SelectSubgraph(0);
  return body;
}

int64_t Count(const std::vector<int32_t>& shape) {
  int64_t count = 1;
  for (const int32_t size : shape) count *= size;
  return count;
}

void CheckScatter(const ScatterCase& c, int op, TensorType type, int64_t low, int64_t high) {
  ModelBuilder b;
  const int x = b.Input(c.shape, type), at = b.Input(c.indices, TensorType_INT32);
  const int updates = b.Input(c.updates, type);
  b.SetOpVersion(1);
  b.Output(b.Op(BuiltinOperator_STABLEHLO_SCATTER, {x, at, updates}, {b.Tensor(c.shape, type)}));
  StablehloScatterOptionsT o;
  o.update_window_dims = c.window_axes;
  o.inserted_window_dims = c.inserted;
  o.scatter_dims_to_operand_dims = c.starts;
  o.index_vector_dim = c.vector_axis;
  o.update_computation_subgraph_index = JoiningBody(b, op, type);
  b.op().builtin_options_2.Set(std::move(o));
  CheckSameBytes(StrCat(c.what, ", operation ", op, ", type ", type), b,
                 {WholeNumbers(Count(c.shape), type, low, high),
                  WholeNumbers(Count(c.indices), TensorType_INT32, -3, 6),
                  WholeNumbers(Count(c.updates), type, low, high)});
}

TEST(StablehloScatterGpu, TheLastUpdateStays) {
  bool all = true;  // types, of the first case
  for (const ScatterCase& c : kScatterCases) {
    for (const TensorType type : {TensorType_FLOAT32, TensorType_INT64}) {
      CheckScatter(c, kNone, type, -99, 99);
    }
    for (const TensorType type : {TensorType_INT32, TensorType_BOOL}) {
      if (all) CheckScatter(c, kNone, type, -99, 99);
    }
    all = false;
  }
}

TEST(StablehloScatterGpu, JoinedNumbers) {
  const auto check = [](const ScatterCase& c, TensorType type) {
    CheckScatter(c, BuiltinOperator_STABLEHLO_ADD, type, -99, 99);
    CheckScatter(c, BuiltinOperator_STABLEHLO_MULTIPLY, type, -2, 2);
    CheckScatter(c, BuiltinOperator_STABLEHLO_MINIMUM, type, -99, 99);
    CheckScatter(c, BuiltinOperator_MAXIMUM, type, -99, 99);
  };
  bool floats = true;
  for (const ScatterCase& c : kScatterCases) {
    check(c, floats ? TensorType_FLOAT32 : TensorType_INT32);
    floats = !floats;
  }
  check(kWindowsFirst, TensorType_FLOAT32);
  CheckScatter(kWindowsFirst, BuiltinOperator_LOGICAL_AND, TensorType_BOOL, -9, 9);
  CheckScatter(kWindowsFirst, BuiltinOperator_LOGICAL_OR, TensorType_BOOL, -9, 9);
}

TEST(StablehloScatterGpu, ScattersThatStayOnTheCpu) {
  const auto refusal = [](int join, std::vector<int64_t> windows, TfLiteType type, bool quantized) {
    gpu::GraphBuilder b;
    const gpu::TensorId x = b.Input({7, 6}), updates = b.Input({3, 2, 6});
    TfLiteStablehloScatterParams p = {};
    p.num_update_window_dims = static_cast<int>(windows.size());
    std::copy(windows.begin(), windows.end(), p.update_window_dims);
    p.num_scatter_dims_to_operand_dims = 1;
    p.index_vector_dim = 1;
    // Windows in front: the same numbers in another shape.
    if (windows[0] == 0) b.graph().tensors[updates].dims = {2, 3, 6};
    const gpu::TensorId y = b.Op(kTfLiteBuiltinStablehloScatter, "STABLEHLO_SCATTER",
                                 {x, b.Ints({3, 1}, {0, 1, 4}), updates}, {7, 6}, p);
    for (const gpu::TensorId id : {x, updates, y}) {
      b.graph().tensors[id].type = type;
      if (quantized) b.Quantize(id, {kTfLiteInt8, 0.5f, 3});
    }
    b.graph().nodes[0].join = join;
    return RefusalOf(b);
  };
  constexpr TfLiteType kFloat = kTfLiteFloat32;
  EXPECT_EQ(refusal(kTfLiteBuiltinAdd, {1, 2}, kFloat, false), "");
  EXPECT_EQ(refusal(kTfLiteBuiltinAdd, {0, 2}, kFloat, false), "");
  EXPECT_EQ(refusal(gpu::kSecondInput, {1, 2}, kFloat, true), "");
  EXPECT_EQ(refusal(kTfLiteBuiltinAdd, {1, 2}, kFloat, true),
            "STABLEHLO_SCATTER #0: the CPU combines stored integers, whatever they stand for");
  EXPECT_EQ(
      refusal(-1, {1, 2}, kFloat, false),
      "STABLEHLO_SCATTER #0: the runtime shows no graph of one sum, product, minimum or maximum");
  EXPECT_EQ(
      refusal(kTfLiteBuiltinSub, {1, 2}, kFloat, false),
      "STABLEHLO_SCATTER #0: the runtime shows no graph of one sum, product, minimum or maximum");
  EXPECT_EQ(refusal(kTfLiteBuiltinStablehloOr, {1, 2}, kTfLiteInt32, false),
            "STABLEHLO_SCATTER #0: bitwise functions");
  EXPECT_EQ(refusal(kTfLiteBuiltinAdd, {1, 2}, kTfLiteFloat16, false),
            "STABLEHLO_SCATTER #0: functions of FLOAT16");
  EXPECT_EQ(refusal(gpu::kSecondInput, {0, 2}, kFloat, false),
            "STABLEHLO_SCATTER #0: which update is the last depends on places inside of windows");
}

}  // namespace
}  // namespace tern::testing
