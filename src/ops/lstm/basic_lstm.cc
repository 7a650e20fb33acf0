// SPDX-License-Identifier: Apache-2.0
// The basic kernel of LSTM in float, and with 8-bit activations and weights.
#include "ops/lstm/basic_lstm.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_kit/recurrent.h"
#include "ops/lstm/basic_lstm_rules.h"
#include "ops/rules_kit/fixed_point.h"

namespace tern {
namespace {

using namespace basic_lstm;

constexpr int kStateBits = 4;
constexpr int kGateBits = 3;

struct Types {
  TfLiteType activations, bias, state;
};

Status CheckTypes(const OpCall& call) {
  const bool bytes = call.input(kInput)->type == kTfLiteUInt8;
  const Types types = bytes ? Types{kTfLiteUInt8, kTfLiteInt32, kTfLiteInt16}
                            : Types{kTfLiteFloat32, kTfLiteFloat32, kTfLiteFloat32};
  TERN_RETURN_IF_ERROR(CheckType(call.input(kInput), types.activations, "input"));
  TERN_RETURN_IF_ERROR(
      CheckType(call.input(kPreviousActivation), types.activations, "previous activation"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(kWeights), types.activations, "weights"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(kBias), types.bias, "bias"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(kPreviousState), types.state, "previous state"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(kActivation), types.activations, "activation"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(kState), types.state, "state"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(kJoined), types.activations, "concat_temp"));
  return CheckType(call.output(kGates), types.state, "activation_temp");
}

Status CheckStateScale(const TfLiteTensor* state, const char* what) {
  TERN_ASSIGN_OR_RETURN(const Quantization q, QuantizationOf(state, what));
  const float want = std::ldexp(1.0f, kStateBits - 15);
  if (q.scale == want && q.zero_point == 0) return OkStatus();
  return Unsupported(what, " must have the scale 2^-11 and the zero point 0 (", q.scale, ", ",
                     q.zero_point, ")");
}

// New values become the previous ones of the next run; a state that is no variable starts again.
void KeepState(const OpCall& call, int input, int output) {
  TfLiteTensor& state = call.context()->tensors[call.node()->inputs->data[input]];
  const TfLiteTensor* from = call.output(output);
  if (state.is_variable && state.bytes > 0) {
    std::memcpy(state.data.raw, from->data.raw, state.bytes);
  }
}

ConvShape ProductShape(const OpCall& call) {
  const int64_t cells = Dim(call.input(kPreviousState), 1);
  return MatrixShape(Dim(call.input(kInput), 0), Dim(call.input(kInput), 1) + cells,
                     kGateCount * cells);
}

// Input and previous activation side by side: the left side of the product.
template <class T>
void Join(const OpCall& call) {
  const int64_t rows = Dim(call.input(kInput), 0), inputs = Dim(call.input(kInput), 1);
  const int64_t cells = Dim(call.input(kPreviousState), 1);
  const T *from = Data<T>(call.input(kInput)), *before = Data<T>(call.input(kPreviousActivation));
  T* to = MutableData<T>(call.output(kJoined));
  for (int64_t row = 0; row < rows; ++row) {
    to = std::copy_n(from + row * inputs, inputs, to);
    to = std::copy_n(before + row * cells, cells, to);
  }
}

void UpdateFloatCells(const OpCall& call, int64_t row) {
  const int64_t cells = Dim(call.input(kPreviousState), 1);
  const float* z = Data<float>(call.output(kGates)) + row * kGateCount * cells;
  const float* before = Data<float>(call.input(kPreviousState)) + row * cells;
  float* state = MutableData<float>(call.output(kState)) + row * cells;
  float* activation = MutableData<float>(call.output(kActivation)) + row * cells;
  for (int64_t i = 0; i < cells; ++i) {
    state[i] = LogisticOf(z[i]) * std::tanh(z[kCandidate * cells + i]) +
               LogisticOf(z[kForgetGate * cells + i]) * before[i];
    activation[i] = LogisticOf(z[kOutputGate * cells + i]) * std::tanh(state[i]);
  }
}

// Like Scale, but ties of the second rounding go up.
int32_t ScaleUp(int32_t v, const Multiplier& multiplier) {
  if (multiplier.shift >= 0) return Scale(v, multiplier);
  const int32_t high = MultiplyHigh(v, multiplier.value);
  const int right = -multiplier.shift;
  return static_cast<int32_t>((int64_t{high} + (int64_t{1} << (right - 1))) >> right);
}

int16_t Saturated(int32_t v) { return fixed::Saturate<int16_t>(v); }

constexpr int32_t kZero = 128;  // of all 8-bit activations

void UpdateByteCells(const OpCall& call, int64_t row, int64_t begin, int64_t end) {
  const int64_t cells = Dim(call.input(kPreviousState), 1);
  const int16_t* z = Data<int16_t>(call.output(kGates)) + row * kGateCount * cells;
  const int16_t* before = Data<int16_t>(call.input(kPreviousState)) + row * cells;
  int16_t* state = MutableData<int16_t>(call.output(kState)) + row * cells;
  uint8_t* activation = MutableData<uint8_t>(call.output(kActivation)) + row * cells;
  for (int64_t i = begin; i < end; ++i) {
    const int16_t taken = fixed::Product(fixed::Logistic<kGateBits>(z[i]),
                                         fixed::Tanh<kGateBits>(z[kCandidate * cells + i]));
    const int16_t kept =
        fixed::Product(fixed::Logistic<kGateBits>(z[kForgetGate * cells + i]), before[i]);
    state[i] = Saturated(RoundingShiftRight(taken, kStateBits) + kept);
    const int16_t out = fixed::Product(fixed::Logistic<kGateBits>(z[kOutputGate * cells + i]),
                                       fixed::Tanh<kStateBits>(state[i]));
    const int32_t rounded = RoundingShiftRight(out, 8);
    activation[i] = static_cast<uint8_t>(kZero + (rounded > 127 ? 127 : rounded));
  }
}

}  // namespace

Status BasicLstm::Prepare(const OpCall& call) {
  if (!KeepsPacked(call)) {
    float_.Forget();
    bytes_.Forget();
  }
  TERN_RETURN_IF_ERROR(call.CheckOperands(kInputs, kInputs, kOutputs));
  TERN_RETURN_IF_ERROR(CheckTypes(call));
  const TfLiteTensor* input = call.input(kInput);
  const TfLiteTensor* state = call.input(kPreviousState);
  TERN_RETURN_IF_ERROR(CheckRank(input, 2, "input"));
  TERN_RETURN_IF_ERROR(CheckRank(state, 2, "previous state"));
  const Sizes sizes = {Dim(input, 0), Dim(input, 1), Dim(state, 1)};
  TERN_RETURN_IF_ERROR(
      CheckShape(call.input(kPreviousActivation), sizes.State(), "previous activation"));
  TERN_RETURN_IF_ERROR(CheckShape(call.input(kWeights), sizes.Weights(), "weights"));
  TERN_RETURN_IF_ERROR(CheckShape(call.input(kBias), sizes.Bias(), "bias"));
  TERN_RETURN_IF_ERROR(CheckShape(state, sizes.State(), "previous state"));
  for (const int i : {kPreviousActivation, kPreviousState}) {
    if (IsConstant(call.input(i))) return Invalid("input ", i, " is a state but constant");
  }
  if (input->type == kTfLiteUInt8) {
    TERN_RETURN_IF_ERROR(CheckStateScale(state, "previous state"));
    TERN_RETURN_IF_ERROR(CheckStateScale(call.output(kState), "state"));
    TERN_RETURN_IF_ERROR(QuantizationOf(call.input(kWeights), "weights").status());
    TERN_RETURN_IF_ERROR(QuantizationOf(call.input(kBias), "bias").status());
  }
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(kActivation), sizes.State()));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(kState), sizes.State()));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(kJoined), sizes.Joined()));
  return call.SetShape(call.output(kGates), sizes.Gates());
}

const FloatMatrix* BasicLstm::PackFloats(const OpCall& call, bool fast, ThreadPool* pool) {
  if (!fast) return nullptr;
  return float_.PackMatrix(ProductShape(call),
                           FloatWeightsOf(call.input(kWeights), call.input(kBias)), pool);
}

const IntegerMatrix* BasicLstm::PackBytes(const OpCall& call, const IntegerWeights& weights,
                                          bool fast, ThreadPool* pool) {
  const LeftView left = {ProductShape(call), nullptr, IntegerType::kUInt8, kZero};
  return fast ? bytes_.Pack(left, weights, pool) : nullptr;
}

void BasicLstm::Pack(const OpCall& call, bool fast, ThreadPool* pool) {
  const TfLiteTensor* weights = call.input(kWeights);
  if (!CanPack(weights, call.input(kBias))) return;
  if (weights->type == kTfLiteFloat32) {
    PackFloats(call, fast, pool);
  } else if (const auto q = QuantizationOf(weights, "weights"); q.ok()) {
    PackBytes(call, IntegerWeightsOf(weights, q->zero_point), fast, pool);
  }
}

void BasicLstm::FloatGates(const OpCall& call, bool fast, ThreadPool* pool) {
  const ConvShape shape = ProductShape(call);
  Join<float>(call);
  OutputStage stage = OutputStage::Clamp(ActivationRange(kTfLiteActNone),
                                         MutableData<float>(call.output(kGates)), shape.group_out);
  MultiplyRows(PackFloats(call, fast, pool), fast, {shape, call.output(kJoined)->data.raw},
               FloatWeightsOf(call.input(kWeights), call.input(kBias)), stage, pool);
}

void BasicLstm::ByteGates(const OpCall& call, const IntegerWeights& weights,
                          const Multiplier& multiplier, bool fast, ThreadPool* pool) {
  Join<uint8_t>(call);
  std::vector<int32_t> sums(static_cast<size_t>(Elements(call.output(kGates))));
  const LeftView left = {ProductShape(call), call.output(kJoined)->data.raw, IntegerType::kUInt8,
                         kZero};
  IntegerProduct::Sums(PackBytes(call, weights, fast, pool), fast, left, weights,
                       call.input(kBias)->data.raw, sums.data(), pool);
  int16_t* gates = MutableData<int16_t>(call.output(kGates));
  for (size_t i = 0; i < sums.size(); ++i) gates[i] = Saturated(ScaleUp(sums[i], multiplier));
}

Status BasicLstm::Eval(const OpCall& call, bool fast, ThreadPool* pool) {
  for (int i = 0; i < call.inputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckData(call.input(i), "an input"));
  }
  for (int i = 0; i < call.outputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckData(call.output(i), "an output"));
  }
  const int64_t rows = Dim(call.input(kInput), 0), cells = Dim(call.input(kPreviousState), 1);
  if (rows * cells == 0) return OkStatus();
  if (call.input(kInput)->type == kTfLiteUInt8) {
    constexpr int64_t kCellCost = 400;
    TERN_ASSIGN_OR_RETURN(const Quantization weights,
                          QuantizationOf(call.input(kWeights), "weights"));
    TERN_ASSIGN_OR_RETURN(const Quantization bias, QuantizationOf(call.input(kBias), "bias"));
    ByteGates(call, IntegerWeightsOf(call.input(kWeights), weights.zero_point),
              MakeMultiplier(4096 * double{bias.scale}), fast, pool);
    for (int64_t row = 0; row < rows; ++row) {
      ParallelFor(pool, cells, kCellCost,
                  [&](int64_t begin, int64_t end) { UpdateByteCells(call, row, begin, end); });
    }
  } else {
    constexpr int64_t kCellCost = 100;
    FloatGates(call, fast, pool);
    ParallelFor(pool, rows, cells * kCellCost, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) UpdateFloatCells(call, row);
    });
  }
  KeepState(call, kPreviousActivation, kActivation);
  KeepState(call, kPreviousState, kState);
  return OkStatus();
}

}  // namespace tern
