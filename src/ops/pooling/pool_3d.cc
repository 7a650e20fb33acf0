// SPDX-License-Identifier: Apache-2.0
// AvgPool3D and MaxPool3D (custom): [N, D, H, W, C] -> [N, OD, OH, OW, C], FLOAT32, INT8 and INT16.
// Padding takes part in none. Quantized numbers are pooled as they are; input and output share
// their parameters. Options as TensorFlow writes them: ksize and strides [1, d, h, w, 1], padding.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/flex_map.h"
#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/options.h"
#include "ops/cpu_registry.h"
#include "ops/rules_kit/window_rules.h"

namespace tern {
namespace {

using Pooled = Types<float, int8_t, int16_t>;

template <bool max>
class Pool3d : public Op {
 public:
  using Op::Op;
  const char* name() const override { return max ? "MaxPool3D" : "AvgPool3D"; }
  bool flushes_subnormals() const override { return !max; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  template <class T>
  void PoolAt(const T* image, const WindowAxis::Taps (&taps)[3], T* out) const;

  WindowAxis axes_[3];  // depth, height, width
  int64_t channels_ = 0;
};

// The three inner numbers of an option of five.
Status ReadSteps(const FlexMap& map, const char* key, int64_t (&steps)[3]) {
  const auto found = map.FindIntegers(key);
  if (!found.ok()) return WithPrefix(found.status(), StrCat("option ", key));
  const std::vector<int64_t> none, &list = found->has_value() ? **found : none;
  if (list.size() != 5 || list[0] != 1 || list[4] != 1) {
    return Invalid("option ", key, " must be five numbers, 1 for batch and channels (",
                   ShapeText(list), ")");
  }
  for (const int64_t step : list) {
    if (step < 1 || step > INT32_MAX) {
      return Invalid("option ", key, " must lie in 1..", INT32_MAX, " (", step, ")");
    }
  }
  std::copy_n(list.begin() + 1, 3, steps);
  return OkStatus();
}

StatusOr<TfLitePadding> ReadPadding(const FlexMap& map) {
  const auto format = map.FindText("data_format");
  if (!format.ok()) return WithPrefix(format.status(), "option data_format");
  if (format->value_or("NDHWC") != "NDHWC") {
    return Unsupported("data_format must be NDHWC (", format->value(), ")");
  }
  const auto padding = map.FindText("padding");
  if (!padding.ok()) return WithPrefix(padding.status(), "option padding");
  const std::string_view text = padding->value_or("");
  if (text == "SAME") return kTfLitePaddingSame;
  if (text == "VALID") return kTfLitePaddingValid;
  return Invalid("padding must be SAME or VALID (", text, ")");
}

template <bool max>
Status Pool3d<max>::Prepare(const OpCall& call) {
  constexpr const char* kNames[] = {"depth", "height", "width"};
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(const TfLitePadding padding, ReadPadding(map));
  int64_t filters[3], strides[3];
  TERN_RETURN_IF_ERROR(ReadSteps(map, "ksize", filters));
  TERN_RETURN_IF_ERROR(ReadSteps(map, "strides", strides));
  const TfLiteTensor *input = call.input(0), *output = call.output(0);
  if (!Pooled::Has(input->type)) {
    return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(input, output, "input and output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 5, "input"));
  if (input->type != kTfLiteFloat32 &&
      (!(std::fabs(input->params.scale - output->params.scale) <= 1e-6f) ||
       input->params.zero_point != output->params.zero_point)) {
    return Invalid("input and output differ in their quantization (", input->params.scale, ", ",
                   output->params.scale, ")");
  }
  channels_ = Dim(input, 4);
  Shape shape = ShapeOf(input);
  for (int i = 0; i < 3; ++i) {
    axes_[i] = {
        .in = shape[static_cast<size_t>(i) + 1], .filter = filters[i], .stride = strides[i]};
    TERN_RETURN_IF_ERROR(SetOutput(kNames[i], padding, axes_[i]));
    axes_[i].out = std::max<int64_t>(0, axes_[i].out);
    shape[static_cast<size_t>(i) + 1] = axes_[i].out;
  }
  return call.SetShape(call.output(0), shape);
}

template <bool max>
template <class T>
void Pool3d<max>::PoolAt(const T* image, const WindowAxis::Taps (&taps)[3], T* out) const {
  using Sum = std::conditional_t<std::is_same_v<T, float>, double, int64_t>;
  using Limits = std::numeric_limits<T>;
  const T lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  const Sum none = max ? Sum{lowest} : Sum{0};
  std::vector<Sum> sums(static_cast<size_t>(channels_), none);
  const auto size = [&](int i) { return taps[i].end - taps[i].begin; };
  for (int64_t z = taps[0].position; z < taps[0].position + size(0); ++z) {
    for (int64_t y = taps[1].position; y < taps[1].position + size(1); ++y) {
      const T* in = image + ((z * axes_[1].in + y) * axes_[2].in + taps[2].position) * channels_;
      for (int64_t i = 0; i < size(2) * channels_; ++i) {
        Sum& sum = sums[static_cast<size_t>(i % channels_)];
        sum = max ? std::max(sum, Sum{in[i]}) : sum + Sum{in[i]};
      }
    }
  }
  const int64_t tap_count = size(0) * size(1) * size(2), count = max ? 1 : tap_count;
  const int64_t first = (taps[0].position * axes_[1].in + taps[1].position) * axes_[2].in;
  for (int64_t c = 0; c < channels_; ++c) {
    Sum sum = sums[static_cast<size_t>(c)];
    // NaN is passed over; where nothing is above -infinity, the first tap is taken.
    if (max && sum == none && tap_count > 0) {
      sum = Sum{image[(first + taps[2].position) * channels_ + c]};
    }
    if constexpr (std::is_same_v<T, float>) {
      out[c] = ActivationRange(kTfLiteActNone)
                   .Clamp(static_cast<float>(sum / static_cast<double>(count)));
    } else {
      out[c] = static_cast<T>((sum > 0 ? sum + count / 2 : sum - count / 2) / count);
    }
  }
}

template <bool max>
Status Pool3d<max>::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const WindowAxis &depth = axes_[0], &height = axes_[1], &width = axes_[2];
  const int64_t places = depth.out * height.out * width.out;
  const int64_t image = depth.in * height.in * width.in * channels_;
  const int64_t cost = channels_ * std::min(depth.filter, depth.in) *
                       std::min(height.filter, height.in) * std::min(width.filter, width.in);
  Pooled::Dispatch(call.input(0)->type, [&](auto number) {
    using T = decltype(number);
    const T* in = Data<T>(call.input(0));
    T* out = MutableData<T>(call.output(0));
    ParallelFor(Pool(call), Dim(call.input(0), 0) * places, cost, [&](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end; ++at) {
        const int64_t place = at % places;
        const WindowAxis::Taps taps[3] = {depth.TapsAt(place / (height.out * width.out)),
                                          height.TapsAt(place / width.out % height.out),
                                          width.TapsAt(place % width.out)};
        PoolAt(in + at / places * image, taps, out + at * channels_);
      }
    });
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration AvgPool3dRegistration(OpForm form) {
  return MakeRegistration<Pool3d<false>>(form);
}

TfLiteRegistration MaxPool3dRegistration(OpForm form) {
  return MakeRegistration<Pool3d<true>>(form);
}

}  // namespace tern
