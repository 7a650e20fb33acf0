// SPDX-License-Identifier: Apache-2.0
// Functions of float numbers on rows of them. Each Fast...() gives null where this processor or
// build has no such form; a form reads and writes its rows alone, in and out may be the same, and
// NaN stays NaN.
#ifndef TERN_CPU_FLOAT_ROWS_H_
#define TERN_CPU_FLOAT_ROWS_H_

#include <cstdint>

namespace tern {

enum class FloatFunction {
  kAbs,
  kElu,
  kExp,
  kHardSwish,
  kLeakyRelu,  // slope a below 0
  kLogistic,
  kNeg,
  kRelu,
  kRelu0To1,
  kRelu6,
  kReluN1To1,
  kRsqrt,
  kSqrt,
  kSquare,
  kTanh,
};

// out[i] = f(in[i]); exponentials are within 3 units of the last place.
using FloatRow = void (*)(const float* in, float* out, int64_t count, float a);
FloatRow FastFunction(FloatFunction function);

// One row each: exp(beta * (x - max)) / sum of these; x - max - log(sum of exp(x - max)).
using SoftmaxRow = void (*)(const float* in, float* out, int64_t count, float beta);
SoftmaxRow FastSoftmax();
using LogSoftmaxRow = void (*)(const float* in, float* out, int64_t count);
LogSoftmaxRow FastLogSoftmax();

}  // namespace tern

#endif  // TERN_CPU_FLOAT_ROWS_H_
