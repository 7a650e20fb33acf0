// SPDX-License-Identifier: Apache-2.0
// sum((x - zero x) * (w - zero w)) = sum((x - zero x) * w) - zero w * sum(x - zero x); then the
// bias, the scales, and the output's zero point.
#include "ops/fully_connected/quantized_rows.h"

#include <algorithm>
#include <cmath>

#include "base/tensor/sparse_tensor.h"
#include "cpu/packed_cache.h"
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

// The kernels read whole vectors of units.
constexpr size_t kRowSlack = 16;

bool HasSeveralScales(const TfLiteTensor* t) {
  if (t->quantization.type != kTfLiteAffineQuantization) return false;
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(t->quantization.params);
  return affine != nullptr && affine->scale != nullptr && affine->scale->size > 1;
}

// Only an INT64 bias is large enough to leave 64 bits.
int64_t SaturatingSum(int64_t a, int64_t b) {
  if (b > 0 && a > INT64_MAX - b) return INT64_MAX;
  if (b < 0 && a < INT64_MIN - b) return INT64_MIN;
  return a + b;
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
  factors_.clear();
  for (const float scale : scales) {
    factors_.push_back(double{in_.scale} * double{scale} / double{out_.scale});
  }
  several_scales_ = factors_.size() > 1;
  if (several_scales_) factors_.resize(factors_.size() + kRowSlack);
  const auto& params = call.params<TfLiteFullyConnectedParams>();
  range_ = ActivationRange(params.activation, output->type, out_);
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
  multipliers_.clear();
  if (several_scales_) {
    for (int64_t unit = 0; unit < sizes_.units; ++unit) {
      multipliers_.push_back(MakeMultiplier(factors_[unit]));
    }
  } else {
    multipliers_.push_back(WholeMultiplier(call));
  }
  for (const Multiplier& m : multipliers_) TERN_RETURN_IF_ERROR(CheckWideMultiplier(m));
  return OkStatus();
}

// With one scale for all weights, the bias must have the scale of the products, more or less.
Status QuantizedRows::CheckBiasScale(const OpCall& call) const {
  const TfLiteTensor *weights = call.input(1), *bias = call.input(2);
  if (bias == nullptr || !QuantizationOf(weights, "weights").ok()) return OkStatus();
  const StatusOr<Quantization> q = QuantizationOf(bias, "bias");
  if (!q.ok()) return OkStatus();
  if (sizes_.units == 0) return OkStatus();
  const double product = factors_[0] * double{out_.scale};
  const double distance = std::fabs(product - double{q->scale});
  if (distance / double{out_.scale} <= 0.02) return OkStatus();
  return Invalid("the bias has another scale than the products (", q->scale, ", ", product, ")");
}

Status QuantizedRows::Prepare(const OpCall& call, const RowsByUnits& sizes) {
  TERN_RETURN_IF_ERROR(CheckRowTypes(call));
  sizes_ = sizes;
  numbers_.Forget();
  if (!KeepsPacked(call)) matrix_.reset();
  TERN_RETURN_IF_ERROR(ReadQuantization(call));
  TERN_RETURN_IF_ERROR(CheckBiasScale(call));
  const TfLiteTensor *input = call.input(0), *bias = call.input(2);
  fixed_point_ = call.input(1)->type == kTfLiteInt16;
  const bool wide = input->type == kTfLiteInt16;
  short_sums_ = !wide || (bias != nullptr && bias->type == kTfLiteInt32 && !fixed_point_);
  return fixed_point_ ? SetMultipliers(call) : OkStatus();
}

const int16_t* QuantizedRows::Offsets(const TfLiteTensor* input) {
  const int64_t count = Elements(input);
  const int16_t* offsets = Data<int16_t>(input);
  if (input->type != kTfLiteInt16) {
    offsets_.resize(static_cast<size_t>(count));
    if (input->type == kTfLiteInt8) {
      Relative(Data<int8_t>(input), count, in_.zero_point, offsets_.data());
    } else {
      Relative(Data<uint8_t>(input), count, in_.zero_point, offsets_.data());
    }
    offsets = offsets_.data();
  }
  row_sums_.assign(static_cast<size_t>(sizes_.rows), 0);
  for (int64_t row = 0; weight_zero_ != 0 && row < sizes_.rows; ++row) {
    row_sums_[row] = IntegerSum(offsets + row * sizes_.depth, sizes_.depth);
  }
  return offsets;
}

int64_t QuantizedRows::BiasOf(const TfLiteTensor* bias, int64_t unit) const {
  if (bias == nullptr) return 0;
  return bias->type == kTfLiteInt64 ? Data<int64_t>(bias)[unit] : Data<int32_t>(bias)[unit];
}

int32_t QuantizedRows::Scaled(int64_t sum, int64_t unit) const {
  const int64_t scale = several_scales_ ? unit : 0;
  if (fixed_point_) return range_.Clamp(ScaleWide(sum, multipliers_[scale]));
  if (short_sums_) sum = static_cast<int32_t>(sum);
  const int64_t scaled = RoundToInt32(static_cast<double>(sum) * factors_[scale]);
  const int64_t shifted = scaled + out_.zero_point;
  return static_cast<int32_t>(std::clamp<int64_t>(shifted, range_.min, range_.max));
}

template <class T>
void QuantizedRows::Write(const OpCall& call, const DotRun& run, T* to) const {
  const int64_t less = weight_zero_ * row_sums_[run.row];
  int64_t unit = run.first_unit;
  to += run.row * sizes_.units + unit;
  for (const int64_t sum : run.sums) {
    *to++ = static_cast<T>(Scaled(SaturatingSum(sum - less, BiasOf(call.input(2), unit)), unit));
    ++unit;
  }
}

void QuantizedRows::WriteShort(const OpCall& call, const DotRun& run) const {
  constexpr size_t kMost = 512;
  int32_t sums[kMost + kRowSlack] = {};
  const int64_t less = weight_zero_ * row_sums_[run.row];
  for (size_t begin = 0; begin < run.sums.size(); begin += kMost) {
    const size_t count = std::min(kMost, run.sums.size() - begin);
    const int64_t* from = run.sums.data() + begin;
    for (size_t i = 0; i < count; ++i) sums[i] = static_cast<int32_t>(from[i] - less);
    WriteBytes(call, {run.row, run.first_unit + static_cast<int64_t>(begin), {sums, count}});
  }
}

void QuantizedRows::WriteBytes(const OpCall& call, const ByteDotRun& run) const {
  if (call.input(2) != nullptr) {
    const int32_t* bias = Data<int32_t>(call.input(2)) + run.first_unit;
    for (int32_t& sum : run.sums) {
      sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(*bias++));
    }
  }
  WriteBlock(call, {run.sums.data(), nullptr, 0, run.row, 1, run.first_unit,
                    static_cast<int64_t>(run.sums.size())});
}

void QuantizedRows::WriteBlock(const OpCall& call, const SumBlock& block) const {
  TfLiteTensor* output = call.output(0);
  const int64_t at = block.first_row * sizes_.units + block.first_column;
  GetIntegerKernels()->requantize_real(
      block.sums, block.stride, block.rows, block.columns,
      {factors_.data() + (several_scales_ ? block.first_column : 0), !several_scales_,
       out_.zero_point, range_.min, range_.max},
      IntegerTypeOf(output->type), output->data.raw + at * ElementBytes(output->type),
      sizes_.units);
}

// Straight from the weights as they lie.
template <class W>
void QuantizedRows::EvalDots(const OpCall& call, const W* weights, bool fast, ThreadPool* pool) {
  const int16_t* x = Offsets(call.input(0));
  TfLiteTensor* output = call.output(0);
  const bool by_kernel = fast && short_sums_ && !fixed_point_ && GetIntegerKernels() != nullptr;
  ForEachDotRun(sizes_.rows, sizes_.units, sizes_.depth, x, weights, fast, pool,
                [&](const DotRun& run) {
                  if (by_kernel) return WriteShort(call, run);
                  switch (output->type) {
                    case kTfLiteInt16:
                      return Write(call, run, MutableData<int16_t>(output));
                    case kTfLiteInt8:
                      return Write(call, run, MutableData<int8_t>(output));
                    default:
                      return Write(call, run, MutableData<uint8_t>(output));
                  }
                });
}

void QuantizedRows::EvalByteDots(const OpCall& call, const int8_t* weights, ThreadPool* pool) {
  ForEachByteDotRun(
      sizes_.rows, sizes_.units, sizes_.depth, Data<int8_t>(call.input(0)),
      [&](int64_t) { return in_.zero_point; }, weights, pool,
      [&](const ByteDotRun& run) { WriteBytes(call, run); });
}

std::shared_ptr<const IntegerMatrix> QuantizedRows::MakeMatrix(const OpCall& call,
                                                               const int8_t* weights,
                                                               ThreadPool* pool) const {
  const TfLiteTensor* from = call.input(1);
  const bool is_unsigned = from->type == kTfLiteUInt8;
  const auto make = [&] {
    return IntegerMatrix::Pack({weights, is_unsigned, 1, sizes_.units, sizes_.depth}, pool);
  };
  // The bytes of sparse weights do not say where they belong.
  if (IsSparse(from)) return make();
  const WeightBytes bytes[] = {{from->data.raw, from->bytes}};
  const int64_t parameters[] = {sizes_.units, sizes_.depth, is_unsigned};
  return FindOrPack<IntegerMatrix>(bytes, parameters, make);
}

bool QuantizedRows::EvalPacked(const OpCall& call, const int8_t* weights, ThreadPool* pool) {
  const TfLiteTensor *input = call.input(0), *bias = call.input(2);
  if (matrix_ == nullptr) matrix_ = MakeMatrix(call, weights, pool);
  if (matrix_ == nullptr) return false;
  ConvShape shape;
  shape.group_in = sizes_.depth;
  shape.group_out = sizes_.units;
  shape.height.in = shape.height.out = 1;
  shape.width.in = shape.width.out = sizes_.rows;
  const IntegerImage image = {input->data.raw, IntegerTypeOf(input->type), in_.zero_point};
  const std::vector<int32_t> starts =
      SumStarts(matrix_->sums(), bias == nullptr ? nullptr : Data<int32_t>(bias),
                MatrixZeroPoint(*matrix_, image));
  const int32_t flip = call.input(1)->type == kTfLiteUInt8 ? 128 : 0;
  return RunIntegerConv(
      shape, *matrix_, image, weight_zero_ - flip, starts.data(),
      [&](const SumBlock& block) { WriteBlock(call, block); }, pool);
}

bool QuantizedRows::SuitsPacking(const OpCall& call) const {
  constexpr int64_t kRowsWorthPacking = 6;
  return !fixed_point_ && sizes_.rows >= kRowsWorthPacking && IsConstant(call.input(1)) &&
         call.input(0)->type != kTfLiteInt16;
}

void QuantizedRows::Pack(const OpCall& call, ThreadPool* pool) {
  if (!SuitsPacking(call)) return;
  const StatusOr<const int8_t*> numbers = numbers_.Get(call.input(1), "weights");
  if (numbers.ok()) matrix_ = MakeMatrix(call, *numbers, pool);
}

Status QuantizedRows::Eval(const OpCall& call, bool fast, ThreadPool* pool) {
  const TfLiteTensor *input = call.input(0), *weights = call.input(1);
  if (fixed_point_) {
    TERN_RETURN_IF_ERROR(CheckData(weights, "weights"));
    EvalDots(call, Data<int16_t>(weights), fast, pool);
    return OkStatus();
  }
  TERN_ASSIGN_OR_RETURN(const int8_t* numbers, numbers_.Get(weights, "weights"));
  if (fast && SuitsPacking(call) && EvalPacked(call, numbers, pool)) return OkStatus();
  const bool bytes = input->type == kTfLiteInt8 && weight_zero_ == 0;
  if (fast && bytes && SuitsByteDots(sizes_.depth)) {
    EvalByteDots(call, numbers, pool);
  } else if (weights->type == kTfLiteUInt8) {
    EvalDots(call, reinterpret_cast<const uint8_t*>(numbers), fast, pool);
  } else {
    EvalDots(call, numbers, fast, pool);
  }
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
  multipliers_ = {WholeMultiplier(call)};
  in_.zero_point = 128;
  weight_zero_ = 0;
  return OkStatus();
}

Status QuantizedRows::EvalShuffled(const OpCall& call, ThreadPool* pool) {
  TERN_ASSIGN_OR_RETURN(const int8_t* weights, numbers_.Get(call.input(1), "weights"));
  const int16_t* x = Offsets(call.input(0));
  const int32_t* bias = Data<int32_t>(call.input(2));
  auto* output = MutableData<int16_t>(call.output(0));
  const int64_t depth = sizes_.depth;
  sizes_.ForEach(pool, [&](int64_t row, int64_t unit, int64_t at) {
    int64_t sum = bias[unit];
    const int8_t* w = weights + unit / 4 * 4 * depth + unit % 4 * 16;
    for (int64_t i = 0; i < depth; i += 16) sum += IntegerDot(x + row * depth + i, w + i * 4, 16);
    output[at] =
        static_cast<int16_t>(range_.Clamp(Scale(static_cast<int32_t>(sum), multipliers_[0])));
  });
  return OkStatus();
}

}  // namespace tern
