// SPDX-License-Identifier: Apache-2.0
// Where watches stand, and which dispatch they blame.
#include "gpu/plan/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace tern::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GuardTest : public ::testing::Test {
 protected:
  TensorId Tensor(bool narrowed = true, Layout layout = Layout::kSlices) {
    PlanTensor tensor;
    tensor.desc = {{2, 3, 5, 7}, layout, narrowed ? Element::kFloat16 : Element::kFloat32};
    tensor.narrowed = narrowed;
    tensor.bytes = tensor.desc.Bytes(4);
    plan_.tensors.push_back(tensor);
    return static_cast<TensorId>(plan_.tensors.size()) - 1;
  }
  void Dispatches(std::vector<TensorId> from, std::vector<TensorId> to) {
    Dispatch dispatch;
    for (const TensorId id : from) dispatch.bindings.push_back({"src", id, Access::kRead, {}});
    for (const TensorId id : to) dispatch.bindings.push_back({"dst", id, Access::kWrite, {}});
    plan_.dispatches.push_back(std::move(dispatch));
  }
  std::vector<int> Blamed(const std::vector<TensorId>& bad) {
    std::vector<int32_t> flags;
    for (const Watch& watch : plan_.watches) {
      flags.push_back(std::count(bad.begin(), bad.end(), watch.tensor) != 0 ? 1 : 0);
    }
    return FirstBad(plan_, flags);
  }
  Plan plan_;
};

TEST_F(GuardTest, HalvesThatAreWrittenAreWatched) {
  const TensorId in = Tensor(false), a = Tensor(), b = Tensor(false), c = Tensor(),
                 v = Tensor(true, Layout::kVector);
  Dispatches({in}, {a});
  Dispatches({a}, {b, v});
  Dispatches({a, b}, {c});
  AddGuard(plan_);
  ASSERT_EQ(plan_.watches.size(), 2U);
  ASSERT_EQ(plan_.dispatches.size(), 5U);
  EXPECT_EQ(plan_.dispatches[1].kernel, KernelId::guard);
  EXPECT_EQ(plan_.dispatches[1].grid, (Int3{5, 3, 4}));
  EXPECT_EQ(plan_.watches[1].dispatch, 3);
  EXPECT_EQ(plan_.watches[1].tensor, c);
  EXPECT_EQ(plan_.tensors[plan_.flags].role, Role::kFlags);
  EXPECT_EQ(plan_.tensors[plan_.flags].bytes, 2 * 4 * 4);
}

TEST_F(GuardTest, PlansWithoutHalvesStayAsTheyAre) {
  Dispatches({Tensor(false)}, {Tensor(false)});
  AddGuard(plan_);
  EXPECT_THAT(plan_.watches, IsEmpty());
  EXPECT_EQ(plan_.dispatches.size(), 1U);
  EXPECT_EQ(plan_.tensors.size(), 2U);
  EXPECT_EQ(plan_.flags, -1);
}

TEST_F(GuardTest, WhereItBeganIsToBlame) {
  const TensorId in = Tensor(false), a = Tensor(), b = Tensor(), c = Tensor(), d = Tensor(false),
                 e = Tensor();
  Dispatches({in}, {a});  // dispatch 0, its watch 1
  Dispatches({a}, {b});   // 2
  Dispatches({in}, {c});  // 4
  Dispatches({b}, {d});   // 6, not watched
  Dispatches({d}, {e});   // 7
  AddGuard(plan_);
  EXPECT_THAT(Blamed({}), IsEmpty());
  EXPECT_THAT(Blamed({a, b, e}), ElementsAre(0));
  EXPECT_THAT(Blamed({b, c}), ElementsAre(2, 4));
  EXPECT_THAT(Blamed({b, e}), ElementsAre(2));  // through floats
  EXPECT_THAT(Blamed({e}), ElementsAre(7));
}

}  // namespace
}  // namespace tern::gpu
