// SPDX-License-Identifier: Apache-2.0
// CUMSUM of floats on all engines, and of INT64.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

int AddSums(GraphMaker& m, int x, int axis, bool exclusive, bool reverse) {
  tflite::CumsumOptionsT o;
  o.exclusive = exclusive;
  o.reverse = reverse;
  const int at = m.Const<int32_t>({}, {axis});
  const int y = m.Tensor(m.ShapeOf(x));
  m.SetOpVersion(1);
  return m.Op(tflite::BuiltinOperator_CUMSUM, {x, at}, {y}, std::move(o));
}

TEST(CumsumGpu, EveryAxis) {
  for (const Sizes& in :
       {Sizes{17}, {3, 33}, {2, 3, 9}, {3, 2, 4, 5}, {2, 3, 1, 2, 5}, {2, 3, 2, 1, 2, 3}}) {
    for (int axis = 0; axis < static_cast<int>(in.size()); ++axis) {
      for (int form = 0; form < 4; ++form) {
        GraphMaker m;
        const int at = form % 2 == 0 ? axis : axis - static_cast<int>(in.size());
        const int y = AddSums(m, m.Input(in), at, form % 2 == 1, form / 2 == 1);
        CheckModel(m.Finish(StrCat("sums of rank ", in.size(), " along ", at, " form ", form), y));
      }
    }
  }
}

TEST(CumsumGpu, Longs) {
  const Sizes in = {2, 3, 1, 2, 5};
  for (int axis = 0; axis < 5; ++axis) {
    for (int form = 0; form < 4; ++form) {
      ModelBuilder m;
      const int x = m.Input(in, tflite::TensorType_INT64);
      tflite::CumsumOptionsT o;
      o.exclusive = form % 2 == 1;
      o.reverse = form / 2 == 1;
      m.Output(m.Op(tflite::BuiltinOperator_CUMSUM, {x, m.Const<int32_t>({}, {axis})},
                    {m.Tensor(in, tflite::TensorType_INT64)}, std::move(o)));
      CheckSameBytes(StrCat("sums along ", axis, " form ", form), m,
                     WholeNumbers(60, tflite::TensorType_INT64, -(1LL << 60), 1LL << 60));
    }
  }
}

TEST(CumsumGpu, BetweenOtherNodes) {
  for (const int axis : {0, 1, 2, 3}) {
    GraphMaker m;
    const int x = m.Logistic(m.Conv(m.Input({2, 3, 4, 5}), 6, 1, {.h = 1, .w = 1}));
    const int y = AddSums(m, x, axis, false, true);
    CheckModel(m.Finish(StrCat("sums between nodes along ", axis), m.Sum(y, m.Constant({6}))));
  }
}

}  // namespace
}  // namespace tern::testing
