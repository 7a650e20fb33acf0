// SPDX-License-Identifier: Apache-2.0
// Options of custom ops: a FlexBuffer map in the operator.
#ifndef TERN_OPS_CPU_KIT_OPTIONS_H_
#define TERN_OPS_CPU_KIT_OPTIONS_H_

#include <string>

#include "base/flex_map.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

inline StatusOr<FlexMap> OptionsOf(const OpCall& call) {
  if (call.node()->custom_initial_data_size < 0) return Invalid("the options are damaged");
  return FlexMap::Open(call.node()->custom_initial_data,
                       static_cast<size_t>(call.node()->custom_initial_data_size));
}

// `missing` where the map has no such key. Fractions are rounded towards zero, as flexbuffers do.
inline StatusOr<int64_t> IntegerOption(const FlexMap& map, const char* key, int64_t missing) {
  const auto number = map.Find(key);
  if (!number.ok()) return WithPrefix(number.status(), StrCat("option ", key));
  return number->has_value() ? (*number)->as_integer : missing;
}

inline StatusOr<double> RealOption(const FlexMap& map, const char* key, double missing) {
  const auto number = map.Find(key);
  if (!number.ok()) return WithPrefix(number.status(), StrCat("option ", key));
  return number->has_value() ? (*number)->as_double : missing;
}

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_OPTIONS_H_
