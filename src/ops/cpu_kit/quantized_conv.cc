// SPDX-License-Identifier: Apache-2.0
// Operands of convolutions as integers, and the stages of their sums.
#include "ops/cpu_kit/quantized_conv.h"

#include <algorithm>
#include <cmath>

#include "ops/cpu_kit/integer_dot.h"
#include "ops/cpu_kit/small_integers.h"

namespace tern {
namespace {

// The kernels read whole vectors of channels.
constexpr size_t kSlack = 64;
// Sums of that many products of quantized floats fit 32 bits.
constexpr int64_t kMaxDynamicRangeDepth = 65000;

// Elements as numbers relative to a zero point.
void ReadRelative(const TfLiteTensor* t, TfLiteType type, int32_t zero_point,
                  std::vector<int16_t>& to) {
  const int64_t count = Elements(t);
  to.resize(static_cast<size_t>(count));
  switch (type) {
    case kTfLiteInt4:
      for (int64_t i = 0; i < count; ++i) to[i] = SmallIntegerAt(Data<uint8_t>(t), i, 4);
      return;
    case kTfLiteUInt8:
      return Relative(Data<uint8_t>(t), count, zero_point, to.data());
    case kTfLiteInt8:
      return Relative(Data<int8_t>(t), count, zero_point, to.data());
    default:
      std::copy_n(Data<int16_t>(t), count, to.data());
  }
}

template <class T>
std::vector<T> WithSlack(const T* from, int64_t count) {
  std::vector<T> to(static_cast<size_t>(count) + kSlack);
  if (from != nullptr) std::copy_n(from, count, to.begin());
  return to;
}

// One byte per element of the filter.
const int8_t* FilterBytes(const TfLiteTensor* filter, std::vector<int8_t>& unpacked) {
  if (filter->type != kTfLiteInt4) return Data<int8_t>(filter);
  unpacked.resize(static_cast<size_t>(Elements(filter)));
  for (size_t i = 0; i < unpacked.size(); ++i) {
    unpacked[i] = SmallIntegerAt(Data<uint8_t>(filter), static_cast<int64_t>(i), 4);
  }
  return unpacked.data();
}

}  // namespace

int64_t Dot(const int16_t* a, const int16_t* b, int64_t count) {
  return BlockedDot<256>(a, b, count);
}

Status QuantizedConv::Prepare(const ConvTensors& t, const Options& options) {
  starts_.clear();
  stage_ = {};
  filter_zero_ = 0;
  fast_chosen_ = false;
  dynamic_range_ = t.input->type == kTfLiteFloat32;
  return dynamic_range_ ? PrepareDynamicRange(t, options) : PrepareQuantized(t, options);
}

Status QuantizedConv::PrepareDynamicRange(const ConvTensors& t, const Options& options) {
  TERN_ASSIGN_OR_RETURN(scales_, ReadWeightScales(t.filter, t.channels(), t.filter_axis));
  if (t.filter->type == kTfLiteUInt8) {  // which the reference takes per tensor, always
    scales_.per_channel = false;
    scales_.first_only = true;
  }
  symmetric_ = !options.always_zero_point && !scales_.per_channel;
  stage_.form = OutputStage::Form::kFloat;
  stage_.float_range = ActivationRange(options.activation);
  stage_.per_column = true;
  return OkStatus();
}

Status QuantizedConv::PrepareQuantized(const ConvTensors& t, const Options& options) {
  TERN_ASSIGN_OR_RETURN(in_, QuantizationOf(t.input, "input"));
  TERN_ASSIGN_OR_RETURN(const Quantization out, QuantizationOf(t.output, "output"));
  const int64_t channels = t.channels();
  std::vector<Multiplier> multipliers(static_cast<size_t>(channels));
  if (t.input->type == kTfLiteUInt8) {
    TERN_ASSIGN_OR_RETURN(const Quantization filter, QuantizationOf(t.filter, "filter"));
    filter_zero_ = filter.zero_point;
    // Scales of UINT8 are multiplied as floats, those of INT8 as doubles.
    const double product = in_.scale * filter.scale;
    if (t.bias != nullptr) {
      const double off = std::fabs(product - double{t.bias->params.scale});
      if (!(off / double{out.scale} <= 0.02)) {
        return Invalid("scale of bias is not that of input times filter (", t.bias->params.scale,
                       ", ", product, ")");
      }
    }
    std::fill(multipliers.begin(), multipliers.end(), MakeMultiplier(product / out.scale));
  } else {
    TERN_ASSIGN_OR_RETURN(const std::vector<float> scales,
                          ChannelScales(t.filter, channels, t.filter_axis, "filter"));
    for (int64_t c = 0; c < channels; ++c) {
      multipliers[c] = MakeMultiplier(double{in_.scale} * double{scales[c]} / double{out.scale});
    }
  }
  stage_.form = OutputStage::Form::kFixedPoint;
  stage_.type = IntegerTypeOf(t.output->type);
  stage_.zero_point = out.zero_point;
  stage_.range = ActivationRange(options.activation, t.output->type, out);
  stage_.SetMultipliers(multipliers);
  if (t.input->type != kTfLiteInt16) return OkStatus();
  if (in_.zero_point != 0 || out.zero_point != 0) {
    return Invalid("zero points of INT16 must be 0 (", in_.zero_point, ", ", out.zero_point, ")");
  }
  stage_.wide = (t.bias == nullptr ? options.bias_type : t.bias->type) != kTfLiteInt32;
  for (const Multiplier& multiplier : multipliers) {
    if (stage_.wide) TERN_RETURN_IF_ERROR(CheckWideMultiplier(multiplier));
  }
  return OkStatus();
}

// A bias that the sums of the optimized kernel start from. That of INT16 is added after.
const int32_t* QuantizedConv::StartingBias(const ConvTensors& t) const {
  const bool starts = !dynamic_range_ && t.input->type != kTfLiteInt16 && t.bias != nullptr;
  return starts ? Data<int32_t>(t.bias) : nullptr;
}

// Gives the stage the operands of this run.
void QuantizedConv::SetStage(const ConvTensors& t, bool fast) {
  const int64_t channels = t.channels();
  stage_.output = t.output->data.raw;
  stage_.columns = channels;
  stage_.spread = {};
  stage_.UseKernel(fast);
  if (!dynamic_range_) {
    const bool lacks_bias = t.bias != nullptr && (!fast || StartingBias(t) == nullptr);
    stage_.bias = lacks_bias ? t.bias->data.raw : nullptr;
    stage_.long_bias = lacks_bias && t.bias->type == kTfLiteInt64;
    return;
  }
  UpdateScales(t.filter, scales_);
  channel_scales_ = WithSlack(scales_.scale.data(), channels);
  float_bias_ = WithSlack(t.bias == nullptr ? nullptr : Data<float>(t.bias), channels);
  stage_.scales = channel_scales_.data();
  stage_.float_bias = float_bias_.data();
  stage_.scale_rows = Elements(t.output) / channels / Dim(t.input, 0);
}

// ---- plain

void QuantizedConv::Load(const ConvTensors& t) {
  SetStage(t, /*fast=*/false);
  if (dynamic_range_) {
    const int64_t batch = Dim(t.input, 0);
    QuantizeItems(Data<float>(t.input), batch, Elements(t.input) / batch, symmetric_, items_);
    input_ = items_.values;
    stage_.row_scales = items_.scale.data();
  } else {
    ReadRelative(t.input, t.input->type, in_.zero_point, input_);
  }
  ReadRelative(t.filter, FilterType(t), filter_zero_, filter_);
}

// ---- fast

bool QuantizedConv::HasOptimizedKernel(const ConvTensors& t) const {
  const int64_t depth = Elements(t.filter) / t.channels();
  return GetIntegerKernels() != nullptr && (!dynamic_range_ || depth <= kMaxDynamicRangeDepth);
}

std::shared_ptr<const QuantizedConv::Matrices> QuantizedConv::MakeMatrices(
    const ConvTensors& t, std::span<const ConvPart> parts, ThreadPool* pool) const {
  std::vector<int8_t> unpacked, chosen;
  const int8_t* filter = FilterBytes(t.filter, unpacked);
  const bool is_unsigned = FilterType(t) == kTfLiteUInt8, shorts = t.input->type == kTfLiteInt16;
  auto matrices = std::make_shared<Matrices>();
  for (const ConvPart& part : parts) {
    const ConvShape& shape = part.shape;
    const int8_t* weights = filter;
    if (!part.taps.empty()) {
      chosen = TapsOf(part, filter, Elements(t.filter) / t.channels() / shape.group_in);
      weights = chosen.data();
    }
    matrices->push_back(IntegerMatrix::Pack({weights, is_unsigned, shape.groups, shape.group_out,
                                             shape.Depth(), part.transposed, shorts, filter_zero_},
                                            pool));
    if (matrices->back() == nullptr) return nullptr;
  }
  return matrices;
}

const QuantizedConv::Matrices* QuantizedConv::GetMatrices(const ConvTensors& t,
                                                          std::span<const ConvPart> parts,
                                                          ThreadPool* pool) {
  if (!HasOptimizedKernel(t)) return nullptr;
  const WeightBytes bytes[] = {{t.filter->data.raw, t.filter->bytes}};
  std::vector<int64_t> parameters = {FilterType(t), t.input->type, filter_zero_};
  for (const ConvPart& part : parts) {
    const ConvShape& shape = part.shape;
    parameters.insert(parameters.end(),
                      {shape.groups, shape.group_out, shape.Depth(), part.transposed});
    parameters.insert(parameters.end(), part.taps.begin(), part.taps.end());
  }
  return matrices_.Get(IsConstant(t.filter), bytes, parameters,
                       [&] { return MakeMatrices(t, parts, pool); });
}

const DepthwiseWeights* QuantizedConv::GetDepthwise(const ConvTensors& t, const ConvShape& shape) {
  const int64_t taps = shape.Depth(), channels = t.channels();
  if (!HasOptimizedKernel(t) || taps > kMaxDepthwiseTaps) return nullptr;
  const WeightBytes bytes[] = {{t.filter->data.raw, t.filter->bytes}};
  const int64_t parameters[] = {taps, channels, filter_zero_, FilterType(t)};
  return depthwise_.Get(IsConstant(t.filter), bytes, parameters, [&] {
    std::vector<int16_t> weights;
    ReadRelative(t.filter, FilterType(t), filter_zero_, weights);
    return tern::PackDepthwise(weights.data(), taps, channels);
  });
}

// From the range of sums by channel: a product lies within 2^16, or 2^15 for an INT8 filter.
void QuantizedConv::ChooseFusedForms(const ConvTensors& t) {
  const bool constant = t.bias == nullptr || IsConstant(t.bias);
  if (t.input->type == kTfLiteInt16 || (constant && fast_chosen_)) return;
  fast_chosen_ = true;
  const int64_t depth = Elements(t.filter) / t.channels();
  stage_.ChooseFusedForms(depth << (t.filter->type == kTfLiteUInt8 ? 16 : 15), StartingBias(t));
}

template <class Run>
bool QuantizedConv::ForEachImage(const ConvTensors& t, ThreadPool* pool, const Run& run) {
  SetStage(t, /*fast=*/true);
  if (!dynamic_range_) {
    ChooseFusedForms(t);
    return run(Left(t));
  }
  const int64_t batch = Dim(t.input, 0), size = Elements(t.input) / batch;
  QuantizeItemsToBytes(Data<float>(t.input), batch, size, symmetric_, items_, pool);
  for (int64_t item = 0; item < batch; ++item) {
    const auto at = static_cast<size_t>(item);
    stage_.output = MutableData<float>(t.output) + item * stage_.scale_rows * stage_.columns;
    stage_.row_scales = &items_.scale[at];
    const int8_t* image = items_.bytes.data() + item * size;
    if (!run(LeftView{{}, image, IntegerType::kInt8, items_.zero_point[at]})) return false;
  }
  return true;
}

const int32_t* QuantizedConv::StartsOf(const ConvTensors& t, size_t part,
                                       const std::vector<int32_t>& sums, int32_t zero_point) {
  if (starts_.size() <= part) starts_.resize(part + 1);
  Starts& starts = starts_[part];
  if (starts.sums != sums.data()) {
    const bool constant =
        !dynamic_range_ && IsConstant(t.filter) && (t.bias == nullptr || IsConstant(t.bias));
    starts = {constant ? sums.data() : nullptr, SumStarts(sums, StartingBias(t), zero_point)};
  }
  return starts.values.data();
}

bool QuantizedConv::PackParts(const ConvTensors& t, std::span<const ConvPart> parts,
                              ThreadPool* pool) {
  const Matrices* matrices = GetMatrices(t, parts, pool);
  if (matrices == nullptr) return false;
  if (dynamic_range_) return true;
  ChooseFusedForms(t);
  LeftView left = Left(t);
  for (size_t i = 0; i < parts.size(); ++i) {
    const IntegerMatrix& matrix = *(*matrices)[i];
    left.shape = parts[i].shape;
    StartsOf(t, i, matrix.sums(), MatrixZeroPoint(matrix, left));
  }
  return true;
}

bool QuantizedConv::RunParts(const ConvTensors& t, std::span<const ConvPart> parts,
                             ThreadPool* pool) {
  const Matrices* matrices = GetMatrices(t, parts, pool);
  if (matrices == nullptr) return false;
  return ForEachImage(t, pool, [&](LeftView left) {
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].shape.OutPixels() == 0) continue;
      const IntegerMatrix& matrix = *(*matrices)[i];
      left.shape = parts[i].shape;
      if (dynamic_range_) left.shape.batch = 1;
      stage_.spread = parts[i].spread;
      stage_.starts = StartsOf(t, i, matrix.sums(), MatrixZeroPoint(matrix, left));
      if (!MatMul{left, matrix, stage_}.Run(pool)) return false;
    }
    return true;
  });
}

bool QuantizedConv::PackConv(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool) {
  const ConvPart all = {shape};
  return PackParts(t, {&all, 1}, pool);
}

bool QuantizedConv::RunConv(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool) {
  const ConvPart all = {shape};
  return RunParts(t, {&all, 1}, pool);
}

// One input channel makes a usual convolution, but that the filter lies the other way round.
bool QuantizedConv::PackDepthwise(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool) {
  if (shape.groups > 1) {
    const DepthwiseWeights* weights = GetDepthwise(t, shape);
    if (weights == nullptr) return false;
    if (dynamic_range_) return true;
    ChooseFusedForms(t);
    StartsOf(t, 0, weights->sums, in_.zero_point);
    return true;
  }
  const ConvPart all = {.shape = shape, .transposed = true};
  return PackParts(t, {&all, 1}, pool);
}

bool QuantizedConv::RunDepthwise(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool) {
  if (shape.groups == 1) {
    const ConvPart all = {.shape = shape, .transposed = true};
    return RunParts(t, {&all, 1}, pool);
  }
  const DepthwiseWeights* weights = GetDepthwise(t, shape);
  return weights != nullptr && ForEachImage(t, pool, [&](LeftView left) {
           left.shape = shape;
           if (dynamic_range_) left.shape.batch = 1;
           stage_.starts = StartsOf(t, 0, weights->sums, left.zero_point);
           return RunIntegerDepthwise(left, *weights, stage_, pool);
         });
}

}  // namespace tern
