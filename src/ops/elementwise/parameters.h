// SPDX-License-Identifier: Apache-2.0
// How the rows of table.inc read an op's options, and functions that their expressions name.
#ifndef TERN_OPS_ELEMENTWISE_PARAMETERS_H_
#define TERN_OPS_ELEMENTWISE_PARAMETERS_H_

#include <cmath>
#include <limits>

#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::elementwise {

// The constants a and b of a row's expression.
struct Constants {
  float a = 0, b = 0;
  // Where the options ask for another function than the row's: its GPU text. The C++ expression
  // then looks at a.
  const char* gpu_text = nullptr;
};

// `options` is the node's builtin_data, which may be null for ops without options.
inline bool NoParameters(const void*, Constants&) { return true; }

// The limits of a clamp; no upper one for 0 or less.
template <int kLow, int kHigh>
bool Limits(const void*, Constants& constants) {
  constants.a = kLow;
  constants.b = kHigh > 0 ? kHigh : std::numeric_limits<float>::infinity();
  return true;
}
inline constexpr auto ReluLimits = Limits<0, 0>;
inline constexpr auto Relu6Limits = Limits<0, 6>;
inline constexpr auto Relu0To1Limits = Limits<0, 1>;
inline constexpr auto ReluN1To1Limits = Limits<-1, 1>;

// False when the options are missing.
inline bool LeakyReluParameters(const void* options, Constants& constants) {
  if (options == nullptr) return false;
  constants.a = static_cast<const TfLiteLeakyReluParams*>(options)->alpha;
  return true;
}

inline bool GeluParameters(const void* options, Constants& constants) {
  if (options == nullptr) return false;
  if (!static_cast<const TfLiteGeluParams*>(options)->approximate) return true;
  constants.a = 1;
  // (1 + tanh(z)) / 2 = 1 / (1 + exp(-2 z)), which keeps its digits where it is small.
  constants.gpu_text =
      "v / (splat(1.0) + exp(splat(-1.59576912) * (v + splat(0.044715) * v * v * v)))";
  return true;
}

inline float Gelu(float v, bool approximate) {
  if (!approximate) return 0.5f * v * std::erfc(v * -0.707106781f);
  return 0.5f * v * (1.0f + std::tanh(0.797884561f * (v + 0.044715f * v * v * v)));
}

// -0 gives 0.
inline float SignOf(float v) {
  if (v == 0.0f) return 0.0f;
  return v > 0.0f ? 1.0f : (v < 0.0f ? -1.0f : v);
}

// NaN stays NaN.
inline float Between(float v, float low, float high) {
  return v < low ? low : (v > high ? high : v);
}

template <class Params>
bool FusedActivation(const void* options, TfLiteFusedActivation& activation) {
  if (options == nullptr) return false;
  activation = static_cast<const Params*>(options)->activation;
  return true;
}
inline constexpr auto AddActivation = FusedActivation<TfLiteAddParams>;
inline constexpr auto DivActivation = FusedActivation<TfLiteDivParams>;
inline constexpr auto MulActivation = FusedActivation<TfLiteMulParams>;
inline constexpr auto SubActivation = FusedActivation<TfLiteSubParams>;

// For ops whose options say nothing about the result.
inline bool NoActivation(const void*, TfLiteFusedActivation&) { return true; }

}  // namespace tern::elementwise

#endif  // TERN_OPS_ELEMENTWISE_PARAMETERS_H_
