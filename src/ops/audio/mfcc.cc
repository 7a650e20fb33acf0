// SPDX-License-Identifier: Apache-2.0
// Mfcc (custom), FLOAT32: squared magnitudes [channels, frames, bins] and a sample rate (INT32) ->
// mel-frequency cepstral coefficients [channels, frames, dct_coefficient_count]: magnitudes summed
// over filterbank_channel_count triangles that stand evenly on the mel scale between the frequency
// limits (Hz), the logarithms of these sums, and their cosine transform.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/flex_map.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/options.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

double Mel(double frequency) { return 1127.0 * std::log1p(frequency / 700.0); }

struct MelOptions {
  int64_t lower = 0, upper = 0;  // Hz
  int64_t bands = 0;
  int64_t coefficients = 0;
};

// Triangles over the bins of a transform. A bin lies on the falling side of one and the rising side
// of the next one.
class MelBands {
 public:
  MelBands(const MelOptions& options, int64_t bins, int32_t rate)
      : bands_(static_cast<size_t>(options.bands)) {
    const double bin_width = 0.5 * rate / static_cast<double>(bins - 1);
    const double low = Mel(static_cast<double>(options.lower));
    const double step =
        (Mel(static_cast<double>(options.upper)) - low) / static_cast<double>(options.bands + 1);
    const double first = std::floor(1.5 + static_cast<double>(options.lower) / bin_width);
    const double last = std::floor(static_cast<double>(options.upper) / bin_width);
    if (last >= static_cast<double>(bins)) {
      too_few_bins_ = true;
      return;
    }
    int64_t band = 0;  // the first whose top does not lie below the bin
    const auto top = [&](int64_t b) { return low + step * static_cast<double>(b + 1); };
    for (double at = first; at <= last; ++at) {
      const double mel = Mel(at * bin_width);
      while (band < options.bands && top(band) < mel) ++band;
      const double below = band == 0 ? low : top(band - 1);
      bins_.push_back({static_cast<int64_t>(at), band, (top(band) - mel) / (top(band) - below)});
    }
  }

  // No sums at all where the upper limit lies above the last bin.
  bool too_few_bins() const { return too_few_bins_; }

  const std::vector<double>& Sum(const float* squares) {
    std::fill(bands_.begin(), bands_.end(), 0.0);
    for (const Bin& bin : bins_) {
      const double value = std::sqrt(double{squares[bin.at]}), falling = value * bin.falling;
      const auto rising_band = static_cast<size_t>(bin.band);
      if (bin.band > 0) bands_[rising_band - 1] += falling;
      if (rising_band < bands_.size()) bands_[rising_band] += value - falling;
    }
    return bands_;
  }

 private:
  struct Bin {
    int64_t at;
    int64_t band;    // on whose rising side it lies
    double falling;  // the share of the band before
  };
  std::vector<Bin> bins_;
  std::vector<double> bands_;
  bool too_few_bins_ = false;
};

class Mfcc : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "Mfcc"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  Status CheckBands(int64_t bins, int64_t rate) const;

  MelOptions options_;
  std::vector<double> cosines_;  // [coefficients, bands]
};

Status Mfcc::Prepare(const OpCall& call) {
  constexpr int64_t kMaxBands = 1 << 12;
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  MelOptions& o = options_;
  TERN_ASSIGN_OR_RETURN(o.upper, IntegerOption(map, "upper_frequency_limit", 0));
  TERN_ASSIGN_OR_RETURN(o.lower, IntegerOption(map, "lower_frequency_limit", 0));
  TERN_ASSIGN_OR_RETURN(o.bands, IntegerOption(map, "filterbank_channel_count", 0));
  TERN_ASSIGN_OR_RETURN(o.coefficients, IntegerOption(map, "dct_coefficient_count", 0));
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteFloat32, "spectrogram"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "sample rate"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(0), 3, "spectrogram"));
  if (Elements(call.input(1)) != 1) {
    return Invalid("there must be one sample rate (", Elements(call.input(1)), ")");
  }
  if (o.coefficients < 0 || o.coefficients > kMaxBands || o.bands > kMaxBands) {
    return Invalid("the numbers of bands and coefficients must lie in 0..", kMaxBands, " (",
                   o.bands, ", ", o.coefficients, ")");
  }
  cosines_.clear();
  const auto bands = static_cast<double>(o.bands);
  for (int64_t i = 0; i < o.coefficients; ++i) {
    for (int64_t k = 0; k < o.bands; ++k) {
      const double angle = static_cast<double>(i) * (std::numbers::pi / bands);
      cosines_.push_back(std::sqrt(2.0 / bands) * std::cos(angle * (static_cast<double>(k) + 0.5)));
    }
  }
  const Shape shape = ShapeOf(call.input(0));
  return call.SetShape(call.output(0), {shape[0], shape[1], o.coefficients});
}

// Makes the checks that the reference makes when it runs.
Status Mfcc::CheckBands(int64_t bins, int64_t rate) const {
  const MelOptions& o = options_;
  if (rate < 1) return Invalid("the sample rate must be positive (", rate, ")");
  if (bins < 2) return Invalid("there must be two bins or more (", bins, ")");
  if (o.lower < 0 || o.upper <= o.lower) {
    return Invalid("the frequency limits must rise from 0 or more (", o.lower, ", ", o.upper, ")");
  }
  if (o.bands < o.coefficients) {
    return Invalid("there are more coefficients than bands (", o.coefficients, ", ", o.bands, ")");
  }
  return OkStatus();
}

Status Mfcc::Eval(const OpCall& call) {
  constexpr double kMinSum = 1e-12;
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "spectrogram"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "sample rate"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const int64_t bins = Dim(call.input(0), 2);
  const int32_t rate = *Data<int32_t>(call.input(1));
  TERN_RETURN_IF_ERROR(CheckBands(bins, rate));
  MelBands bands(options_, bins, rate);
  const int64_t frames = Dim(call.input(0), 0) * Dim(call.input(0), 1);
  float* out = MutableData<float>(call.output(0));
  if (bands.too_few_bins()) {
    std::fill_n(out, Elements(call.output(0)), 0.0f);
    return OkStatus();
  }
  const auto count = static_cast<size_t>(options_.bands);
  std::vector<double> logs(count);
  for (int64_t frame = 0; frame < frames; ++frame) {
    const std::vector<double>& sums = bands.Sum(Data<float>(call.input(0)) + frame * bins);
    for (size_t k = 0; k < count; ++k) {
      logs[k] = std::log(sums[k] < kMinSum ? kMinSum : sums[k]);
    }
    for (size_t i = 0; i < cosines_.size(); i += count) {
      double sum = 0;
      for (size_t k = 0; k < count; ++k) sum += cosines_[i + k] * logs[k];
      *out++ = static_cast<float>(sum);
    }
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration MfccRegistration(OpForm form) { return MakeRegistration<Mfcc>(form); }

}  // namespace tern
