// SPDX-License-Identifier: Apache-2.0
// Which dispatches get one chain, and what stays apart.
#include "gpu/plan/share_programs.h"

#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

constexpr int kWidth = 4;
const ElementwiseStep kClamp = {.expression = kClampExpression, .a = 0, .b = 6};
const ElementwiseStep kDouble = {.expression = "v + v"};

class SharedPrograms : public ::testing::Test {
 protected:
  SharedPrograms() {
    tensors_.resize(3);
    for (PlanTensor& tensor : tensors_) tensor.desc.box = box_;
    tensors_[2].desc.element = Element::kInt32;
  }

  Dispatch& Add(const ElementwiseChain& chain, TensorId dst = 1) {
    Dispatch dispatch;
    dispatch.bindings = {{"src", 0, Access::kRead, box_}, {"dst", dst, Access::kWrite, box_}};
    dispatch.chain = chain;
    dispatch.chain_boxes.resize(chain.size(), box_);
    dispatches_.push_back(dispatch);
    return dispatches_.back();
  }

  void Share() { SharePrograms(tensors_, kWidth, dispatches_); }

  // The value of the uniform; -1 without one.
  int Choice(size_t i) const {
    for (const Uniform& uniform : dispatches_[i].uniforms) {
      if (uniform.name == kChoice) return uniform.i;
    }
    return -1;
  }

  const Box box_ = {1, 2, 3, 8};
  std::vector<PlanTensor> tensors_;
  std::vector<Dispatch> dispatches_;
};

TEST_F(SharedPrograms, LastStepsBecomeOne) {
  Add({kClamp});
  Add({});
  Add({kDouble});
  Add({kClamp});
  Share();
  const std::string all =
      "choice == 0 ? (min(max(v, splat(a)), splat(b))) : choice == 1 ? (v) : (v + v)";
  const int choices[] = {0, 1, 2, 0};
  for (size_t i = 0; i < dispatches_.size(); ++i) {
    const Dispatch& dispatch = dispatches_[i];
    ASSERT_EQ(dispatch.chain.size(), 1u);
    EXPECT_EQ(dispatch.chain_boxes.size(), 1u);
    EXPECT_EQ(dispatch.chain[0].expression, all);
    EXPECT_EQ(Choice(i), choices[i]);
  }
  EXPECT_EQ(dispatches_[0].chain[0].b, 6);
}

TEST_F(SharedPrograms, WhatIsTheSameStays) {
  Add({kClamp});
  Add({kClamp}).chain[0].b = 1;
  Share();
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(dispatches_[i].chain[0].expression, kClampExpression);
    EXPECT_EQ(Choice(i), -1);
  }
}

TEST_F(SharedPrograms, OtherProgramsStayApart) {
  const ElementwiseStep sum = {.expression = "v + w", .operand = 0};
  Add({});
  Add({kClamp}).defines = {{"PIXELS", 4}};
  Add({sum, kClamp});
  Add({kClamp}).kernel = static_cast<KernelId>(1);
  Add({kClamp}).bindings[0].tensor = 2;
  // An operand that is broadcast is read in another way.
  Add({sum}).chain_boxes[0] = {1, 1, 1, 8};
  Share();
  for (size_t i = 0; i < dispatches_.size(); ++i) EXPECT_EQ(Choice(i), -1) << i;
}

TEST_F(SharedPrograms, AChainAloneIsLeftAlone) {
  for (const ElementwiseStep& step : {kClamp, kDouble}) {
    std::vector<Binding>& bindings = Add({step}).bindings;
    bindings.erase(bindings.begin());
  }
  Share();
  EXPECT_EQ(Choice(0), -1);
  EXPECT_EQ(Choice(1), -1);
}

TEST_F(SharedPrograms, StepsBeforeTheLastCount) {
  const ElementwiseStep sum = {.expression = "v + w", .operand = 0};
  Add({sum});
  Add({sum, kClamp});
  Share();
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(dispatches_[i].chain.size(), 2u);
    EXPECT_EQ(dispatches_[i].chain[0].expression, "v + w");
    EXPECT_EQ(Choice(i), i == 0 ? 1 : 0);
  }
}

TEST_F(SharedPrograms, IntsHaveNoSuchStep) {
  Add({}, 2);
  Add({{.expression = "to_islice(v)", .to = Number::kInt}}, 2);
  Share();
  EXPECT_EQ(Choice(0), -1);
  EXPECT_EQ(Choice(1), -1);
}

TEST_F(SharedPrograms, ManyExpressionsAreLeftAlone) {
  for (int i = 0; i < 9; ++i) Add({{.expression = std::string("v * v") + std::string(i, ' ')}});
  Share();
  for (size_t i = 0; i < dispatches_.size(); ++i) EXPECT_EQ(Choice(i), -1) << i;
}

}  // namespace
}  // namespace tern::gpu
