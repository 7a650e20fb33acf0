// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL of floats on all engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"

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
  m.builder().SetOpVersion(1);
  return m.builder().Op(tflite::BuiltinOperator_BATCH_MATMUL, {a, b}, {m.builder().Tensor(out)},
                        std::move(o));
}

// `left` [..., rows, depth] and `right` [..., depth, columns] before any swap.
void Check(Sizes left, Sizes right, bool adj_x = false, bool adj_y = false,
           Where where_right = Where::kRuntime) {
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
      for (const Where right : {Where::kRuntime, Where::kConstant}) {
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

}  // namespace
}  // namespace tern::testing
