// SPDX-License-Identifier: Apache-2.0
// GPU tests of ops that only move elements: the op at the edge of a graph, where tensors are
// row-major, and the op between others, where they lie in slices.
#ifndef TERN_OPS_TESTING_MOVE_CASE_H_
#define TERN_OPS_TESTING_MOVE_CASE_H_

#include <string>
#include <utility>
#include <vector>

#include "ops/testing/graph_maker.h"
#include "ops/testing/op_case.h"

namespace tern::testing {

// An op with all its results; runtime operands are those of the case.
struct MoveCase {
  tflite::BuiltinOperator op;
  tflite::BuiltinOptionsUnion options;
  std::vector<CaseOperand> inputs;
  std::vector<Sizes> outputs;
  int version = 1;
};

inline ModelCase MakeMoveCase(const MoveCase& c, bool inside) {
  GraphMaker m;
  std::vector<int32_t> inputs, outputs;
  for (const CaseOperand& operand : c.inputs) {
    if (operand.kind == CaseOperand::Kind::kRuntime) {
      const int input = m.Input(operand.shape);
      inputs.push_back(inside ? m.LeakyRelu(input) : input);
    } else if (!operand.ints.empty()) {
      inputs.push_back(m.Const(operand.shape, operand.ints));
    } else {
      inputs.push_back(m.Constant(operand.shape));
    }
  }
  for (const Sizes& shape : c.outputs) outputs.push_back(m.Tensor(shape));
  m.SetOpVersion(c.version);
  m.Op(c.op, inputs, outputs);
  m.op().builtin_options = c.options;
  std::string name = tflite::EnumNameBuiltinOperator(c.op);
  for (const int output : outputs) {
    for (const int32_t size : m.ShapeOf(output)) name += StrCat(' ', size);
    // Two readers keep the result a tensor of its own.
    if (inside) m.Output(m.LeakyRelu(output));
    m.Output(inside ? m.Logistic(output) : output);
    name += ',';
  }
  return m.Finish(name + (inside ? " inside" : " at the edge"));
}

inline void CheckMove(const MoveCase& c, Engines engines = Engines::kInTurn) {
  for (const bool inside : {false, true}) CheckModel(MakeMoveCase(c, inside), engines);
}

// Channel counts on and off the slice widths.
inline constexpr int kMoveChannels[] = {1, 3, 4, 7, 8, 16, 17, 33};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_MOVE_CASE_H_
