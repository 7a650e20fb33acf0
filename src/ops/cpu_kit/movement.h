// SPDX-License-Identifier: Apache-2.0
// The common part of CPU ops that only move elements: an op says which copies lead from its
// operands to its results; types, memory, shapes that depend on data, and strings are dealt with
// here.
#ifndef TERN_OPS_CPU_KIT_MOVEMENT_H_
#define TERN_OPS_CPU_KIT_MOVEMENT_H_

#include <array>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/region.h"

namespace tern {

// The results of a movement: shapes by output, and the copies that fill them.
struct Moves {
  std::vector<Shape> shapes;
  std::vector<Region> regions;
};

// Another view of one operand.
Moves MovesOf(Viewed viewed, int source = 0);

class Movement : public Op {
 public:
  using Op::Op;
  Status Prepare(const OpCall& call) final;
  Status Eval(const OpCall& call) final;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 protected:
  // Makes the checks that need no values of operands.
  virtual Status Check(const OpCall& call) = 0;
  // Input i controls where elements go, so Plan reads its values; other inputs are moved.
  virtual bool IsControl(int /*i*/) const { return false; }
  // Shapes that do not depend on values; none: outputs are dynamic where controls are.
  virtual std::vector<Shape> KnownShapes(const OpCall& /*call*/) const { return {}; }
  // Shapes and values of control operands -> moves.
  virtual StatusOr<Moves> Plan(const OpCall& call) = 0;
  // Sets the elements that no region writes; called before the copies.
  virtual Status Fill(const OpCall& /*call*/) { return OkStatus(); }

 private:
  bool ControlsAreConstant(const OpCall& call) const;
  Status MakePlan(const OpCall& call);
  Status CopyStrings(const OpCall& call, int output) const;
  Status CopyPacked(const OpCall& call, int output) const;

  Moves moves_;
  bool planned_ = false;  // in Prepare, for all runs
};

// Operand 0 under the view that a rule computes from operand 1.
class MovementByNumbers : public Movement {
 protected:
  struct ConstantOperand {
    const char* what;   // names them
    bool wide = false;  // INT64 does as well as INT32
    bool list = true;   // a vector, else of any shape
  };
  using ViewRule = StatusOr<Viewed> (*)(const Shape& input, const Shape& numbers);
  MovementByNumbers(OpForm form, const ConstantOperand& numbers, ViewRule rule)
      : Movement(form), numbers_(numbers), rule_(rule) {}

  Status Check(const OpCall& call) final;
  bool IsControl(int i) const final { return i == 1; }
  StatusOr<Moves> Plan(const OpCall& call) final;

 private:
  ConstantOperand numbers_;
  ViewRule rule_;
};

// The operands that are moved and the results have one movable type. With `packed` these are also
// the types that put several numbers into a byte; an op that takes them leaves Fill alone.
Status CheckMoved(const TfLiteTensor* input, const TfLiteTensor* output, bool packed = false);
// Scale and zero point agree, which a copy of stored numbers needs.
Status CheckSameQuantization(const TfLiteTensor* a, const TfLiteTensor* b);

// The bytes of 0: of a quantized type those of the zero point.
std::array<char, 16> ZeroOf(const TfLiteTensor* t);
// Every element becomes the one of `bytes` bytes at `value`.
void FillElements(TfLiteTensor* t, const void* value, int64_t bytes);
// Every element becomes 0. Strings and packed numbers that no region writes are empty and 0 anyway.
void FillWithZeros(TfLiteTensor* t);
// Fills the elements outside of a box of `size`, `before` elements from the start of each axis.
void FillAround(TfLiteTensor* t, const Shape& before, const Shape& size, const void* value,
                int64_t bytes, ThreadPool* pool);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_MOVEMENT_H_
