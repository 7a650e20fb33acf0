// SPDX-License-Identifier: Apache-2.0
// How the rows of table.inc read an op's options.
#ifndef TERN_OPS_ELEMENTWISE_PARAMETERS_H_
#define TERN_OPS_ELEMENTWISE_PARAMETERS_H_

#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::elementwise {

// The constants a and b of a row's expression.
struct Constants {
  float a = 0, b = 0;
};

// `options` is the node's builtin_data, which may be null for ops without options.
inline bool NoParameters(const void*, Constants&) { return true; }

// False when the options are missing.
inline bool LeakyReluParameters(const void* options, Constants& constants) {
  if (options == nullptr) return false;
  constants.a = static_cast<const TfLiteLeakyReluParams*>(options)->alpha;
  return true;
}

inline bool AddActivation(const void* options, TfLiteFusedActivation& activation) {
  if (options == nullptr) return false;
  activation = static_cast<const TfLiteAddParams*>(options)->activation;
  return true;
}

inline bool MulActivation(const void* options, TfLiteFusedActivation& activation) {
  if (options == nullptr) return false;
  activation = static_cast<const TfLiteMulParams*>(options)->activation;
  return true;
}

}  // namespace tern::elementwise

#endif  // TERN_OPS_ELEMENTWISE_PARAMETERS_H_
