// SPDX-License-Identifier: Apache-2.0
// Nodes between quantized tensors with constant weights sum products of elements. Floats hold these
// sums exactly up to 2^24, ints up to 2^31; which of them does follows from the weights.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/legalize/legalize.h"
#include "gpu/lower/constants.h"

namespace tern::gpu {
namespace {

constexpr int64_t kMaxInFloat = int64_t{1} << 24;
constexpr int64_t kMaxInInt = (int64_t{1} << 31) - 1;
// Of requantize(): a sum with so many further bits, and how far it may be moved to the right.
constexpr int64_t kMaxToRequantize = int64_t{1} << 29;
constexpr int kMinShift = -29;
// Of requantize_once() and requantize_finely(), which move a sum two places further.
constexpr int kMaxShift = 29;

// The smallest number above 0 that `factor`, rounded as on the CPU, turns into `element`.
int64_t MinSumFor(double factor, int64_t element) {
  const double half = static_cast<double>(element) - 0.5;
  auto sum = static_cast<int64_t>(std::ceil(half / factor));
  while (static_cast<double>(sum) * factor < half) ++sum;
  while (sum > 1 && static_cast<double>(sum - 1) * factor >= half) --sum;
  return sum;
}

int64_t LargestOf(const IntRange& range) {
  return std::max(std::abs(int64_t{range.min}), std::abs(int64_t{range.max}));
}

// The multiplier with which requantize_once() gives the same elements as a factor in double
// precision, for all sums up to `largest` either way. Those that round to `element` begin at some
// sum, which the multiplier must carry beyond the half before the element, and not the sum before.
std::optional<Multiplier> RoundingMultiplier(double factor, int64_t largest,
                                             const IntRange& range) {
  const Multiplier nearest = MakeMultiplier(factor);
  if (nearest.value == 0 || nearest.shift > kMaxShift) return std::nullopt;
  const int64_t last = LargestOf(range);
  int64_t min = nearest.value - 1, max = nearest.value + 1;
  for (int64_t element = 1; element <= last && min <= max; ++element) {
    const int64_t sum = MinSumFor(factor, element);
    if (sum > largest) break;
    const int64_t half = (2 * element - 1) * (int64_t{1} << (30 - nearest.shift));
    if (sum * min <= half) min = half / sum + 1;
    if (sum > 1 && (sum - 1) * max >= half) max = (half - 1) / (sum - 1);
  }
  max = std::min(max, kMaxInInt);
  if (min > max) return std::nullopt;
  const auto value = static_cast<int32_t>(std::clamp<int64_t>(nearest.value, min, max));
  return Multiplier{value, nearest.shift};
}

// Of requantize_finely(): a multiplier and its fraction.
struct FineMultiplier {
  Multiplier whole;
  int32_t fraction;

  // As that function computes it.
  int64_t Times(int64_t sum) const {
    const int up = std::max(whole.shift + 2, 0), down = std::max(-2 - whole.shift, 0);
    const int64_t rest = std::clamp(sum * (int64_t{1} << up), -kMaxInInt - 1, kMaxInInt);
    const int64_t product = rest * whole.value + ((rest * fraction) >> 32);
    return ((product >> 32) + (int64_t{1} << down)) >> (down + 1);
  }
};

// The factor itself, whose 53 bits have room in both parts, and a little more: the CPU rounds the
// product to 53 bits first, and halves away from zero then. Checked for all sums up to `largest`
// either way; those of which none is near the half before an element need no look.
std::optional<FineMultiplier> RoundingFineMultiplier(double factor, int64_t largest,
                                                     const IntRange& range) {
  constexpr double kLittle = 1 << 11;  // of 2^-32 of 2^30 or more: 2^-51 or less
  constexpr double kNear = 0x1p-48;
  const Multiplier nearest = MakeMultiplier(factor);
  if (nearest.value == 0 || nearest.shift > kMaxShift) return std::nullopt;
  const double rest = std::ldexp(factor, 31 - nearest.shift) - nearest.value;
  const double fraction = std::min(rest * 0x1p32 + kLittle, static_cast<double>(kMaxInInt));
  const FineMultiplier fine = {nearest, static_cast<int32_t>(fraction)};
  const int64_t last = LargestOf(range);
  const double inverse = 1 / factor, end = static_cast<double>(largest) + 1;
  for (int64_t element = 1; element <= last; ++element) {
    const double half = (static_cast<double>(element) - 0.5) * inverse;
    if (half > end) break;
    if (std::abs(half - static_cast<double>(static_cast<int64_t>(half + 0.5))) > half * kNear)
      continue;
    const int64_t sum = MinSumFor(factor, element);
    if (fine.Times(sum) < element || fine.Times(sum - 1) >= element) return std::nullopt;
    if (fine.Times(-sum) > -element || fine.Times(1 - sum) <= -element) return std::nullopt;
  }
  return fine;
}

class SumsOfNode {
 public:
  SumsOfNode(const Graph& graph, const Node& node, const SummedProducts& operands)
      : graph_(graph), node_(node), operands_(operands) {}

  std::shared_ptr<const Requantization> Find() {
    if (!FindTensors() || !FindBias()) return nullptr;
    made_.elements = {operands_.input};
    made_.filter = operands_.decoding;
    if (operands_.products != 0) made_.elements.push_back(operands_.filter);
    std::vector<int64_t> sums = LargestSums();
    if (operands_.sums) {
      made_.sums = Number::kInt;  // they wrap
      return std::make_shared<Requantization>(std::move(made_));
    }
    const QuantizedType& out = *output_->quantized;
    const IntRange range =
        ActivationRange(operands_.activation, out.type, {out.scale, out.zero_point});
    made_.scale = out.scale;
    made_.range = {range.min - out.zero_point, range.max - out.zero_point};
    if (!ChooseSums(sums) || !FindMultipliers(sums)) return nullptr;
    return std::make_shared<Requantization>(std::move(made_));
  }

 private:
  const GraphTensor* Operand(int i) const {
    const auto at = static_cast<size_t>(i);
    if (i < 0 || at >= node_.inputs.size() || node_.inputs[at] < 0) return nullptr;
    return &graph_.tensors[node_.inputs[at]];
  }

  static bool HoldsElements(const GraphTensor* tensor) {
    return tensor != nullptr && !tensor->is_constant() && tensor->quantized &&
           tensor->quantized->can_hold_elements() && !tensor->HasScalesAlongAxis();
  }

  bool FindTensors() {
    input_ = Operand(operands_.input);
    filter_ = Operand(operands_.filter);
    if (node_.outputs.empty() || node_.outputs[0] < 0) return false;
    output_ = &graph_.tensors[node_.outputs[0]];
    if (!HoldsElements(input_) || !(operands_.sums || HoldsElements(output_))) return false;
    if (operands_.products != 0 && HoldsElements(filter_)) return true;
    if (filter_ == nullptr || !filter_->is_constant() || filter_->box().elements() == 0 ||
        !CheckDecoding(*filter_, operands_.decoding).ok()) {
      return false;
    }
    const TfLiteType type = filter_->data_type();
    if (operands_.products != 0)
      return type == kTfLiteInt8 && filter_->affine()->scales.size() == 1;
    return (type == kTfLiteInt8 || type == kTfLiteUInt8 || type == kTfLiteInt4) &&
           filter_->dims.size() > static_cast<size_t>(operands_.filter_axis);
  }

  int Channels() const { return filter_->dims[static_cast<size_t>(operands_.filter_axis)]; }

  // Only one whose elements are known is counted with the sums.
  bool FindBias() {
    const GraphTensor* bias = Operand(operands_.bias);
    if (bias == nullptr) return true;
    if (!bias->is_constant()) return false;
    for (const int64_t b : WholeElements(*bias)) {
      if (std::abs(b) > kMaxInInt) return false;
      made_.bias.push_back(static_cast<int32_t>(b));
    }
    return static_cast<int>(made_.bias.size()) == Channels();
  }

  int Factors() const {
    return filter_->is_constant() ? static_cast<int>(filter_->affine()->scales.size()) : 1;
  }

  // The factor of the sums of a channel.
  double FactorOf(int channel) const {
    const float in = input_->quantized->scale;
    const float filter =
        filter_->is_constant() ? filter_->affine()->scales[channel] : filter_->quantized->scale;
    const double product =
        operands_.float_product ? double{in * filter} : double{in} * double{filter};
    return product / double{output_->quantized->scale};
  }

  // The smallest and the largest element of a type less its zero point.
  static IntRange RangeOf(TfLiteType type, int zero_point) {
    const IntRange range = TypeRange(type);
    return {range.min - zero_point, range.max - zero_point};
  }

  // The largest sum without its bias by channel, whatever its order and however far it has come.
  std::vector<int64_t> LargestSums() const {
    const IntRange in = RangeOf(input_->quantized->type, input_->quantized->zero_point);
    const IntRange by = filter_->is_constant()
                            ? RangeOf(filter_->data_type(), filter_->affine()->zero_point(0))
                            : RangeOf(filter_->quantized->type, filter_->quantized->zero_point);
    const int64_t product = int64_t{std::max(-in.min, in.max)} * std::max(-by.min, by.max);
    if (operands_.products != 0) return {operands_.products * product};
    const auto channels = static_cast<size_t>(Channels());
    const int64_t of_any_weights = filter_->box().elements() / Channels() * product;
    if (of_any_weights <= kMaxInFloat) return std::vector<int64_t>(channels, of_any_weights);
    std::vector<int64_t> sums;
    for (const auto& [positive, negative] :
         SumElements(*filter_, operands_.decoding, operands_.filter_axis)) {
      sums.push_back(std::max(positive * in.max + negative * in.min,
                              -(positive * in.min + negative * in.max)));
    }
    return sums;
  }

  // With their bias, from now on.
  bool ChooseSums(std::vector<int64_t>& sums) {
    made_.sums =
        *std::max_element(sums.begin(), sums.end()) <= kMaxInFloat ? Number::kReal : Number::kInt;
    for (size_t c = 0; c < made_.bias.size(); ++c) sums[c] += std::abs(int64_t{made_.bias[c]});
    return *std::max_element(sums.begin(), sums.end()) <= kMaxInInt;
  }

  // `sums`: the largest by channel.
  bool FindMultipliers(const std::vector<int64_t>& sums) {
    const int count = Factors();
    if (count != 1 && (operands_.float_product || count != Channels())) return false;
    const auto largest = [&](int i) {
      return count == 1 ? *std::max_element(sums.begin(), sums.end())
                        : sums[static_cast<size_t>(i)];
    };
    if (operands_.real) return FindRoundingMultipliers(count, largest);
    bool plain = true, wraps = false;
    for (int i = 0; i < count; ++i) {
      Multiplier multiplier = MakeMultiplier(FactorOf(i));
      if (operands_.wide) multiplier.value = WideValue(multiplier) * (1 << 16);
      const int left = std::max(multiplier.shift, 0);
      plain = plain && multiplier.shift >= kMinShift && largest(i) < kMaxToRequantize >> left;
      wraps = wraps || largest(i) > kMaxInInt >> left;
      made_.multipliers.push_back(multiplier);
    }
    made_.finish = operands_.wide ? Finish::kRequantizeOnce
                   : plain        ? Finish::kRequantize
                                  : Finish::kRequantizeLarge;
    return !operands_.wide || !wraps;
  }

  // Whole multipliers where they round like the factors, else with their fractions.
  template <class Largest>
  bool FindRoundingMultipliers(int count, const Largest& largest) {
    made_.finish = Finish::kRequantizeOnce;
    for (int i = 0; i < count; ++i) {
      const auto whole = RoundingMultiplier(FactorOf(i), largest(i), made_.range);
      if (!whole) break;
      made_.multipliers.push_back(*whole);
    }
    if (static_cast<int>(made_.multipliers.size()) == count) return true;
    made_.finish = Finish::kRequantizeFinely;
    made_.multipliers.clear();
    for (int i = 0; i < count; ++i) {
      const auto fine = RoundingFineMultiplier(FactorOf(i), largest(i), made_.range);
      if (!fine) return false;
      made_.multipliers.push_back(fine->whole);
      made_.fractions.push_back(fine->fraction);
    }
    return true;
  }

  const Graph& graph_;
  const Node& node_;
  const SummedProducts operands_;
  const GraphTensor *input_ = nullptr, *filter_ = nullptr, *output_ = nullptr;
  Requantization made_;
};

}  // namespace

void RequantizeSums(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (const SummedProducts* const rule = node.RuleOf<SummedProducts>())
      node.requantization = SumsOfNode(graph, node, *rule).Find();
  }
}

}  // namespace tern::gpu
