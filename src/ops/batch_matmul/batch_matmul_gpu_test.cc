// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL on all engines.
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

int AddProduct(GraphMaker& m, int a, int b, bool adj_x, bool adj_y) {
  const Sizes left = m.ShapeOf(a), right = m.ShapeOf(b);
  Sizes out(std::max(left.size(), right.size()), 1);
  for (const Sizes* shape : {&left, &right}) {
    for (size_t i = 3; i <= shape->size(); ++i) {
      const int32_t own = (*shape)[shape->size() - i];
      if (own != 1) out[out.size() - i] = own;
    }
  }
  out[out.size() - 2] = left[left.size() - (adj_x ? 1 : 2)];
  out[out.size() - 1] = right[right.size() - (adj_y ? 2 : 1)];
  tflite::BatchMatMulOptionsT o;
  o.adj_x = adj_x;
  o.adj_y = adj_y;
  m.SetOpVersion(1);
  return m.Op(tflite::BuiltinOperator_BATCH_MATMUL, {a, b}, {m.Tensor(out)}, std::move(o));
}

// `left` [..., rows, depth] and `right` [..., depth, columns] before any swap.
void Check(Sizes left, Sizes right, bool adj_x = false, bool adj_y = false,
           Origin where_right = Origin::kRuntime) {
  GraphMaker m;
  std::string name = StrCat("product", adj_x ? " adj_x" : "", adj_y ? " adj_y" : "", " of");
  for (const int size : left) name += StrCat(" ", size);
  name += " by";
  for (const int size : right) name += StrCat(" ", size);
  if (adj_x) std::swap(left[left.size() - 1], left[left.size() - 2]);
  if (adj_y) std::swap(right[right.size() - 1], right[right.size() - 2]);
  const int a = m.Input(left), b = m.Operand(right, where_right);
  CheckModel(m.Finish(name, AddProduct(m, a, b, adj_x, adj_y)));
}

TEST(BatchMatmulGpu, SizesAndSwaps) {
  for (const bool adj_x : {false, true}) {
    for (const bool adj_y : {false, true}) {
      for (const Origin right : {Origin::kRuntime, Origin::kConstant}) {
        Check({3, 5}, {5, 7}, adj_x, adj_y, right);
        Check({2, 9, 17}, {2, 17, 3}, adj_x, adj_y, right);
        Check({2, 3, 4, 6}, {2, 3, 6, 5}, adj_x, adj_y, right);
      }
      Check({1, 33}, {33, 1}, adj_x, adj_y);
      Check({7, 1}, {1, 33}, adj_x, adj_y);
      Check({37, 64}, {64, 18}, adj_x, adj_y);
    }
  }
}

TEST(BatchMatmulGpu, Broadcasting) {
  for (const bool swap : {false, true}) {
    Check({3, 5}, {2, 5, 4}, swap, false);
    Check({2, 3, 5}, {5, 4}, false, swap);
    Check({1, 3, 5}, {7, 5, 4}, swap, swap);
    Check({2, 1, 3, 5}, {1, 3, 5, 4}, swap, swap);
    Check({2, 1, 2, 3, 5}, {3, 1, 5, 4}, swap, swap);
    Check({2, 3, 1, 3, 5}, {1, 3, 2, 5, 4}, swap, swap);
    Check({1, 3, 2, 3, 5}, {2, 1, 1, 5, 4}, swap, swap);
    Check({2, 1, 1, 2, 3}, {3, 4}, false, swap);
  }
}

TEST(BatchMatmulGpu, BetweenOtherNodesAndEmpty) {
  GraphMaker m;
  const int a = m.Relu(m.Input({2, 3, 4, 6})), b = m.Logistic(m.Input({2, 3, 6, 5}));
  const int y = AddProduct(m, a, b, false, false);
  CheckModel(m.Finish("a product between nodes", m.Relu(m.Sum(y, m.Constant({5})))));
  Check({2, 0, 5}, {2, 5, 4});
  Check({0, 3, 5}, {0, 5, 4});
}

// Left [2, 3, depth] of INT8 by right [depth, 5] of INT8 to INT32: sums of elements, whatever these
// stand for.
void CheckSums(int depth, bool constant_right, bool adj_y) {
  ModelBuilder b;
  Random random(static_cast<uint64_t>(depth));
  std::vector<int8_t> left(static_cast<size_t>(6 * depth)), right(static_cast<size_t>(5 * depth));
  for (int8_t& v : left) v = static_cast<int8_t>(random.Integer(0, 3) == 0 ? 7 : -128);
  for (int8_t& v : right) v = static_cast<int8_t>(random.Integer(0, 3) == 0 ? 127 : -128);
  const std::vector<int32_t> shape =
      adj_y ? std::vector<int32_t>{5, depth} : std::vector<int32_t>{depth, 5};
  const int x = b.Quantize(b.Input({2, 3, depth}, tflite::TensorType_INT8), 0.037f, 11);
  const int y = b.Quantize(
      constant_right ? b.Const<int8_t>(shape, right) : b.Input(shape, tflite::TensorType_INT8),
      1.7e-3f, -128);
  tflite::BatchMatMulOptionsT o;
  o.adj_y = adj_y;
  b.SetOpVersion(2);
  b.Output(b.Op(tflite::BuiltinOperator_BATCH_MATMUL, {x, y},
                {b.Tensor({2, 3, 5}, tflite::TensorType_INT32)}, std::move(o)));
  std::vector<std::vector<uint8_t>> inputs = {BytesOf(left)};
  if (!constant_right) inputs.push_back(BytesOf(right));
  CheckWithinSteps(StrCat("sums of ", depth), b.Finish(), inputs, 0);
}

// The last ones are beyond 2^24, where floats leave integers out.
TEST(BatchMatmulGpu, SumsOfBytes) {
  for (const bool constant_right : {false, true}) {
    CheckSums(1, constant_right, false);
    CheckSums(7, constant_right, true);
    CheckSums(2053, constant_right, constant_right);
  }
}

// Left [2, 3, depth] by right [depth, 5] gives elements of the left side's type. Products of INT16
// by INT16 are beyond ints.
void CheckElements(tflite::TensorType type, int depth, bool constant_right, bool adj) {
  ModelBuilder b;
  Random random(static_cast<uint64_t>(depth) + 3);
  const bool wide = type == tflite::TensorType_INT16;
  const auto add = [&](auto zero, const std::vector<int32_t>& shape, float scale, int zero_point,
                       bool constant) {
    using T = decltype(zero);
    std::vector<T> elements(
        static_cast<size_t>(shape[0] * shape[1] * (shape.size() > 2 ? shape[2] : 1)));
    for (T& v : elements)
      v = static_cast<T>(
          random.Integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    const auto t = sizeof(T) == 1 ? tflite::TensorType_INT8 : tflite::TensorType_INT16;
    const int id = constant ? b.Const<T>(shape, elements) : b.Input(shape, t);
    return std::pair(b.Quantize(id, scale, zero_point), BytesOf(elements));
  };
  const std::vector<int32_t> of_left =
      adj ? std::vector<int32_t>{2, depth, 3} : std::vector<int32_t>{2, 3, depth};
  const std::vector<int32_t> of_right =
      adj ? std::vector<int32_t>{5, depth} : std::vector<int32_t>{depth, 5};
  const auto [x, left] =
      wide ? add(int16_t{}, of_left, 0.001f, 0, false) : add(int8_t{}, of_left, 0.037f, 11, false);
  const auto [y, right] = add(int8_t{}, of_right, 0.02f, wide ? 0 : -9, constant_right);
  tflite::BatchMatMulOptionsT o;
  o.adj_x = o.adj_y = adj;
  b.SetOpVersion(2);
  const int z = b.Quantize(b.Tensor({2, 3, 5}, type), wide ? 0.01f : 0.7f, wide ? 0 : 3);
  b.Output(b.Op(tflite::BuiltinOperator_BATCH_MATMUL, {x, y}, {z}, std::move(o)));
  std::vector<std::vector<uint8_t>> inputs = {left};
  if (!constant_right) inputs.push_back(right);
  CheckWithinSteps(StrCat("elements of ", depth), b.Finish(), inputs, 0);
}

TEST(BatchMatmulGpu, ElementsAreTheCpus) {
  for (const auto type : {tflite::TensorType_INT8, tflite::TensorType_INT16}) {
    CheckElements(type, 1, false, false);
    CheckElements(type, 37, true, false);
    CheckElements(type, 300, false, true);
  }
}

// As on the CPU, the several scales of a right side count as 0.
TEST(BatchMatmulGpu, SeveralScalesCountAsZero) {
  ModelBuilder b;
  const int x = b.Quantize(b.Input({2, 3}, tflite::TensorType_INT8), 0.5f, 3);
  const int w =
      b.QuantizePerChannel(b.Const<int8_t>({3, 2}, {1, 2, 3, 4, 5, 6}), {0.25f, 0.5f}, {0, 0}, 1);
  const int y = b.Quantize(b.Tensor({2, 2}, tflite::TensorType_INT8), 0.1f, -7);
  b.SetOpVersion(2);
  b.Output(b.Op(tflite::BuiltinOperator_BATCH_MATMUL, {x, w}, {y}, tflite::BatchMatMulOptionsT()));
  CheckWithinSteps("several scales", b.Finish(), {{1, 2, 3, 4, 5, 6}}, 0);

  ModelBuilder f;  // beside floats, too
  const int left = f.Input({2, 3});
  const int right =
      f.QuantizePerChannel(f.Const<int8_t>({3, 2}, {1, 2, 3, 4, 5, 6}), {0.25f, 0.5f}, {0, 0}, 1);
  f.SetOpVersion(4);
  f.Output(f.Op(tflite::BuiltinOperator_BATCH_MATMUL, {left, right}, {f.Tensor({2, 2})},
                tflite::BatchMatMulOptionsT()));
  CheckSameBytes("several scales beside floats", f, BytesOf(std::vector<float>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace tern::testing
