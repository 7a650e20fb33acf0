// SPDX-License-Identifier: Apache-2.0
// Numbers out of the map, with the attribute's name in front of what is wrong with it.
#include "ops/composite/composite_attributes_gpu.h"

#include <algorithm>
#include <string>

namespace tern {
namespace {

// Converters store a list as a tensor, in a map of its own below a longer name.
constexpr const char* kTensorPrefix = "_TENSOR_V1_";
constexpr const char* kTensorData = "TENSOR_DATA";

std::string Text(std::string_view key) { return StrCat("attribute ", key); }

std::string_view WithoutPrefix(std::string_view key) {
  const std::string_view prefix = kTensorPrefix;
  return key.substr(0, prefix.size()) == prefix ? key.substr(prefix.size()) : key;
}

}  // namespace

StatusOr<CompositeAttributes> CompositeAttributes::Of(
    const TfLiteStablehloCompositeParams& params, std::initializer_list<std::string_view> known) {
  CompositeAttributes attributes;
  if (params.attributes == nullptr || params.attributes_size == 0) return attributes;
  TERN_ASSIGN_OR_RETURN(attributes.map_, FlexMap::Open(params.attributes, params.attributes_size));
  for (const std::string_view key : attributes.map_->Keys()) {
    if (std::find(known.begin(), known.end(), WithoutPrefix(key)) != known.end()) continue;
    return Unsupported(Text(key), " is not understood");
  }
  return attributes;
}

StatusOr<std::optional<double>> CompositeAttributes::Real(std::string_view key) const {
  if (!map_.has_value()) return std::optional<double>();
  const auto number = map_->Find(key);
  if (!number.ok()) return WithPrefix(number.status(), Text(key));
  if (!number->has_value()) return std::optional<double>();
  return std::optional<double>((*number)->as_double);
}

StatusOr<std::optional<int64_t>> CompositeAttributes::Integer(std::string_view key) const {
  if (!map_.has_value()) return std::optional<int64_t>();
  const auto number = map_->Find(key);
  if (!number.ok()) return WithPrefix(number.status(), Text(key));
  if (!number->has_value()) return std::optional<int64_t>();
  if (!(*number)->integer) return Invalid(Text(key), ": it is no integer");
  return std::optional<int64_t>((*number)->as_integer);
}

StatusOr<std::optional<std::vector<int64_t>>> CompositeAttributes::Integers(
    std::string_view key) const {
  using List = std::optional<std::vector<int64_t>>;
  if (!map_.has_value()) return List();
  const auto tensor = map_->FindMap(StrCat(kTensorPrefix, key));
  if (!tensor.ok()) return WithPrefix(tensor.status(), Text(key));
  const StatusOr<List> list =
      tensor->has_value() ? (*tensor)->FindIntegers(kTensorData) : map_->FindIntegers(key);
  if (!list.ok()) return WithPrefix(list.status(), Text(key));
  return *list;
}

StatusOr<double> CompositeAttributes::NeededReal(std::string_view key) const {
  TERN_ASSIGN_OR_RETURN(const std::optional<double> number, Real(key));
  if (!number.has_value()) return Invalid(Text(key), " is missing");
  return *number;
}

}  // namespace tern
