// SPDX-License-Identifier: Apache-2.0
// Operands of convolutions as integers, and what sums of their products become.
#include "ops/cpu_kit/quantized_conv.h"

#include <algorithm>
#include <cmath>

#include "cpu/packed_cache.h"
#include "ops/cpu_kit/integer_dot.h"
#include "ops/cpu_kit/small_integers.h"

namespace tern {
namespace {

// The kernels read whole vectors of channels.
constexpr size_t kSlack = 64;
// Sums of that many products of quantized floats fit 32 bits.
constexpr int64_t kMostHybridDepth = 65000;

// Elements as numbers relative to a zero point. In a hybrid convolution bytes of a UINT8 filter are
// INT8.
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

}  // namespace

int64_t Dot(const int16_t* a, const int16_t* b, int64_t count) {
  return BlockedDot<256>(a, b, count);
}

Status QuantizedConv::Prepare(const ConvTensors& t, const Options& options) {
  packed_ = nullptr;
  starts_.clear();
  hybrid_ = t.input->type == kTfLiteFloat32;
  if (!hybrid_) return PrepareQuantized(t, options);
  float_range_ = ActivationRange(options.activation);
  TERN_RETURN_IF_ERROR(PrepareHybrid(t));
  symmetric_ = !options.always_zero_point && !scales_.per_channel;
  return OkStatus();
}

Status QuantizedConv::PrepareHybrid(const ConvTensors& t) {
  filter_zero_ = 0;
  TERN_ASSIGN_OR_RETURN(scales_, ReadWeightScales(t.filter, t.channels(), t.filter_axis));
  if (t.filter->type == kTfLiteUInt8) {  // which the reference takes per tensor, always
    scales_.per_channel = false;
    scales_.first_only = true;
  }
  return OkStatus();
}

Status QuantizedConv::PrepareQuantized(const ConvTensors& t, const Options& options) {
  TERN_ASSIGN_OR_RETURN(in_, QuantizationOf(t.input, "input"));
  TERN_ASSIGN_OR_RETURN(out_, QuantizationOf(t.output, "output"));
  const int64_t channels = t.channels();
  multipliers_.assign(static_cast<size_t>(channels), {});
  filter_zero_ = 0;
  wide_ = false;
  if (t.input->type == kTfLiteUInt8) {
    TERN_ASSIGN_OR_RETURN(const Quantization filter, QuantizationOf(t.filter, "filter"));
    filter_zero_ = filter.zero_point;
    // This product is one of floats, unlike those below.
    const double product = in_.scale * filter.scale;
    if (t.bias != nullptr) {
      const double off = std::fabs(product - double{t.bias->params.scale});
      if (!(off / double{out_.scale} <= 0.02)) {
        return Invalid("scale of bias is not that of input times filter (", t.bias->params.scale,
                       ", ", product, ")");
      }
    }
    std::fill(multipliers_.begin(), multipliers_.end(), MakeMultiplier(product / out_.scale));
  } else {
    TERN_ASSIGN_OR_RETURN(const std::vector<float> scales,
                          ChannelScales(t.filter, channels, t.filter_axis, "filter"));
    for (int64_t c = 0; c < channels; ++c) {
      multipliers_[c] = MakeMultiplier(double{in_.scale} * double{scales[c]} / double{out_.scale});
    }
  }
  values_ = lefts_ = rights_ = std::vector<int32_t>(multipliers_.size() + kSlack);
  any_left_ = fast_chosen_ = false;
  for (size_t c = 0; c < multipliers_.size(); ++c) {
    values_[c] = multipliers_[c].value;
    lefts_[c] = std::max(0, multipliers_[c].shift) & 31;
    rights_[c] = std::max(0, -multipliers_[c].shift);
    any_left_ |= lefts_[c] != 0;
  }
  range_ = ActivationRange(options.activation, t.output->type, out_);
  if (t.input->type != kTfLiteInt16) return OkStatus();
  if (in_.zero_point != 0 || out_.zero_point != 0) {
    return Invalid("zero points of INT16 must be 0 (", in_.zero_point, ", ", out_.zero_point, ")");
  }
  wide_ = (t.bias == nullptr ? options.bias_type : t.bias->type) != kTfLiteInt32;
  for (const Multiplier& multiplier : multipliers_) {
    if (wide_) TERN_RETURN_IF_ERROR(CheckWideMultiplier(multiplier));
  }
  return OkStatus();
}

// ---- plain

void QuantizedConv::Load(const ConvTensors& t) {
  if (hybrid_) {
    UpdateScales(t.filter, scales_);
    const int64_t batch = Dim(t.input, 0);
    QuantizeItems(Data<float>(t.input), batch, Elements(t.input) / batch, symmetric_, items_);
    input_ = items_.values;
  } else {
    ReadRelative(t.input, t.input->type, in_.zero_point, input_);
  }
  const bool bytes = hybrid_ && t.filter->type == kTfLiteUInt8;
  ReadRelative(t.filter, bytes ? kTfLiteInt8 : t.filter->type, filter_zero_, filter_);
}

template <class Sum, class Out, class Bias>
void QuantizedConv::Requantize(const ConvTensors& t, const Sum* sums, const SumBlock& block) const {
  const int64_t channels = t.channels();
  const Bias* bias = t.bias == nullptr ? nullptr : Data<Bias>(t.bias) + block.first_column;
  Out* out = MutableData<Out>(t.output) + block.first_row * channels + block.first_column;
  const Multiplier* multipliers = multipliers_.data() + block.first_column;
  for (int64_t p = 0; p < block.rows; ++p, sums += block.stride, out += channels) {
    for (int64_t c = 0; c < block.columns; ++c) {
      auto sum = static_cast<int64_t>(sums[c]);
      int64_t scaled = 0;
      if (wide_) {
        if (bias != nullptr) sum += std::clamp<int64_t>(bias[c], -kLargestWideSum, kLargestWideSum);
        scaled = ScaleWide(sum, multipliers[c]);
      } else {
        // Sums of 32 bits wrap.
        const auto add = bias == nullptr ? 0 : static_cast<uint32_t>(bias[c]);
        scaled = Scale(static_cast<int32_t>(static_cast<uint32_t>(sum) + add), multipliers[c]);
      }
      out[c] =
          static_cast<Out>(std::clamp<int64_t>(scaled + out_.zero_point, range_.min, range_.max));
    }
  }
}

template <class Sum>
void QuantizedConv::StorePlain(const ConvTensors& t, const Sum* sums, const SumBlock& block,
                               int64_t item) const {
  if (t.output->type == kTfLiteUInt8) return Requantize<Sum, uint8_t, int32_t>(t, sums, block);
  if (t.output->type == kTfLiteInt8) return Requantize<Sum, int8_t, int32_t>(t, sums, block);
  if (t.output->type == kTfLiteInt16) {
    const bool bias64 = t.bias != nullptr && t.bias->type == kTfLiteInt64;
    return bias64 ? Requantize<Sum, int16_t, int64_t>(t, sums, block)
                  : Requantize<Sum, int16_t, int32_t>(t, sums, block);
  }
  const float* bias = t.bias == nullptr ? nullptr : Data<float>(t.bias);
  float* out = MutableData<float>(t.output) + block.first_row * t.channels();
  const float scale = items_.scale[static_cast<size_t>(item)];
  for (int64_t c = 0; c < t.channels(); ++c) {
    const float value = static_cast<float>(sums[c]) * (scale * scales_.scale[c]);
    out[c] = float_range_.Clamp(value + (bias == nullptr ? 0.0f : bias[c]));
  }
}

void QuantizedConv::Store(const ConvTensors& t, const int64_t* sums, int64_t pixel,
                          int64_t pixels) const {
  const int64_t channels = t.channels();
  StorePlain(t, sums, {nullptr, sums, channels, pixel, 1, 0, channels}, pixel / pixels);
}

// ---- fast

// `block` counts output pixels within an item of a hybrid batch, or within the whole batch.
void QuantizedConv::StoreBlock(const ConvTensors& t, const SumBlock& block, int64_t item,
                               int64_t pixels) const {
  const IntegerKernels& kernels = *GetIntegerKernels();
  const int64_t channels = t.channels(), c = block.first_column;
  const int64_t at = (item * pixels + block.first_row) * channels + c;
  if (hybrid_) {
    const HybridScale how = {channel_scales_.data() + c, float_bias_.data() + c, float_range_.min,
                             float_range_.max};
    kernels.dequantize(block.sums, block.stride, block.rows, block.columns, how,
                       items_.scale[static_cast<size_t>(item)], MutableData<float>(t.output) + at,
                       channels);
  } else if (t.output->type == kTfLiteInt16) {
    if (block.wide != nullptr) return StorePlain(t, block.wide, block, 0);
    StorePlain(t, block.sums, block, 0);
  } else {
    const Requantization how = {values_.data() + c,
                                lefts_.data() + c,
                                rights_.data() + c,
                                any_left_,
                                out_.zero_point,
                                range_.min,
                                range_.max,
                                fast_values_.data() + c,
                                fast_rights_.data() + c,
                                fast_starts_.data() + c};
    kernels.requantize(block.sums, block.stride, block.rows, block.columns, how,
                       IntegerTypeOf(t.output->type), MutableData<uint8_t>(t.output) + at,
                       channels);
  }
}

// A bias that the sums start from. That of INT16 is added after.
const int32_t* QuantizedConv::Bias32(const ConvTensors& t) const {
  const bool starts = !hybrid_ && t.input->type != kTfLiteInt16 && t.bias != nullptr;
  return starts ? Data<int32_t>(t.bias) : nullptr;
}

bool QuantizedConv::IsPacked(const ConvTensors& t, const void* packed) const {
  return packed != nullptr && IsConstant(t.filter) && packed_ == t.filter->data.raw;
}

template <class T, class Make>
bool QuantizedConv::Pack(const ConvTensors& t, const std::vector<int64_t>& parameters,
                         std::shared_ptr<const T>& packed, const Make& make) {
  starts_.clear();
  if (IsConstant(t.filter)) {
    const WeightBytes bytes[] = {{t.filter->data.raw, t.filter->bytes}};
    packed = FindOrPack<T>(bytes, parameters, make);
  } else {
    packed = make();
  }
  packed_ = t.filter->data.raw;
  return packed != nullptr;
}

bool QuantizedConv::HasFastForm(const ConvTensors& t) const {
  const int64_t depth = Elements(t.filter) / t.channels();
  return GetIntegerKernels() != nullptr && (!hybrid_ || depth <= kMostHybridDepth);
}

// From what the sums of each channel can be: a product lies within 2^16, or 2^15 for an INT8
// filter.
void QuantizedConv::ChooseFastStore(const ConvTensors& t) {
  const bool constant = t.bias == nullptr || IsConstant(t.bias);
  if (hybrid_ || t.input->type == kTfLiteInt16 || (constant && fast_chosen_)) return;
  fast_chosen_ = true;
  const int64_t depth = Elements(t.filter) / t.channels();
  const int64_t most = depth << (t.filter->type == kTfLiteUInt8 ? 16 : 15);
  const int32_t* bias = Bias32(t);
  fast_values_ = fast_rights_ = std::vector<int32_t>(values_.size());
  fast_starts_.assign(values_.size(), 0);
  for (size_t c = 0; c < multipliers_.size(); ++c) {
    const int64_t start = bias == nullptr ? 0 : bias[c];
    const FastRequantization fast =
        FastForm(multipliers_[c], start - most, start + most, out_.zero_point, range_);
    fast_values_[c] = fast.value;
    fast_rights_[c] = fast.right;
    fast_starts_[c] = fast.start;
  }
}

// One byte per element of the filter.
const int8_t* QuantizedConv::FilterBytes(const ConvTensors& t,
                                         std::vector<int8_t>& unpacked) const {
  if (t.filter->type != kTfLiteInt4) return Data<int8_t>(t.filter);
  unpacked.resize(static_cast<size_t>(Elements(t.filter)));
  for (size_t i = 0; i < unpacked.size(); ++i) {
    unpacked[i] = SmallIntegerAt(Data<uint8_t>(t.filter), static_cast<int64_t>(i), 4);
  }
  return unpacked.data();
}

template <class Run>
bool QuantizedConv::ForEachImage(const ConvTensors& t, ThreadPool* pool, const Run& run) {
  ChooseFastStore(t);
  if (!hybrid_) {
    return run(IntegerImage{t.input->data.raw, IntegerTypeOf(t.input->type), in_.zero_point}, 0);
  }
  UpdateScales(t.filter, scales_);
  channel_scales_ = WithSlack(scales_.scale.data(), t.channels());
  float_bias_ = WithSlack(t.bias == nullptr ? nullptr : Data<float>(t.bias), t.channels());
  const int64_t batch = Dim(t.input, 0), size = Elements(t.input) / batch;
  QuantizeItemsToBytes(Data<float>(t.input), batch, size, symmetric_, items_, pool);
  for (int64_t item = 0; item < batch; ++item) {
    const IntegerImage image = {items_.bytes.data() + item * size, IntegerType::kInt8,
                                items_.zero_point[static_cast<size_t>(item)]};
    if (!run(image, item)) return false;
  }
  return true;
}

const int32_t* QuantizedConv::StartsOf(const ConvTensors& t, size_t part,
                                       const std::vector<int32_t>& sums, int32_t zero_point) {
  if (starts_.size() <= part) starts_.resize(part + 1);
  Starts& starts = starts_[part];
  if (starts.sums != sums.data()) {
    const bool constant =
        !hybrid_ && IsConstant(t.filter) && (t.bias == nullptr || IsConstant(t.bias));
    starts = {constant ? sums.data() : nullptr, SumStarts(sums, Bias32(t), zero_point)};
  }
  return starts.values.data();
}

bool QuantizedConv::RunMatrix(const ConvTensors& t, ConvShape shape, const IntegerMatrix& matrix,
                              size_t part, const PixelAt* pixel_at, const IntegerImage& image,
                              int64_t item, ThreadPool* pool) {
  const int64_t pixels = Elements(t.output) / t.channels() / Dim(t.input, 0);
  if (hybrid_) shape.batch = 1;
  const auto store = [&](const SumBlock& block) {
    if (pixel_at == nullptr) return StoreBlock(t, block, item, pixels);
    SumBlock row = block;
    row.rows = 1;
    for (int64_t i = 0; i < block.rows; ++i) {
      row.first_row = (*pixel_at)(block.first_row + i);
      StoreBlock(t, row, item, pixels);
      if (row.sums != nullptr) row.sums += row.stride;
      if (row.wide != nullptr) row.wide += row.stride;
    }
  };
  return RunIntegerConv(shape, matrix, image, filter_zero_ - (UnsignedFilter(t) ? 128 : 0),
                        StartsOf(t, part, matrix.sums(), MatrixZeroPoint(matrix, image)), store,
                        pool);
}

bool QuantizedConv::PackMatrix(const ConvTensors& t, const ConvShape& shape, bool transposed,
                               ThreadPool* pool) {
  if (IsPacked(t, matrix_.get())) return true;
  if (!HasFastForm(t)) return false;
  const bool shorts = t.input->type == kTfLiteInt16, is_unsigned = UnsignedFilter(t);
  const auto make = [&] {
    std::vector<int8_t> unpacked;
    return IntegerMatrix::Pack({FilterBytes(t, unpacked), is_unsigned, shape.groups,
                                shape.group_out, shape.Depth(), transposed, shorts},
                               pool);
  };
  const std::vector<int64_t> parameters = {shape.groups, shape.group_out, shape.Depth(),
                                           transposed,   shorts,          is_unsigned};
  return Pack(t, parameters, matrix_, make);
}

bool QuantizedConv::RunPacked(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool) {
  return ForEachImage(t, pool, [&](const IntegerImage& image, int64_t item) {
    return RunMatrix(t, shape, *matrix_, 0, nullptr, image, item, pool);
  });
}

bool QuantizedConv::PackConv(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool) {
  return PackMatrix(t, shape, false, pool);
}

bool QuantizedConv::RunConv(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool) {
  return PackConv(t, shape, pool) && RunPacked(t, shape, pool);
}

bool QuantizedConv::PackDepthwise(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool) {
  // One input channel: a usual convolution, but that the filter lies the other way round.
  if (shape.groups == 1) return PackMatrix(t, shape, true, pool);
  if (IsPacked(t, depthwise_.get())) return true;
  const int64_t taps = shape.Depth(), channels = t.channels();
  if (!HasFastForm(t) || taps > kMostDepthwiseTaps) return false;
  const auto make = [&] {
    std::vector<int16_t> weights;
    const bool bytes = hybrid_ && t.filter->type == kTfLiteUInt8;
    ReadRelative(t.filter, bytes ? kTfLiteInt8 : t.filter->type, filter_zero_, weights);
    return tern::PackDepthwise(weights.data(), taps, channels);
  };
  return Pack(t, {taps, channels, filter_zero_, UnsignedFilter(t)}, depthwise_, make);
}

bool QuantizedConv::RunDepthwise(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool) {
  if (!PackDepthwise(t, shape, pool)) return false;
  if (shape.groups == 1) return RunPacked(t, shape, pool);
  const int64_t channels = t.channels();
  const int64_t pixels = Elements(t.output) / channels / Dim(t.input, 0);
  ConvShape one = shape;
  if (hybrid_) one.batch = 1;
  return ForEachImage(t, pool, [&](const IntegerImage& image, int64_t item) {
    return RunIntegerDepthwise(
        one, *depthwise_, image, StartsOf(t, 0, depthwise_->sums, image.zero_point),
        [&](const SumBlock& block) { StoreBlock(t, block, item, pixels); }, pool);
  });
}

// The part's taps of the filter, [channels, taps, depth].
std::shared_ptr<const IntegerMatrix> QuantizedConv::PackTaps(const ConvTensors& t, const Part& part,
                                                             ThreadPool* pool) const {
  std::vector<int8_t> unpacked, chosen;
  const int8_t* filter = FilterBytes(t, unpacked);
  const int64_t depth = part.shape.group_in, channels = t.channels();
  const int64_t taps = Elements(t.filter) / channels / depth;
  for (int64_t c = 0; c < channels; ++c) {
    for (const int64_t tap : part.taps) {
      const int8_t* from = filter + (c * taps + tap) * depth;
      chosen.insert(chosen.end(), from, from + depth);
    }
  }
  return IntegerMatrix::Pack({chosen.data(), UnsignedFilter(t), 1, channels, part.shape.Depth(),
                              false, t.input->type == kTfLiteInt16},
                             pool);
}

bool QuantizedConv::PackParts(const ConvTensors& t, const std::vector<Part>& parts,
                              ThreadPool* pool) {
  if (IsPacked(t, parts_.get())) return true;
  if (!HasFastForm(t)) return false;
  const auto make = [&]() -> std::shared_ptr<const Matrices> {
    auto matrices = std::make_shared<Matrices>();
    for (const Part& part : parts) {
      matrices->push_back(PackTaps(t, part, pool));
      if (matrices->back() == nullptr) return nullptr;
    }
    return matrices;
  };
  std::vector<int64_t> parameters = {UnsignedFilter(t), t.input->type, t.channels()};
  for (const Part& part : parts) {
    parameters.push_back(part.shape.group_in);
    parameters.insert(parameters.end(), part.taps.begin(), part.taps.end());
  }
  return Pack(t, parameters, parts_, make);
}

bool QuantizedConv::RunParts(const ConvTensors& t, const std::vector<Part>& parts,
                             ThreadPool* pool) {
  return PackParts(t, parts, pool) &&
         ForEachImage(t, pool, [&](const IntegerImage& image, int64_t item) {
           for (size_t i = 0; i < parts.size(); ++i) {
             if (parts[i].shape.OutPixels() == 0) continue;
             const IntegerMatrix& matrix = *(*parts_)[i];
             if (!RunMatrix(t, parts[i].shape, matrix, i, &parts[i].pixel_at, image, item, pool)) {
               return false;
             }
           }
           return true;
         });
}

}  // namespace tern
