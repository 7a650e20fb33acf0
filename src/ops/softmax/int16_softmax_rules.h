// SPDX-License-Identifier: Apache-2.0
// Tables of the INT16 form of SOFTMAX.
#ifndef TERN_OPS_SOFTMAX_INT16_SOFTMAX_RULES_H_
#define TERN_OPS_SOFTMAX_INT16_SOFTMAX_RULES_H_

#include <cmath>
#include <cstdint>

#include "ops/rules_kit/int16_table.h"

namespace tern {

// exp(x) for x from -10 to 0, in units of 2^-15.
inline const Int16Table& Int16Exponentials() {
  static const Int16Table table = MakeInt16Table<double>(
      {10.0 / 65535, INT16_MAX}, {2.0 / 65535, 0}, [](double v) { return std::exp(v); });
  return table;
}

// 1 / (1 + x) for x from 0 to 1, in units of 2^-15.
inline const Int16Table& Int16Reciprocals() {
  static const Int16Table table = MakeInt16Table<double>({1.0 / 65535, INT16_MIN}, {2.0 / 65535, 0},
                                                         [](double v) { return 1 / (1 + v); });
  return table;
}

// How many places of Int16Exponentials' inputs one step of an input of this scale is.
inline double Int16SoftmaxStep(float scale, float beta) {
  return double{scale} * double{beta} / (10.0 / 65535.0);
}

}  // namespace tern

#endif  // TERN_OPS_SOFTMAX_INT16_SOFTMAX_RULES_H_
