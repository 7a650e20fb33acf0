// SPDX-License-Identifier: Apache-2.0
// Scales of rows and weights, and what they make of sums.
#include "ops/fully_connected/quantized_rows.h"

#include <cmath>
#include <utility>
#include <vector>

#include "base/tensor/sparse_tensor.h"
#include "ops/cpu_kit/integer_dot.h"

namespace tern {
namespace {

bool TakesTypes(TfLiteType input, TfLiteType weights, TfLiteType output) {
  switch (input) {
    case kTfLiteUInt8:
      return weights == kTfLiteUInt8 && (output == kTfLiteUInt8 || output == kTfLiteInt16);
    case kTfLiteInt8:
      return (weights == kTfLiteInt8 || weights == kTfLiteInt4 || weights == kTfLiteInt2) &&
             output == kTfLiteInt8;
    case kTfLiteInt16:
      return (weights == kTfLiteInt8 || weights == kTfLiteInt4 || weights == kTfLiteInt2 ||
              weights == kTfLiteInt16) &&
             output == kTfLiteInt16;
    default:
      return false;
  }
}

bool HasSeveralScales(const TfLiteTensor* t) {
  if (t->quantization.type != kTfLiteAffineQuantization) return false;
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(t->quantization.params);
  return affine != nullptr && affine->scale != nullptr && affine->scale->size > 1;
}

Status CheckRowTypes(const OpCall& call) {
  const TfLiteType input = call.input(0)->type, weights = call.input(1)->type;
  if (!TakesTypes(input, weights, call.output(0)->type)) {
    return Unsupported("types ", TypeText(input), " and ", TypeText(weights), " to ",
                       TypeText(call.output(0)->type), " are not supported");
  }
  const TfLiteTensor* bias = call.input(2);
  if (bias == nullptr || bias->type == kTfLiteInt32) return OkStatus();
  if (bias->type == kTfLiteInt64 && input == kTfLiteInt16) return OkStatus();
  return Invalid("a bias of type ", TypeText(bias->type), " with an input of type ",
                 TypeText(input), " is not supported");
}

}  // namespace

Status QuantizedRows::ReadQuantization(const OpCall& call) {
  const TfLiteTensor *input = call.input(0), *weights = call.input(1), *output = call.output(0);
  TERN_ASSIGN_OR_RETURN(in_, QuantizationOf(input, "input"));
  TERN_ASSIGN_OR_RETURN(out_, QuantizationOf(output, "output"));
  if (output->type == kTfLiteInt16 && out_.zero_point != 0) {
    return Invalid("zero point of a 16-bit output must be 0 (", out_.zero_point, ")");
  }
  if (input->type == kTfLiteInt16 && in_.zero_point != 0) {
    return Invalid("zero point of a 16-bit input must be 0 (", in_.zero_point, ")");
  }
  const StatusOr<Quantization> whole = QuantizationOf(weights, "weights");
  std::vector<float> scales;
  weight_zero_ = 0;
  if (whole.ok()) {
    weight_zero_ = whole->zero_point;
    scales = {whole->scale};
  } else if (HasSeveralScales(weights)) {
    TERN_ASSIGN_OR_RETURN(scales, ChannelScales(weights, sizes_.units, 0, "weights"));
  } else {
    return whole.status();
  }
  std::vector<double> factors;
  for (const float scale : scales) {
    factors.push_back(double{in_.scale} * double{scale} / double{out_.scale});
  }
  const auto& params = call.params<TfLiteFullyConnectedParams>();
  stage_ = {};
  stage_.form = OutputStage::Form::kReal;
  stage_.type = IntegerTypeOf(output->type);
  stage_.zero_point = out_.zero_point;
  stage_.range = ActivationRange(params.activation, output->type, out_);
  stage_.SetFactors(std::move(factors));
  return OkStatus();
}

// The multiplier of one scale for all weights; the scales' product is rounded to float.
Multiplier QuantizedRows::WholeMultiplier(const OpCall& call) const {
  const StatusOr<Quantization> weights = QuantizationOf(call.input(1), "weights");
  if (!weights.ok()) return {};
  const float product = in_.scale * weights->scale;
  return MakeMultiplier(double{product} / double{out_.scale});
}

// Of 16-bit weights.
Status QuantizedRows::SetMultipliers(const OpCall& call) {
  stage_.form = OutputStage::Form::kFixedPoint;
  if (stage_.per_column) {
    for (int64_t unit = 0; unit < sizes_.units; ++unit) {
      stage_.multipliers.push_back(MakeMultiplier(stage_.factors[unit]));
    }
  } else {
    stage_.multipliers.push_back(WholeMultiplier(call));
  }
  for (const Multiplier& m : stage_.multipliers) TERN_RETURN_IF_ERROR(CheckWideMultiplier(m));
  return OkStatus();
}

// With one scale for all weights, the bias must have the scale of the products, more or less.
Status QuantizedRows::CheckBiasScale(const OpCall& call) const {
  const TfLiteTensor *weights = call.input(1), *bias = call.input(2);
  if (bias == nullptr || !QuantizationOf(weights, "weights").ok()) return OkStatus();
  const StatusOr<Quantization> q = QuantizationOf(bias, "bias");
  if (!q.ok()) return OkStatus();
  if (sizes_.units == 0) return OkStatus();
  const double product = stage_.factors[0] * double{out_.scale};
  const double distance = std::fabs(product - double{q->scale});
  if (distance / double{out_.scale} <= 0.02) return OkStatus();
  return Invalid("the bias has another scale than the products (", q->scale, ", ", product, ")");
}

Status QuantizedRows::Prepare(const OpCall& call, const RowsByUnits& sizes) {
  TERN_RETURN_IF_ERROR(CheckRowTypes(call));
  sizes_ = sizes;
  numbers_.Forget();
  if (!KeepsPacked(call)) product_.Forget();
  TERN_RETURN_IF_ERROR(ReadQuantization(call));
  TERN_RETURN_IF_ERROR(CheckBiasScale(call));
  const TfLiteTensor *input = call.input(0), *bias = call.input(2);
  const bool shorts = call.input(1)->type == kTfLiteInt16;
  const bool short_bias = bias != nullptr && bias->type == kTfLiteInt32;
  stage_.wide = shorts || (input->type == kTfLiteInt16 && !short_bias);
  return shorts ? SetMultipliers(call) : OkStatus();
}

void QuantizedRows::SetStage(const OpCall& call, bool fast) {
  const TfLiteTensor* bias = call.input(2);
  stage_.bias = bias == nullptr ? nullptr : bias->data.raw;
  stage_.long_bias = bias != nullptr && bias->type == kTfLiteInt64;
  stage_.output = call.output(0)->data.raw;
  stage_.columns = sizes_.units;
  stage_.UseKernel(fast);
}

LeftView QuantizedRows::Left(const OpCall& call) const {
  const TfLiteTensor* input = call.input(0);
  return {MatrixShape(sizes_.rows, sizes_.depth, sizes_.units), input->data.raw,
          IntegerTypeOf(input->type), in_.zero_point};
}

StatusOr<IntegerWeights> QuantizedRows::Weights(const OpCall& call) {
  const TfLiteTensor* from = call.input(1);
  IntegerWeights weights = IntegerWeightsOf(from, weight_zero_);
  if (from->type == kTfLiteInt16) {
    TERN_RETURN_IF_ERROR(CheckData(from, "weights"));
  } else {
    TERN_ASSIGN_OR_RETURN(weights.data, numbers_.Get(from, "weights"));
  }
  // The bytes of sparse weights do not say where they belong.
  if (IsSparse(from)) weights.bytes = {};
  return weights;
}

void QuantizedRows::Pack(const OpCall& call, ThreadPool* pool) {
  const StatusOr<IntegerWeights> weights = Weights(call);
  if (weights.ok()) product_.Pack(Left(call), *weights, pool);
}

Status QuantizedRows::Eval(const OpCall& call, bool fast, ThreadPool* pool) {
  TERN_ASSIGN_OR_RETURN(const IntegerWeights weights, Weights(call));
  SetStage(call, fast);
  const LeftView left = Left(call);
  const IntegerMatrix* packed = fast ? product_.Pack(left, weights, pool) : nullptr;
  IntegerProduct::Run(packed, fast, left, weights, stage_, pool);
  return OkStatus();
}

Status QuantizedRows::PrepareShuffled(const OpCall& call, const RowsByUnits& sizes) {
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteUInt8, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteUInt8, "weights"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt16, "output"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(1), kTfLiteUInt8, "workspace"));
  if (call.input(2) == nullptr) return Invalid("shuffled weights need a bias");
  TERN_RETURN_IF_ERROR(CheckType(call.input(2), kTfLiteInt32, "bias"));
  if (sizes.units % 4 != 0 || sizes.depth % 16 != 0) {
    return Invalid("shuffled weights need units in fours and depth in sixteens (", sizes.units,
                   ", ", sizes.depth, ")");
  }
  sizes_ = sizes;
  numbers_.Forget();
  TERN_RETURN_IF_ERROR(ReadQuantization(call));
  TERN_RETURN_IF_ERROR(CheckBiasScale(call));
  TERN_RETURN_IF_ERROR(QuantizationOf(call.input(1), "weights").status());
  stage_.form = OutputStage::Form::kFixedPoint;
  stage_.multipliers = {WholeMultiplier(call)};
  in_.zero_point = 128;
  weight_zero_ = 0;
  return OkStatus();
}

Status QuantizedRows::EvalShuffled(const OpCall& call, ThreadPool* pool) {
  TERN_ASSIGN_OR_RETURN(const int8_t* weights, numbers_.Get(call.input(1), "weights"));
  SetStage(call, /*fast=*/false);
  const int64_t depth = sizes_.depth;
  std::vector<int16_t> offsets(static_cast<size_t>(sizes_.rows * depth));
  Relative(Data<uint8_t>(call.input(0)), sizes_.rows * depth, in_.zero_point, offsets.data());
  const int16_t* x = offsets.data();
  sizes_.ForEach(pool, [&](int64_t row, int64_t unit, int64_t) {
    int64_t sum = 0;
    const int8_t* w = weights + unit / 4 * 4 * depth + unit % 4 * 16;
    for (int64_t i = 0; i < depth; i += 16) sum += IntegerDot(x + row * depth + i, w + i * 4, 16);
    stage_.Store(SumBlock<int64_t>{&sum, 1, row, 1, unit, 1});
  });
  return OkStatus();
}

}  // namespace tern
