// SPDX-License-Identifier: Apache-2.0
// Each row of activations is quantized around a zero point, whatever the node's options say; the
// sum of a block is an integer, those of blocks are added up after their scales.
#include "ops/fully_connected/blockwise_rows.h"

#include "base/tensor/sparse_tensor.h"
#include "ops/cpu_kit/integer_dot.h"

namespace tern {

Status BlockwiseRows::Prepare(const OpCall& call, const RowsByUnits& sizes) {
  const TfLiteTensor* weights = call.input(1);
  sizes_ = sizes;
  numbers_.Forget();
  if (!KeepsPacked(call)) matrix_.Forget();
  range_ = ActivationRange(call.params<TfLiteFullyConnectedParams>().activation);
  TERN_ASSIGN_OR_RETURN(scales_,
                        BlockScales::Of(call, weights, sizes.units, sizes.depth, "weights"));
  return OkStatus();
}

bool BlockwiseRows::SuitsPacking(const OpCall& call) const {
  const TfLiteTensor* weights = call.input(1);
  return IsConstant(weights) && !IsSparse(weights) &&
         BlockMatrix::Suits(SmallIntegerBits(weights->type), sizes_.depth, scales_.block());
}

const BlockMatrix* BlockwiseRows::Matrix(const OpCall& call, ThreadPool* pool) {
  const TfLiteTensor *weights = call.input(1), *scales = scales_.tensor();
  if (!CheckData(weights, "weights").ok() || !CheckData(scales, "scales").ok()) return nullptr;
  const BlockMatrix::Source source = {
      Data<uint8_t>(weights), SmallIntegerBits(weights->type),
      sizes_.units,           sizes_.depth,
      scales_.block(),        [&](int64_t unit, int64_t block) { return scales_.At(unit, block); }};
  const WeightBytes bytes[] = {{weights->data.raw, weights->bytes},
                               {scales->data.raw, scales->bytes}};
  const int64_t parameters[] = {source.bits, source.units, source.depth, source.block,
                                scales->type};
  return matrix_.Get(/*constant=*/true, bytes, parameters,
                     [&] { return BlockMatrix::Pack(source, pool); });
}

void BlockwiseRows::Pack(const OpCall& call, ThreadPool* pool) {
  if (SuitsPacking(call)) Matrix(call, pool);
}

bool BlockwiseRows::EvalPacked(const OpCall& call, ThreadPool* pool) {
  const BlockMatrix* matrix = Matrix(call, pool);
  if (matrix == nullptr) return false;
  const TfLiteTensor* bias = call.input(2);
  QuantizeItemsToBytes(Data<float>(call.input(0)), sizes_.rows, sizes_.depth,
                       /*symmetric=*/false, items_, pool);
  return matrix->Multiply(
      {items_.bytes.data(), items_.scale.data(), items_.zero_point.data(), sizes_.rows},
      bias == nullptr ? nullptr : Data<float>(bias), range_.min, range_.max,
      MutableData<float>(call.output(0)), pool);
}

Status BlockwiseRows::Eval(const OpCall& call, bool fast, ThreadPool* pool) {
  TERN_RETURN_IF_ERROR(CheckData(scales_.tensor(), "scales"));
  if (fast && SuitsPacking(call) && EvalPacked(call, pool)) return OkStatus();
  TERN_ASSIGN_OR_RETURN(const int8_t* weights, numbers_.Get(call.input(1), "weights"));
  QuantizeItems(Data<float>(call.input(0)), sizes_.rows, sizes_.depth, /*symmetric=*/false, items_);
  const float* bias = call.input(2) == nullptr ? nullptr : Data<float>(call.input(2));
  float* out = MutableData<float>(call.output(0));
  const int64_t depth = sizes_.depth, block = scales_.block();
  sizes_.ForEach(pool, [&, weights](int64_t row, int64_t unit, int64_t at) {
    const int16_t* x = items_.values.data() + row * depth;
    const int8_t* w = weights + unit * depth;
    double sum = 0;
    for (int64_t b = 0; b < scales_.count(); ++b) {
      const int64_t products = IntegerDot(x + b * block, w + b * block, block);
      sum += static_cast<double>(products) * scales_.At(unit, b);
    }
    sum *= items_.scale[row];
    if (bias != nullptr) sum += bias[unit];
    out[at] = range_.Clamp(static_cast<float>(sum));
  });
  return OkStatus();
}

}  // namespace tern
