// SPDX-License-Identifier: Apache-2.0
#include "cli/model/table_reader.h"

#include <algorithm>

namespace tern::cli {

std::optional<size_t> TableReader::Follow(size_t at) const {
  const std::optional<uint32_t> offset = Scalar<uint32_t>(at);
  if (!offset || *offset == 0 || *offset > bytes_.size()) return std::nullopt;
  return at + *offset;
}

std::optional<size_t> TableReader::Field(Table table, int field) const {
  if (!table) return std::nullopt;
  const std::optional<int32_t> back = Scalar<int32_t>(*table);
  if (!back) return std::nullopt;
  const int64_t vtable = static_cast<int64_t>(*table) - *back;
  if (vtable < 0) return std::nullopt;
  const std::optional<uint16_t> size = Scalar<uint16_t>(static_cast<size_t>(vtable));
  const size_t slot = 4 + 2 * static_cast<size_t>(field);
  if (!size || slot + 2 > *size) return std::nullopt;
  const std::optional<uint16_t> offset = Scalar<uint16_t>(static_cast<size_t>(vtable) + slot);
  if (!offset || *offset == 0) return std::nullopt;
  return *table + *offset;
}

std::optional<size_t> TableReader::Vector(Table table, int field) const {
  const std::optional<size_t> stored = Field(table, field);
  return stored ? Follow(*stored) : std::nullopt;
}

TableReader::Table TableReader::Inner(Table table, int field) const { return Vector(table, field); }

// No more than fit into the bytes.
size_t TableReader::Size(Table table, int field) const {
  const std::optional<size_t> vector = Vector(table, field);
  const std::optional<uint32_t> size = vector ? Scalar<uint32_t>(*vector) : std::nullopt;
  return size ? std::min<size_t>(*size, bytes_.size()) : 0;
}

TableReader::Table TableReader::Element(Table table, int field, size_t index) const {
  if (index >= Size(table, field)) return std::nullopt;
  return Follow(*Vector(table, field) + 4 + 4 * index);
}

std::optional<float> TableReader::Float(Table table, int field, size_t index) const {
  if (index >= Size(table, field)) return std::nullopt;
  return Scalar<float>(*Vector(table, field) + 4 + 4 * index);
}

std::string TableReader::Text(Table table, int field) const {
  const size_t size = Size(table, field);
  if (size == 0) return "";
  const size_t at = *Vector(table, field) + 4;
  if (at > bytes_.size() || bytes_.size() - at < size) return "";
  return {reinterpret_cast<const char*>(bytes_.data()) + at, size};
}

}  // namespace tern::cli
