// SPDX-License-Identifier: Apache-2.0
// Which dispatches get one epilogue, and what stays apart.
#include "gpu/plan/share_programs.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tern::gpu {
namespace {

constexpr int kWidth = 4;
const EpilogueOp kClamp = {.expression = kClampExpression, .a = 0, .b = 6};
const EpilogueOp kDouble = {.expression = "v + v"};
const EpilogueOp kSum = {.expression = "v + w", .operand = 3};

class SharedPrograms : public ::testing::Test {
 protected:
  SharedPrograms() {
    tensors_.resize(4);
    for (PlanTensor& tensor : tensors_) tensor.desc.box = box_;
    tensors_[2].desc.element = Element::kInt32;
  }

  Dispatch& Add(const Epilogue& epilogue, TensorId dst = 1) {
    Dispatch dispatch;
    dispatch.bindings = {{"src", 0, Access::kRead, box_}, {"dst", dst, Access::kWrite, box_}};
    dispatch.epilogue = epilogue;
    for (EpilogueOp& step : dispatch.epilogue) {
      if (step.operand) step.operand = BindEpilogueOperand(*step.operand, box_, dispatch);
    }
    dispatches_.push_back(dispatch);
    return dispatches_.back();
  }

  void Share() { SharePrograms(tensors_, kWidth, dispatches_); }

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
  const int choices[] = {0, -1, 1, 0};
  for (size_t i = 0; i < dispatches_.size(); ++i) {
    const Dispatch& dispatch = dispatches_[i];
    ASSERT_EQ(dispatch.epilogue.size(), 1u);
    EXPECT_EQ(dispatch.epilogue[0].expression,
              "choice == 0 ? (between(v, splat(a), splat(b))) : (v + v)");
    EXPECT_TRUE(dispatch.epilogue[0].optional);
    EXPECT_EQ(dispatch.epilogue[0].choice, choices[i]);
  }
  EXPECT_EQ(dispatches_[0].epilogue[0].b, 6);
}

TEST_F(SharedPrograms, WhatIsTheSameStays) {
  Add({kClamp});
  Add({kClamp}).epilogue[0].b = 1;
  Share();
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(dispatches_[i].epilogue[0].expression, kClampExpression);
    EXPECT_FALSE(dispatches_[i].epilogue[0].optional);
  }
}

TEST_F(SharedPrograms, StepsThatLookNumbersUpStayApart) {
  const EpilogueOp lookup = {.expression = "lookup(v)", .operand = 3, .lookup = true};
  Add({lookup});
  Add({kSum});
  Add({lookup});
  Share();
  EXPECT_EQ(dispatches_[0].epilogue[0].expression, "lookup(v)");
  EXPECT_EQ(dispatches_[1].epilogue[0].expression, "v + w");
  EXPECT_EQ(dispatches_[2].epilogue[0].expression, "lookup(v)");
  for (const Dispatch& dispatch : dispatches_) EXPECT_FALSE(dispatch.epilogue[0].optional);
}

TEST_F(SharedPrograms, OtherProgramsStayApart) {
  Add({});
  Add({kClamp}).defines = {{"PIXELS", 4}};
  Add({kDouble, kClamp}).kernel = static_cast<KernelId>(1);
  Add({kClamp}).bindings[0].tensor = 2;
  // Operands that are broadcast differently are read in different ways.
  Add({kSum}).bindings.push_back(PackedIn(0));
  Add({kSum}).bindings.push_back(PackedIn(0));
  dispatches_.back().bindings[2].box = {1, 1, 1, 8};
  Share();
  for (size_t i = 0; i < dispatches_.size(); ++i) {
    for (const EpilogueOp& step : dispatches_[i].epilogue) EXPECT_FALSE(step.optional) << i;
  }
}

// A step that one of them has not is left out there; its operand is what the dispatch reads anyway.
TEST_F(SharedPrograms, StepsWithOperandsMayBeLeftOut) {
  Add({kSum, kClamp});
  Add({});
  Add({kDouble});
  Add({kSum});
  Share();
  const int choices[][2] = {{0, 0}, {-1, -1}, {-1, 1}, {0, -1}};
  for (size_t i = 0; i < dispatches_.size(); ++i) {
    const Epilogue& epilogue = dispatches_[i].epilogue;
    ASSERT_EQ(epilogue.size(), 2u);
    EXPECT_EQ(epilogue[0].expression, "v + w");
    const bool sums = choices[i][0] == 0;
    const Binding& operand = dispatches_[i].bindings[static_cast<size_t>(*epilogue[0].operand)];
    EXPECT_EQ(operand.tensor, sums ? 3 : 0) << i;
    EXPECT_EQ(operand.box, box_);
    for (size_t step = 0; step < 2; ++step) {
      EXPECT_TRUE(epilogue[step].optional);
      EXPECT_EQ(epilogue[step].choice, choices[i][step]) << i << " " << step;
    }
  }
}

TEST_F(SharedPrograms, FurtherStepsMayFollow) {
  Add({kSum});
  Add({kClamp});
  Share();
  for (size_t i = 0; i < 2; ++i) {
    const Epilogue& epilogue = dispatches_[i].epilogue;
    ASSERT_EQ(epilogue.size(), 2u);
    EXPECT_EQ(epilogue[0].choice, i == 0 ? 0 : -1);
    EXPECT_EQ(epilogue[1].choice, i == 0 ? -1 : 0);
    EXPECT_EQ(epilogue[1].expression, kClampExpression);
  }
}

// Memory of another layout could not be bound in its place, and buffers are scarce.
TEST_F(SharedPrograms, WithoutATensorForTheOperandNothingIsShared) {
  tensors_[3].desc.layout = Layout::kRows;
  Add({kSum, kClamp});
  Add({kClamp});
  Share();
  EXPECT_EQ(dispatches_[0].epilogue.size(), 2u);
  EXPECT_EQ(dispatches_[1].epilogue.size(), 1u);
}

// Where the kernel reads nothing, no expression comes to those of another.
TEST_F(SharedPrograms, AnEpilogueAloneTakesNoExpressions) {
  const EpilogueOp first = {.expression = "w", .operand = 0};
  for (const Epilogue& epilogue :
       {Epilogue{first, kClamp}, {first, kDouble}, {first, kClamp, kDouble}, {first}}) {
    Dispatch& dispatch = Add(epilogue);
    dispatch.bindings.erase(dispatch.bindings.begin());
    --*dispatch.epilogue[0].operand;
  }
  Share();
  const int choices[][2] = {{0, -1}, {-1, 0}, {0, 0}, {-1, -1}};
  for (size_t i = 0; i < dispatches_.size(); ++i) {
    const Epilogue& epilogue = dispatches_[i].epilogue;
    ASSERT_EQ(epilogue.size(), 3u);
    EXPECT_FALSE(epilogue[0].optional);
    EXPECT_EQ(epilogue[1].expression, kClampExpression);
    EXPECT_EQ(epilogue[1].choice, choices[i][0]);
    EXPECT_EQ(epilogue[2].expression, "v + v");
    EXPECT_EQ(epilogue[2].choice, choices[i][1]);
  }
}

TEST_F(SharedPrograms, IntsHaveNoSuchStep) {
  Add({}, 2);
  Add({{.expression = "to_islice(v)", .to = Number::kInt}}, 2);
  Share();
  EXPECT_EQ(dispatches_[0].epilogue.size(), 0u);
  EXPECT_FALSE(dispatches_[1].epilogue[0].optional);
}

TEST_F(SharedPrograms, AnEpilogueHasFewExpressions) {
  for (int i = 0; i < 9; ++i) Add({{.expression = std::string("v * v") + std::string(i, ' ')}});
  Share();
  for (const Dispatch& dispatch : dispatches_) EXPECT_LT(dispatch.epilogue[0].choice, 8);
  std::set<std::string> texts;
  for (const Dispatch& dispatch : dispatches_) texts.insert(dispatch.epilogue[0].expression);
  EXPECT_EQ(texts.size(), 2u);
}

}  // namespace
}  // namespace tern::gpu
