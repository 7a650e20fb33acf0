// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED: input [..., depth] viewed as rows, weights [units, depth], bias [units] (may be
// absent) -> [rows, units], or the input's leading sizes and units.
#include "base/tensor/sparse_tensor.h"
#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/dynamic_range.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/small_integers.h"
#include "ops/cpu_registry.h"
#include "ops/fully_connected/blockwise_rows.h"
#include "ops/fully_connected/fully_connected_rules.h"
#include "ops/fully_connected/quantized_rows.h"

namespace tern {
namespace {

enum class WeightKind { kFloat, kDynamicRange, kBlockwise, kQuantized, kShuffled };

class FullyConnected : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "FULLY_CONNECTED"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  void Pack(const OpCall& call) override;

 private:
  Status EvalFloat(const OpCall& call, ThreadPool* pool);
  Status EvalDynamicRange(const OpCall& call, ThreadPool* pool);

  WeightKind kind_ = WeightKind::kFloat;
  RowsByUnits sizes_;
  FloatRange range_{};
  // Float.
  FloatProduct product_;
  std::vector<float> dense_;  // sparse weights
  // Dynamic-range quantization.
  WeightScales scales_;
  QuantizedLeft left_;
  SmallIntegers numbers_;
  BlockwiseRows blockwise_;
  QuantizedRows quantized_;
};

bool IsShuffled(const TfLiteFullyConnectedParams& params) {
  return params.weights_format == kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8;
}

// Operands in all forms: the bias is FLOAT32 beside a FLOAT32 input.
StatusOr<WeightKind> KindOf(const OpCall& call) {
  const TfLiteTensor *input = call.input(0), *weights = call.input(1), *output = call.output(0);
  if (IsShuffled(call.params<TfLiteFullyConnectedParams>())) return WeightKind::kShuffled;
  if (input->type != kTfLiteFloat32) return WeightKind::kQuantized;
  TERN_RETURN_IF_ERROR(CheckType(output, kTfLiteFloat32, "output"));
  if (call.input(2) != nullptr)
    TERN_RETURN_IF_ERROR(CheckType(call.input(2), kTfLiteFloat32, "bias"));
  if (weights->type == kTfLiteFloat32) return WeightKind::kFloat;
  if (SmallIntegerBits(weights->type) == 0) return CheckType(weights, kTfLiteFloat32, "weights");
  return HasBlocks(weights) ? WeightKind::kBlockwise : WeightKind::kDynamicRange;
}

Status FullyConnected::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const auto& params = call.params<TfLiteFullyConnectedParams>();
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 3, IsShuffled(params) ? 2 : 1));
  const TfLiteTensor *input = call.input(0), *weights = call.input(1), *bias = call.input(2);
  if (params.activation == kTfLiteActTanh || params.activation == kTfLiteActSignBit) {
    return Unsupported("fused activation ", static_cast<int>(params.activation),
                       " is not supported (NONE, RELU, RELU_N1_TO_1 and RELU6 are)");
  }
  TERN_ASSIGN_OR_RETURN(
      const FullyConnectedShapes shapes,
      FullyConnectedShapesOf(ShapeOf(input), ShapeOf(weights), params.keep_num_dims));
  sizes_ = {shapes.rows, shapes.depth, shapes.units};
  if (bias != nullptr && Elements(bias) != shapes.units) {
    return Invalid("bias must have one value per unit (shape ", ShapeText(ShapeOf(bias)), ", ",
                   shapes.units, " units)");
  }
  if (IsSparse(weights) && !IsConstant(weights)) {
    return Unsupported("sparse weights must be constant, not computed at run time");
  }
  TERN_ASSIGN_OR_RETURN(kind_, KindOf(call));
  dense_.clear();
  numbers_.Forget();
  if (!KeepsPacked(call)) product_.Forget();
  range_ = ActivationRange(params.activation);
  switch (kind_) {
    case WeightKind::kFloat:
      break;
    case WeightKind::kDynamicRange: {
      if (shapes.depth == 0) break;
      TERN_ASSIGN_OR_RETURN(scales_, ReadWeightScales(weights, shapes.units, 0));
      break;
    }
    case WeightKind::kBlockwise:
      if (shapes.depth == 0) break;
      TERN_RETURN_IF_ERROR(blockwise_.Prepare(call, sizes_));
      break;
    case WeightKind::kQuantized:
      TERN_RETURN_IF_ERROR(quantized_.Prepare(call, sizes_));
      break;
    case WeightKind::kShuffled:
      TERN_RETURN_IF_ERROR(quantized_.PrepareShuffled(call, sizes_));
      TERN_RETURN_IF_ERROR(call.SetShape(call.output(1), ShapeOf(input)));
      break;
  }
  return call.SetShape(call.output(0), shapes.output);
}

void FullyConnected::Pack(const OpCall& call) {
  const TfLiteTensor *weights = call.input(1), *bias = call.input(2);
  if (!fast() || sizes_.depth == 0 || Elements(call.output(0)) == 0) return;
  if (kind_ == WeightKind::kQuantized) quantized_.Pack(call, Pool(call));
  if (kind_ == WeightKind::kBlockwise) blockwise_.Pack(call, Pool(call));
  if (kind_ != WeightKind::kFloat || IsSparse(weights) || !CanPack(weights, bias)) return;
  product_.PackMatrix(MatrixShape(sizes_.rows, sizes_.depth, sizes_.units),
                      FloatWeightsOf(weights, bias), Pool(call));
}

Status FullyConnected::Eval(const OpCall& call) {
  TfLiteTensor* output = call.output(0);
  if (Elements(output) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  if (call.input(2) != nullptr) TERN_RETURN_IF_ERROR(CheckData(call.input(2), "bias"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  if (sizes_.depth == 0) {
    // Without products there is no bias either.
    std::fill_n(output->data.raw, Elements(output) * ElementBytes(output->type), char{0});
    return OkStatus();
  }
  ThreadPool* pool = Pool(call);
  switch (kind_) {
    case WeightKind::kFloat:
      return EvalFloat(call, pool);
    case WeightKind::kDynamicRange:
      return EvalDynamicRange(call, pool);
    case WeightKind::kBlockwise:
      return blockwise_.Eval(call, fast(), pool);
    case WeightKind::kQuantized:
      return quantized_.Eval(call, fast(), pool);
    case WeightKind::kShuffled:
      return quantized_.EvalShuffled(call, pool);
  }
  return OkStatus();
}

Status FullyConnected::EvalFloat(const OpCall& call, ThreadPool* pool) {
  const TfLiteTensor* weights = call.input(1);
  const float* w = Data<float>(weights);
  if (IsSparse(weights)) {
    if (dense_.empty()) {
      TERN_ASSIGN_OR_RETURN(dense_, DenseElements<float>(weights, "weights"));
    }
    w = dense_.data();
  } else {
    TERN_RETURN_IF_ERROR(CheckData(weights, "weights"));
  }
  const TfLiteTensor* bias = call.input(2);
  // Weights that change at each run are worth packing for several rows only; a few rows read them
  // as they are.
  const bool constant = IsConstant(weights) && (bias == nullptr || IsConstant(bias));
  const FloatWeights right = {w, bias == nullptr ? nullptr : Data<float>(bias), constant};
  const LeftView left = {MatrixShape(sizes_.rows, sizes_.depth, sizes_.units),
                         call.input(0)->data.raw};
  MultiplyRows(fast() ? product_.PackMatrix(left.shape, right, pool) : nullptr, fast(), left, right,
               OutputStage::Clamp(range_, MutableData<float>(call.output(0)), sizes_.units), pool);
  return OkStatus();
}

Status FullyConnected::EvalDynamicRange(const OpCall& call, ThreadPool* pool) {
  TERN_ASSIGN_OR_RETURN(const int8_t* weights, numbers_.Get(call.input(1), "weights"));
  const bool symmetric = !call.params<TfLiteFullyConnectedParams>().asymmetric_quantize_inputs;
  UpdateScales(call.input(1), scales_);
  OutputStage stage;
  stage.form = OutputStage::Form::kDouble;
  stage.float_range = range_;
  stage.per_column = true;
  stage.scales = scales_.scale.data();
  stage.float_bias = call.input(2) == nullptr ? nullptr : Data<float>(call.input(2));
  stage.output = call.output(0)->data.raw;
  stage.columns = sizes_.units;
  left_.Set(Data<float>(call.input(0)), sizes_.rows, sizes_.depth, symmetric, fast(), pool);
  left_.Multiply(weights, stage, pool);
  return OkStatus();
}

}  // namespace

TfLiteRegistration FullyConnectedRegistration(OpForm form) {
  return MakeRegistration<FullyConnected>(form);
}

}  // namespace tern
