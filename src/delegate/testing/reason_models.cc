// SPDX-License-Identifier: Apache-2.0
// As small as they can be.
#include "delegate/testing/reason_models.h"

#include "delegate/testing/models.h"

namespace tern::delegate::testing {
namespace {

using tern::testing::ModelBuilder;

constexpr auto kFloats = tflite::TensorType_FLOAT32;

// x -> one operation of one operand -> y
std::vector<uint8_t> Unary(tflite::BuiltinOperator op, const std::vector<int>& shape,
                           tflite::TensorType type = kFloats) {
  ModelBuilder b;
  const int x = b.Input(shape, type);
  b.Output(b.Op(op, {x}, {b.Tensor(shape, type)}));
  return b.Finish();
}

// x -> RESHAPE -> y
std::vector<uint8_t> Reshape(tflite::TensorType type, const std::vector<float>& scales = {}) {
  ModelBuilder b;
  const int x = b.Input({2, 4}, type, "x"), y = b.Tensor({4, 2}, type, "y");
  if (!scales.empty()) {
    b.QuantizePerChannel(x, scales, {0, 0}, 0);
    b.QuantizePerChannel(y, scales, {0, 0}, 1);
  }
  b.Output(b.Op(tflite::BuiltinOperator_RESHAPE, {x, b.Const<int32_t>({2}, {4, 2})}, {y}));
  return b.Finish();
}

// A constant in halves -> DEQUANTIZE; x + it -> y, and what the CPU makes of it where it reads it,
// too.
std::vector<uint8_t> Halves(bool read_by_cpu) {
  ModelBuilder b;
  const int x = b.Input({4});
  const int c =
      b.Op(tflite::BuiltinOperator_DEQUANTIZE, {b.ConstHalf({4}, {1, 2, 3, 4})}, {b.Tensor({4})});
  b.Output(b.Op(tflite::BuiltinOperator_ADD, {x, c}, {b.Tensor({4})}, tflite::AddOptionsT()));
  if (read_by_cpu) b.Output(b.CustomOp("OnlyOnCpu", {c}, {b.Tensor({4})}));
  return b.Finish();
}

// x -> RESHAPE -> RELU -> y
std::vector<uint8_t> ReshapeInside() {
  ModelBuilder b;
  const int x = b.Input({2, 4});
  const int r =
      b.Op(tflite::BuiltinOperator_RESHAPE, {x, b.Const<int32_t>({2}, {4, 2})}, {b.Tensor({4, 2})});
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {r}, {b.Tensor({4, 2})}));
  return b.Finish();
}

std::vector<uint8_t> CumsumOfComputedAxis() {
  ModelBuilder b;
  const int x = b.Input({2, 4}), axis = b.Input({}, tflite::TensorType_INT32, "axis");
  b.Output(b.Op(tflite::BuiltinOperator_CUMSUM, {x, axis}, {b.Tensor({2, 4})},
                tflite::CumsumOptionsT()));
  return b.Finish();
}

std::vector<uint8_t> DivByZero() {
  ModelBuilder b;
  const auto ints = tflite::TensorType_INT32;
  b.Output(b.Op(tflite::BuiltinOperator_DIV, {b.Input({4}, ints), b.Const<int32_t>({1}, {0})},
                {b.Tensor({4}, ints)}, tflite::DivOptionsT()));
  return b.Finish();
}

std::vector<uint8_t> SharedVariable() {
  ModelBuilder b;
  const int variable = b.Variable({4});
  b.Output(b.Op(tflite::BuiltinOperator_ADD, {b.Input({4}), variable}, {b.Tensor({4})},
                tflite::AddOptionsT()));
  b.Output(b.Op(tflite::BuiltinOperator_BITCAST, {variable},
                {b.Tensor({4}, tflite::TensorType_INT32)}, tflite::BitcastOptionsT()));
  return b.Finish();
}

std::vector<uint8_t> WrittenTwice() {
  ModelBuilder b;
  const int x = b.Input({4}), y = b.Tensor({4}, kFloats, "y");
  b.Op(tflite::BuiltinOperator_TANH, {x}, {y});
  b.Op(tflite::BuiltinOperator_RELU, {x}, {y});
  b.Output(y);
  return b.Finish();
}

std::vector<uint8_t> Where() {
  ModelBuilder b;
  b.Output(b.Op(tflite::BuiltinOperator_WHERE, {b.Input({4}, tflite::TensorType_BOOL)},
                {b.Tensor({4, 1}, tflite::TensorType_INT64)}));
  return b.Finish();
}

// A composite that is known by its name, with an operand too many. The decomposition takes the
// first.
std::vector<uint8_t> CompositeOfTwoOperands() {
  ModelBuilder b;
  const int x = b.Input({2, 4}), more = b.Input({2, 4});
  tflite::StableHLOCompositeOptionsT options;
  options.name = "odml.l2_norm";
  options.decomposition_subgraph_index = b.AddSubgraph("decomposition");
  const int inner = b.Input({2, 4});
  b.Input({2, 4});
  b.Output(b.Op(tflite::BuiltinOperator_L2_NORMALIZATION, {inner}, {b.Tensor({2, 4})},
                tflite::L2NormOptionsT()));
  b.SelectSubgraph(0);
  b.Output(
      b.Op(tflite::BuiltinOperator_STABLEHLO_COMPOSITE, {x, more}, {b.Tensor({2, 4})}, options));
  return b.Finish();
}

// A counter up to and with 2: the trip count of LESS_EQUAL is not computed.
std::vector<uint8_t> LoopOfOtherCondition() {
  ModelBuilder b;
  const auto ints = tflite::TensorType_INT32;
  tflite::WhileOptionsT options;
  options.cond_subgraph_index = b.AddSubgraph("condition");
  const int counter = b.Input({1}, ints);
  b.Output(b.Op(tflite::BuiltinOperator_LESS_EQUAL, {counter, b.Const<int32_t>({1}, {2})},
                {b.Tensor({1}, tflite::TensorType_BOOL)}));
  options.body_subgraph_index = b.AddSubgraph("body");
  b.Output(b.Op(tflite::BuiltinOperator_ADD, {b.Input({1}, ints), b.Const<int32_t>({1}, {1})},
                {b.Tensor({1}, ints)}, tflite::AddOptionsT()));
  b.SelectSubgraph(0);
  b.Output(
      b.Op(tflite::BuiltinOperator_WHILE, {b.Input({1}, ints)}, {b.Tensor({1}, ints)}, options));
  return b.Finish();
}

}  // namespace

std::vector<ReasonModel> ReasonModels() {
  using tflite::BuiltinOperator_RELU;
  const std::vector<uint8_t> relu = Unary(BuiltinOperator_RELU, {4});
  return {
      {Reason::kOnGpu, "RELU", relu},
      {Reason::kConstant, "DEQUANTIZE of a FLOAT16 constant", Halves(false)},
      {Reason::kView, "RESHAPE before RELU", ReshapeInside()},
      {Reason::kFused, "RELU, ADD of a constant, LOGISTIC", ThreeOpModel(), 1},
      {Reason::kEmpty, "RELU of a tensor of shape [0, 4]", Unary(BuiltinOperator_RELU, {0, 4})},
      {Reason::kNoGpuForm, "a custom operation of the application", SplitModel(), 1},
      {Reason::kTensorType, "RESHAPE of FLOAT64", Reshape(tflite::TensorType_FLOAT64)},
      {Reason::kDynamicShape, "WHERE, whose output is as long as the input has true elements",
       Where(), 0, false},
      {Reason::kNotConstant, "CUMSUM along an axis that is an input", CumsumOfComputedAxis()},
      {Reason::kShape, "RELU of a tensor of rank 17",
       Unary(BuiltinOperator_RELU, std::vector<int>(17, 1))},
      {Reason::kOperands, "the composite odml.l2_norm with two operands", CompositeOfTwoOperands()},
      {Reason::kOptions, "DIV of integers by a constant 0", DivByZero()},
      {Reason::kQuantization, "RESHAPE of INT8 with a scale per row",
       Reshape(tflite::TensorType_INT8, {0.5f, 0.25f})},
      {Reason::kState, "ADD of a variable that an operation of the CPU has, too", SharedVariable()},
      {Reason::kWrittenTwice, "TANH and RELU that write one tensor", WrittenTwice()},
      {Reason::kDeviceLimit, "RELU on a device that binds one buffer", relu, 0, true,
       Trouble::kOneBuffer},
      {Reason::kLoop, "WHILE with the condition LESS_EQUAL", LoopOfOtherCondition()},
      {Reason::kProgram, "RELU on a driver that builds nothing", relu, 0, true,
       Trouble::kNoPrograms},
      {Reason::kMemory, "RELU on a device without memory", relu, 0, true, Trouble::kNoMemory},
      {Reason::kDeviceLost, "RELU on a device that is lost", relu, 0, true, Trouble::kLost},
      {Reason::kPartitionLimit,
       "RELU, an operation of the CPU, LOGISTIC and RELU6; one part is taken", SplitModel()},
      {Reason::kDenied, "RELU where the list `tern_deny` has op:RELU", relu, 0, true,
       Trouble::kNone, "op:RELU"},
      {Reason::kNotWorthIt, "RELU of four numbers where `tern_least_gain_us` is 1000", relu, 0,
       true, Trouble::kNone, "", "1000"},
      {Reason::kConstantForCpu, "DEQUANTIZE of a FLOAT16 constant that the CPU reads, too",
       Halves(true)},
      {Reason::kMeasuredSlower,
       "RELU that DropSlowGpuPartitions found to be slower",
       relu,
       0,
       true,
       Trouble::kNone,
       "",
       "",
       {0}},
  };
}

}  // namespace tern::delegate::testing
