// SPDX-License-Identifier: Apache-2.0
// Values one after another as bytes, in the machine's order, for files that this machine reads
// again. Any bytes can be read: what is not there, or is no value of its type, makes the reader
// fail and reads as zero from then on.
#ifndef TERN_BASE_BYTE_STREAM_H_
#define TERN_BASE_BYTE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tern {

class ByteWriter {
 public:
  // Integers, floats, enumerations and bool.
  template <typename T>
  void Value(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    Append(&value, sizeof value);
  }
  void Text(std::string_view text) {
    Bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  void Bytes(std::span<const uint8_t> bytes) {
    Value(uint64_t{bytes.size()});
    Append(bytes.data(), bytes.size());
  }
  // The length, and write(item) for each.
  template <typename Items, typename Write>
  void List(const Items& items, Write write) {
    Value(uint64_t{items.size()});
    for (const auto& item : items) write(item);
  }

  std::vector<uint8_t> Take() { return std::move(bytes_); }

 private:
  void Append(const void* data, size_t size) {
    if (size == 0) return;
    const auto* from = static_cast<const uint8_t*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }

  std::vector<uint8_t> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  // Everything was read, and was right.
  bool Done() const { return ok_ && rest_.empty(); }

  template <typename T>
  T Value() {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    T value{};
    if (!ok_ || rest_.size() < sizeof value) return Fail(T{});
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  bool Bool() {
    const auto value = Value<uint8_t>();
    return value > 1 ? Fail(false) : value == 1;
  }
  // One of the enumerators up to `last`, which are counted from 0.
  template <typename Enum>
  Enum Enumerator(Enum last) {
    const auto value = Value<std::underlying_type_t<Enum>>();
    const auto max = static_cast<std::underlying_type_t<Enum>>(last);
    return value < 0 || value > max ? Fail(Enum{}) : static_cast<Enum>(value);
  }
  // A part of what is read.
  std::span<const uint8_t> Bytes() {
    const auto size = Value<uint64_t>();
    if (size > rest_.size()) return Fail(std::span<const uint8_t>());
    const auto bytes = rest_.first(static_cast<size_t>(size));
    rest_ = rest_.subspan(static_cast<size_t>(size));
    return bytes;
  }
  std::string Text() {
    const std::span<const uint8_t> bytes = Bytes();
    return {bytes.begin(), bytes.end()};
  }
  // Reads a list: a count, then one item by each call of `read`.
  template <typename Item, typename Read>
  std::vector<Item> List(Read read) {
    std::vector<Item> items;
    const auto count = Value<uint64_t>();
    // Each takes a byte at least.
    if (count > rest_.size()) return Fail(std::move(items));
    for (uint64_t i = 0; i < count && ok_; ++i) items.push_back(read());
    return items;
  }

 private:
  template <typename T>
  T Fail(T value) {
    ok_ = false;
    return value;
  }

  std::span<const uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace tern

#endif  // TERN_BASE_BYTE_STREAM_H_
