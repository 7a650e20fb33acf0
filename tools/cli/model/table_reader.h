// SPDX-License-Identifier: Apache-2.0
// Walks a FlatBuffer without its schema, with a bounds check at every step: what is not sound reads
// as absent. For the metadata of models, of which some fields are all that is needed.
#ifndef TERN_TOOLS_CLI_MODEL_TABLE_READER_H_
#define TERN_TOOLS_CLI_MODEL_TABLE_READER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace tern::cli {

class TableReader {
 public:
  // Where a table begins; nothing: it is absent.
  using Table = std::optional<size_t>;

  explicit TableReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  Table Root() const { return Follow(0); }
  // The table in a field of a table.
  Table Inner(Table table, int field) const;
  // The table that is element `index` of a vector field.
  Table Element(Table table, int field, size_t index) const;
  // Elements of a vector field; 0 where it is absent.
  size_t Size(Table table, int field) const;
  // A number in a field, `absent` where it is not there.
  template <typename T>
  T Number(Table table, int field, T absent) const {
    const std::optional<size_t> stored = Field(table, field);
    const std::optional<T> value = stored ? Scalar<T>(*stored) : std::nullopt;
    return value ? *value : absent;
  }
  // Number `index` of a vector field with elements of four bytes.
  std::optional<float> Float(Table table, int field, size_t index) const;
  // A text in a field; empty where it is absent.
  std::string Text(Table table, int field) const;

 private:
  template <typename T>
  std::optional<T> Scalar(size_t at) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }
  // Where the offset stored at `at` points to.
  std::optional<size_t> Follow(size_t at) const;
  // Where a field is stored.
  std::optional<size_t> Field(Table table, int field) const;
  // Where a vector or text in a field begins, with its number of elements.
  std::optional<size_t> Vector(Table table, int field) const;

  std::span<const uint8_t> bytes_;
};

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_TABLE_READER_H_
