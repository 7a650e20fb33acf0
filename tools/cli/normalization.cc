// SPDX-License-Identifier: Apache-2.0
// Walks the metadata's FlatBuffer by hand with a bounds check at every step: a handful of fields is
// all that is needed.
#include "cli/normalization.h"

#include <cstring>

namespace tern::cli {
namespace {

// Field numbers of the metadata tables.
constexpr int kModelSubgraphs = 3;
constexpr int kSubgraphInputs = 2;
constexpr int kTensorProcessUnits = 4;
constexpr int kUnitType = 0;
constexpr int kUnitOptions = 1;
constexpr uint8_t kNormalizationOptions = 1;
constexpr int kMean = 0;
constexpr int kStd = 1;

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  template <typename T>
  std::optional<T> Scalar(size_t at) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }

  // Where the offset stored at `at` points to.
  std::optional<size_t> Follow(size_t at) const {
    const std::optional<uint32_t> offset = Scalar<uint32_t>(at);
    if (!offset || *offset == 0 || *offset > bytes_.size()) return std::nullopt;
    return at + *offset;
  }

  // Where field `index` of the table is stored; nothing when it is absent.
  std::optional<size_t> Field(std::optional<size_t> table, int index) const {
    if (!table) return std::nullopt;
    const std::optional<int32_t> back = Scalar<int32_t>(*table);
    if (!back) return std::nullopt;
    const int64_t vtable = static_cast<int64_t>(*table) - *back;
    if (vtable < 0) return std::nullopt;
    const std::optional<uint16_t> size = Scalar<uint16_t>(static_cast<size_t>(vtable));
    const size_t slot = 4 + 2 * static_cast<size_t>(index);
    if (!size || slot + 2 > *size) return std::nullopt;
    const std::optional<uint16_t> offset = Scalar<uint16_t>(static_cast<size_t>(vtable) + slot);
    if (!offset || *offset == 0) return std::nullopt;
    return *table + *offset;
  }

  // Where element `index` of the vector field is stored (4-byte elements).
  std::optional<size_t> Element(std::optional<size_t> table, int field, size_t index) const {
    const std::optional<size_t> stored = Field(table, field);
    const std::optional<size_t> vector = stored ? Follow(*stored) : std::nullopt;
    const std::optional<uint32_t> size = vector ? Scalar<uint32_t>(*vector) : std::nullopt;
    if (!size || index >= *size) return std::nullopt;
    return *vector + 4 + 4 * index;
  }

  // The table that is element `index` of a vector field.
  std::optional<size_t> Table(std::optional<size_t> table, int field, size_t index) const {
    const std::optional<size_t> stored = Element(table, field, index);
    return stored ? Follow(*stored) : std::nullopt;
  }

 private:
  std::span<const uint8_t> bytes_;
};

}  // namespace

std::optional<Normalization> ReadNormalization(std::span<const uint8_t> metadata, int input) {
  const Reader reader(metadata);
  const std::optional<size_t> subgraph = reader.Table(reader.Follow(0), kModelSubgraphs, 0);
  const std::optional<size_t> tensor =
      reader.Table(subgraph, kSubgraphInputs, static_cast<size_t>(input));
  for (size_t i = 0;; ++i) {
    const std::optional<size_t> unit = reader.Table(tensor, kTensorProcessUnits, i);
    if (!unit) return std::nullopt;
    const std::optional<size_t> type = reader.Field(unit, kUnitType);
    if (!type || reader.Scalar<uint8_t>(*type) != kNormalizationOptions) continue;
    const std::optional<size_t> stored = reader.Field(unit, kUnitOptions);
    const std::optional<size_t> options = stored ? reader.Follow(*stored) : std::nullopt;
    const std::optional<size_t> mean = reader.Element(options, kMean, 0);
    const std::optional<size_t> std = reader.Element(options, kStd, 0);
    const std::optional<float> m = mean ? reader.Scalar<float>(*mean) : std::nullopt;
    const std::optional<float> s = std ? reader.Scalar<float>(*std) : std::nullopt;
    if (!m || !s || !(*s > 0)) return std::nullopt;
    return Normalization{*m, *s};
  }
}

}  // namespace tern::cli
