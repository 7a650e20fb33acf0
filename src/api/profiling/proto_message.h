// SPDX-License-Identifier: Apache-2.0
// Messages of protocol buffers, written without a library for them.
#ifndef TERN_API_PROFILING_PROTO_MESSAGE_H_
#define TERN_API_PROFILING_PROTO_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tern {

// One message in the wire format. Fields are added in the order of their numbers.
class ProtoMessage {
 public:
  void AddInt(int field, int64_t value) {
    AddTag(field, 0);
    AddVarint(static_cast<uint64_t>(value));
  }
  void AddFloat(int field, float value) {
    AddTag(field, 5);
    AppendFloat(value);
  }
  void AddBytes(int field, std::string_view bytes) {
    AddTag(field, 2);
    AddVarint(bytes.size());
    bytes_ += bytes;
  }
  void AddMessage(int field, const ProtoMessage& message) { AddBytes(field, message.bytes_); }
  // Packed; left out when there are none.
  void AddInts(int field, const int* values, size_t count) {
    if (count == 0) return;
    ProtoMessage packed;
    for (size_t i = 0; i < count; ++i) packed.AppendInt(values[i]);
    AddMessage(field, packed);
  }

  // Elements of a packed field: a message of nothing else, which is then added as the field.
  void AppendInt(int64_t value) { AddVarint(static_cast<uint64_t>(value)); }
  void AppendFloat(float value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    bytes_.append(bytes, sizeof(bytes));
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void AddTag(int field, int wire_type) {
    AddVarint(static_cast<uint64_t>(field << 3 | wire_type));
  }
  void AddVarint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace tern

#endif  // TERN_API_PROFILING_PROTO_MESSAGE_H_
