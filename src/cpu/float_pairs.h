// SPDX-License-Identifier: Apache-2.0
// Functions of two float numbers on rows of them.
#ifndef TERN_CPU_FLOAT_PAIRS_H_
#define TERN_CPU_FLOAT_PAIRS_H_

#include <cstdint>

namespace tern {

enum class PairFunction {
  kAdd,
  kDiv,
  kMaximum,  // the second where they do not compare
  kMinimum,
  kMul,
  kPrelu,  // a, times b where a is negative
  kSquaredDifference,
  kSub,
};

// out[i] = f(a[i], b[i]) within [low, high], NaN where f is; an operand that does not move is one
// number for the whole row. out may be the same row as an operand that moves.
using FloatPairRow = void (*)(const float* a, bool a_moves, const float* b, bool b_moves,
                              float* out, int64_t count, float low, float high);

// Null where this processor or build has no such form.
FloatPairRow FastPairs(PairFunction function);

}  // namespace tern

#endif  // TERN_CPU_FLOAT_PAIRS_H_
