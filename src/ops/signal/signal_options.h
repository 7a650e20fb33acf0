// SPDX-License-Identifier: Apache-2.0
// Options of the Signal* operations, and limits on what they may ask for.
#ifndef TERN_OPS_SIGNAL_SIGNAL_OPTIONS_H_
#define TERN_OPS_SIGNAL_SIGNAL_OPTIONS_H_

#include <cstdint>
#include <limits>

#include "ops/cpu_kit/options.h"

namespace tern {

// Samples in a frame, a step or a delay: far more than an audio frontend has.
inline constexpr int64_t kMaxSamples = 1 << 24;

// An option that must be there and lie in min..max.
inline StatusOr<int64_t> NeededOption(const FlexMap& map, const char* key, int64_t min,
                                      int64_t max) {
  constexpr int64_t kAbsent = std::numeric_limits<int64_t>::min();
  TERN_ASSIGN_OR_RETURN(const int64_t value, IntegerOption(map, key, kAbsent));
  if (value == kAbsent) return Invalid("option ", key, " is missing");
  if (value < min || value > max) {
    return Invalid(key, " must lie in ", min, "..", max, " (", value, ")");
  }
  return value;
}

// A vector with an element per channel, of which the option num_channels says how many there are.
inline Status CheckChannels(const TfLiteTensor* input, int64_t channels) {
  TERN_RETURN_IF_ERROR(CheckRank(input, 1, "input"));
  if (Dim(input, 0) == channels) return OkStatus();
  return Invalid("there must be num_channels inputs (", Dim(input, 0), ", ", channels, ")");
}

}  // namespace tern

#endif  // TERN_OPS_SIGNAL_SIGNAL_OPTIONS_H_
