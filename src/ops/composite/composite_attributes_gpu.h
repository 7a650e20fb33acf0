// SPDX-License-Identifier: Apache-2.0
// The attributes of a named composite: a FlexBuffer map.
#ifndef TERN_OPS_COMPOSITE_COMPOSITE_ATTRIBUTES_H_
#define TERN_OPS_COMPOSITE_COMPOSITE_ATTRIBUTES_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "base/flex_map.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

class CompositeAttributes {
 public:
  // The parameters must outlive it. No attributes at all are an empty map. An attribute that is not
  // among the known ones is an error: it may change what is computed.
  static StatusOr<CompositeAttributes> Of(const TfLiteStablehloCompositeParams& params,
                                          std::initializer_list<std::string_view> known);

  // Nothing when there is no such attribute; an error when it is something else.
  StatusOr<std::optional<double>> Real(std::string_view key) const;
  StatusOr<std::optional<int64_t>> Integer(std::string_view key) const;
  // A list that lies as a list, or as a tensor under this name.
  StatusOr<std::optional<std::vector<int64_t>>> Integers(std::string_view key) const;
  // An error when there is no such attribute, too.
  StatusOr<double> NeededReal(std::string_view key) const;

 private:
  std::optional<FlexMap> map_;
};

}  // namespace tern

#endif  // TERN_OPS_COMPOSITE_COMPOSITE_ATTRIBUTES_H_
