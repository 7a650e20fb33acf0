// SPDX-License-Identifier: Apache-2.0
// Float reductions of awkward shapes on all engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"

namespace tern::testing {
namespace {

int AddReduce(GraphMaker& m, int x, tflite::BuiltinOperator code, const std::vector<int32_t>& axes,
              bool keep) {
  const Sizes in = m.ShapeOf(x);
  std::vector<bool> reduced(in.size(), false);
  for (const int32_t axis : axes) reduced[axis < 0 ? axis + in.size() : axis] = true;
  Sizes out;
  for (size_t d = 0; d < in.size(); ++d) {
    if (keep || !reduced[d]) out.push_back(reduced[d] ? 1 : in[d]);
  }
  const int list = m.Const<int32_t>({static_cast<int32_t>(axes.size())}, axes);
  tflite::ReducerOptionsT o;
  o.keep_dims = keep;
  m.SetOpVersion(1);
  return m.Op(code, {x, list}, {m.Tensor(out)}, std::move(o));
}

constexpr tflite::BuiltinOperator kOps[] = {
    tflite::BuiltinOperator_MEAN, tflite::BuiltinOperator_SUM, tflite::BuiltinOperator_REDUCE_MAX,
    tflite::BuiltinOperator_REDUCE_MIN, tflite::BuiltinOperator_REDUCE_PROD};

void CheckReduction(const Sizes& in, const std::vector<int32_t>& axes, bool keep) {
  static int next = 0;
  const tflite::BuiltinOperator code = kOps[next++ % 5];
  GraphMaker m;
  std::string name = StrCat(tflite::EnumNameBuiltinOperator(code), keep ? " keep" : "", " of");
  for (const int size : in) name += StrCat(" ", size);
  name += " along";
  for (const int axis : axes) name += StrCat(" ", axis);
  CheckModel(m.Finish(name, AddReduce(m, m.Input(in), code, axes, keep)));
}

TEST(ReduceGpu, EverySetOfAxes) {
  for (const Sizes& in : {Sizes{17}, {3, 9}, {2, 3, 5}, {3, 4, 2, 7}}) {
    const auto rank = static_cast<int32_t>(in.size());
    for (int set = 0; set < 1 << rank; ++set) {
      std::vector<int32_t> axes;
      for (int32_t d = 0; d < rank; ++d) {
        if ((set >> d) & 1) axes.push_back(d % 2 == 0 ? d : d - rank);
      }
      for (const bool keep : {false, true}) CheckReduction(in, axes, keep);
    }
  }
}

TEST(ReduceGpu, RanksBeyondFour) {
  for (const bool keep : {false, true}) {
    for (const std::vector<int32_t>& axes :
         {std::vector<int32_t>{0}, {1}, {0, 1}, {1, 3}, {0, 4}, {2, 3}, {1, 2, 3, 4}}) {
      CheckReduction({2, 3, 2, 1, 5}, axes, keep);
    }
    for (const std::vector<int32_t>& axes :
         {std::vector<int32_t>{0}, {1, 3, 5}, {0, 2}, {0, 1, 2}, {-1, 1}, {4}}) {
      CheckReduction({2, 2, 3, 2, 3, 3}, axes, keep);
    }
  }
}

// Work-items of a group share what is long.
TEST(ReduceGpu, LongAxes) {
  for (const bool keep : {false, true}) {
    CheckReduction({1, 29, 31, 9}, {1, 2}, keep);
    CheckReduction({2, 300}, {-1}, keep);
    CheckReduction({701, 3}, {0}, keep);
    CheckReduction({1, 8, 8, 33}, {1, 2, 3}, keep);
    CheckReduction({7, 9, 5, 3}, {0, 1, 2}, keep);
  }
}

// Channels that a step has changed beyond the last one must not count.
TEST(ReduceGpu, BetweenOtherNodes) {
  for (const tflite::BuiltinOperator code : kOps) {
    for (const std::vector<int32_t>& axes :
         {std::vector<int32_t>{3}, {1, 2}, {0, 3}, {1, 2, 3}, {2}}) {
      for (const bool keep : {false, true}) {
        GraphMaker m;
        const int x = m.Sum(m.Conv(m.Input({2, 3, 4, 5}), 6, 1, {.h = 1, .w = 1}), m.Constant({1}));
        const int y = AddReduce(m, m.Logistic(x), code, axes, keep);
        CheckModel(m.Finish(StrCat(tflite::EnumNameBuiltinOperator(code), " between nodes"),
                            m.Relu(m.Sum(y, m.Constant({1})))));
      }
    }
  }
}

// One by one, the roundings of equal numbers would add up to 4e-4 of the sum.
TEST(ReduceGpu, LongSumsLoseFewDigits) {
  GraphMaker m;
  m.Output(AddReduce(m, m.Input({1, 300, 300, 1}), tflite::BuiltinOperator_SUM, {1, 2}, false));
  const ModelCase c{"a long sum", m.Finish(), {std::vector<float>(90000, 0.1f)}};
  for (const auto& engines : {DriverEngines(), HostEngines()}) {
    for (const Engine& engine : engines) {
      if (engine.half) continue;
      const RunResult result = RunModelCase(c, engine);
      ASSERT_EQ(result.error, "") << engine.name;
      EXPECT_NEAR(result.outputs[0].floats()[0], 9000, 0.3) << engine.name;
    }
  }
}

}  // namespace
}  // namespace tern::testing
