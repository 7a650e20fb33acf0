// SPDX-License-Identifier: Apache-2.0
// Operands of convolutions as whole numbers, and what sums of their products become.
#include "ops/whole_conv.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ops/integer_dot.h"
#include "ops/small_integers.h"

namespace tern {
namespace {

constexpr double kExactInFloat = 1 << 24;

template <class To, class From>
void Relative(const From* from, int64_t count, int32_t zero_point, To* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(int32_t{from[i]} - zero_point);
}

template <class To>
void RelativeNibbles(const uint8_t* from, int64_t count, To* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(SmallIntegerAt(from, i, 4));
}

// Elements as numbers relative to a zero point. In a hybrid convolution bytes of a UINT8 filter are
// INT8.
template <class To>
void ReadRelative(const TfLiteTensor* t, TfLiteType type, int32_t zero_point, std::vector<To>& to) {
  const int64_t count = Elements(t);
  to.resize(static_cast<size_t>(count));
  switch (type) {
    case kTfLiteInt4:
      return RelativeNibbles(Data<uint8_t>(t), count, to.data());
    case kTfLiteUInt8:
      return Relative(Data<uint8_t>(t), count, zero_point, to.data());
    case kTfLiteInt8:
      return Relative(Data<int8_t>(t), count, zero_point, to.data());
    default:
      return Relative(Data<int16_t>(t), count, zero_point, to.data());
  }
}

// The largest sum of magnitudes over the elements of one output channel.
double LargestSum(const std::vector<float>& filter, int64_t channels, bool channels_last) {
  std::vector<double> sums(static_cast<size_t>(channels));
  const int64_t count = static_cast<int64_t>(filter.size());
  for (int64_t i = 0; i < count; ++i) {
    sums[channels_last ? i % channels : i / (count / channels)] += std::fabs(filter[i]);
  }
  return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
}

}  // namespace

int64_t Dot(const int16_t* a, const int16_t* b, int64_t count) {
  return BlockedDot<256>(a, b, count);
}

Status WholeConv::Prepare(const ConvTensors& t, const Options& options) {
  loaded_ = loaded_float_ = nullptr;
  hybrid_ = t.input->type == kTfLiteFloat32;
  if (!hybrid_) return PrepareQuantized(t, options);
  float_range_ = ActivationRange(options.activation);
  TERN_RETURN_IF_ERROR(PrepareHybrid(t));
  symmetric_ = !options.always_zero_point && !scales_.per_channel;
  return OkStatus();
}

Status WholeConv::PrepareHybrid(const ConvTensors& t) {
  filter_zero_ = 0;
  TERN_ASSIGN_OR_RETURN(scales_, ReadWeightScales(t.filter, t.channels(), t.filter_axis));
  if (t.filter->type == kTfLiteUInt8) {  // which the reference takes per tensor, always
    scales_.per_channel = false;
    scales_.first_only = true;
  }
  return OkStatus();
}

Status WholeConv::PrepareQuantized(const ConvTensors& t, const Options& options) {
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
  steps_.clear();
  for (const Multiplier& multiplier : multipliers_) {
    const int right = std::max(0, -multiplier.shift);
    const auto mask = static_cast<int32_t>((uint32_t{1} << right) - 1);
    steps_.push_back(
        {multiplier.value, std::max(0, multiplier.shift) & 31, right, mask, mask >> 1});
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

void WholeConv::QuantizeInput(const ConvTensors& t) {
  UpdateScales(t.filter, scales_);
  const int64_t batch = Dim(t.input, 0);
  QuantizeItems(Data<float>(t.input), batch, Elements(t.input) / batch, symmetric_, items_);
}

void WholeConv::Load(const ConvTensors& t) {
  if (hybrid_) {
    QuantizeInput(t);
    input_ = items_.values;
  } else {
    ReadRelative(t.input, t.input->type, in_.zero_point, input_);
  }
  if (IsConstant(t.filter) && loaded_ == t.filter->data.raw) return;
  const bool bytes = hybrid_ && t.filter->type == kTfLiteUInt8;
  ReadRelative(t.filter, bytes ? kTfLiteInt8 : t.filter->type, filter_zero_, filter_);
  loaded_ = t.filter->data.raw;
}

bool WholeConv::LoadFloats(const ConvTensors& t, ThreadPool* pool) {
  if (!IsConstant(t.filter) || loaded_float_ != t.filter->data.raw) {
    const bool bytes = hybrid_ && t.filter->type == kTfLiteUInt8;
    ReadRelative(t.filter, bytes ? kTfLiteInt8 : t.filter->type, filter_zero_, float_filter_);
    loaded_float_ = t.filter->data.raw;
    largest_sum_ = LargestSum(float_filter_, t.channels(), t.filter_axis != 0);
  }
  double largest_input = 255;
  if (!hybrid_) {
    const IntRange range = TypeRange(t.input->type);
    largest_input = std::max(range.max - in_.zero_point, in_.zero_point - range.min);
  }
  if (largest_input * largest_sum_ > kExactInFloat) return false;
  const int64_t count = Elements(t.input);
  float_input_.resize(static_cast<size_t>(count));
  if (hybrid_) QuantizeInput(t);
  ParallelFor(pool, count, 1, [&](int64_t begin, int64_t end) {
    float* to = float_input_.data() + begin;
    if (hybrid_) {
      Relative(items_.values.data() + begin, end - begin, 0, to);
    } else if (t.input->type == kTfLiteUInt8) {
      Relative(Data<uint8_t>(t.input) + begin, end - begin, in_.zero_point, to);
    } else if (t.input->type == kTfLiteInt8) {
      Relative(Data<int8_t>(t.input) + begin, end - begin, in_.zero_point, to);
    } else {
      Relative(Data<int16_t>(t.input) + begin, end - begin, 0, to);
    }
  });
  return true;
}

template <class Sum, class Out, class Bias>
void WholeConv::Requantize(const ConvTensors& t, const Sum* sums, int64_t first,
                           int64_t count) const {
  const int64_t channels = t.channels();
  const Bias* bias = t.bias == nullptr ? nullptr : Data<Bias>(t.bias);
  Out* out = MutableData<Out>(t.output) + first * channels;
  // Copies, which the compiler keeps although bytes are written.
  const Multiplier* multipliers = multipliers_.data();
  const Step* steps = steps_.data();
  const int32_t zero = out_.zero_point, low = range_.min - zero, high = range_.max - zero;
  const auto store = [=](int32_t value, Out* to) {
    *to = static_cast<Out>(std::max(low, std::min(high, value)) + zero);
  };
  for (int64_t p = 0; p < count; ++p, sums += channels, out += channels) {
    if (wide_) {
      for (int64_t c = 0; c < channels; ++c) {
        int64_t sum = static_cast<int64_t>(sums[c]);
        if (bias != nullptr) sum += std::clamp<int64_t>(bias[c], -kLargestWideSum, kLargestWideSum);
        store(ScaleWide(sum, multipliers[c]), out + c);
      }
      continue;
    }
    for (int64_t c = 0; c < channels; ++c) {
      // Sums of 32 bits wrap.
      uint32_t sum = static_cast<uint32_t>(static_cast<int64_t>(sums[c]));
      if (bias != nullptr) sum += static_cast<uint32_t>(bias[c]);
      // Scale(), with a multiplier that is never negative.
      const Step& s = steps[c];
      const auto shifted = static_cast<int32_t>(sum << s.left);
      const auto product =
          static_cast<int32_t>((int64_t{shifted} * s.value + (int64_t{1} << 30)) >> 31);
      const bool up = (product & s.mask) > s.half + (product < 0 ? 1 : 0);
      store((product >> s.right) + (up ? 1 : 0), out + c);
    }
  }
}

template <class Sum>
void WholeConv::Store(const ConvTensors& t, const Sum* sums, int64_t first, int64_t count,
                      int64_t pixels) const {
  if (t.output->type == kTfLiteUInt8)
    return Requantize<Sum, uint8_t, int32_t>(t, sums, first, count);
  if (t.output->type == kTfLiteInt8) return Requantize<Sum, int8_t, int32_t>(t, sums, first, count);
  if (t.output->type == kTfLiteInt16) {
    const bool bias64 = t.bias != nullptr && t.bias->type == kTfLiteInt64;
    return bias64 ? Requantize<Sum, int16_t, int64_t>(t, sums, first, count)
                  : Requantize<Sum, int16_t, int32_t>(t, sums, first, count);
  }
  const int64_t channels = t.channels();
  const float* bias = t.bias == nullptr ? nullptr : Data<float>(t.bias);
  float* out = MutableData<float>(t.output) + first * channels;
  for (int64_t p = first; p < first + count; ++p, sums += channels, out += channels) {
    const float scale = items_.scale[static_cast<size_t>(p / pixels)];
    for (int64_t c = 0; c < channels; ++c) {
      const float value = static_cast<float>(sums[c]) * (scale * scales_.scale[c]);
      out[c] = float_range_.Clamp(value + (bias == nullptr ? 0.0f : bias[c]));
    }
  }
}

template void WholeConv::Store(const ConvTensors&, const float*, int64_t, int64_t, int64_t) const;
template void WholeConv::Store(const ConvTensors&, const int64_t*, int64_t, int64_t, int64_t) const;

void WholeConv::StoreAll(const ConvTensors& t, ThreadPool* pool) const {
  const int64_t channels = t.channels(), all = Elements(t.output) / channels;
  const int64_t pixels = all / Dim(t.output, 0);
  ParallelFor(pool, all, 8 * channels, [&](int64_t begin, int64_t end) {
    Store(t, sums_.data() + begin * channels, begin, end - begin, pixels);
  });
}

}  // namespace tern
