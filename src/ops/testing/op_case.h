// SPDX-License-Identifier: Apache-2.0
// Op tests as data: a case is one op with its shapes, options and fills. It becomes a one-op model
// that runs on the CPU and on every GPU backend at hand, held against the reference.
#ifndef TERN_OPS_TESTING_OP_CASE_H_
#define TERN_OPS_TESTING_OP_CASE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/check_model.h"

namespace tern::testing {

struct CaseOperand {
  enum class Kind { kRuntime, kConstant, kAbsent };

  std::vector<int32_t> shape;
  Kind kind = Kind::kRuntime;
  // INT32 constants are given by value, floats are random.
  std::vector<int32_t> ints = {};
};

inline CaseOperand Runtime(std::vector<int32_t> shape) { return {std::move(shape)}; }
inline CaseOperand Constant(std::vector<int32_t> shape) {
  return {std::move(shape), CaseOperand::Kind::kConstant};
}
inline CaseOperand ConstantInts(std::vector<int32_t> values, std::vector<int32_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<int32_t>(values.size())};
  return {std::move(shape), CaseOperand::Kind::kConstant, std::move(values)};
}
inline CaseOperand Absent() { return {{}, CaseOperand::Kind::kAbsent}; }

struct OpCase {
  std::string name;
  tflite::BuiltinOperator op;
  tflite::BuiltinOptionsUnion options;
  std::vector<CaseOperand> inputs;
  std::vector<int32_t> output_shape;
  int version = 1;
  // Runtime operands lie in [-range, range).
  double range = 2;
};

template <class OptionsT>
tflite::BuiltinOptionsUnion Pack(OptionsT options) {
  tflite::BuiltinOptionsUnion u;
  u.Set(std::move(options));
  return u;
}

inline ModelCase MakeOpCase(const OpCase& c) {
  ModelBuilder builder;
  builder.SetOpVersion(c.version);
  std::vector<int32_t> inputs;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const CaseOperand& operand = c.inputs[i];
    if (operand.kind == CaseOperand::Kind::kAbsent) {
      inputs.push_back(-1);
    } else if (operand.kind == CaseOperand::Kind::kRuntime) {
      inputs.push_back(builder.Input(operand.shape));
    } else if (!operand.ints.empty()) {
      inputs.push_back(builder.Const(operand.shape, operand.ints));
    } else {
      const int64_t count = Count(std::vector<int>(operand.shape.begin(), operand.shape.end()));
      inputs.push_back(builder.Const(operand.shape, Random(i + 100).Floats(count)));
    }
  }
  const int output = builder.Op(c.op, inputs, {builder.Tensor(c.output_shape)});
  builder.op().builtin_options = c.options;
  builder.Output(output);
  return MakeModelCase(c.name, builder.model(), -c.range, c.range);
}

// By default also on the engine that runs the C++ compiler for each program: keep such cases few.
inline void CheckCase(const OpCase& c, Engines engines = Engines::kAll) {
  CheckModel(MakeOpCase(c), engines);
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_OP_CASE_H_
