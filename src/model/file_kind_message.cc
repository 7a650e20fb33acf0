// SPDX-License-Identifier: Apache-2.0
// Models that are messages of protocol buffers. They have no signature: their first fields tell.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

#include "base/status.h"
#include "model/file_kind.h"

namespace tern {
namespace {

enum Wire : int { kVarint = 0, kBytes = 2, kFixed32 = 5 };

struct Field {
  int number = 0;
  int wire = -1;
  uint64_t value = 0;      // kVarint
  std::string_view bytes;  // kBytes; what the file has of them

  bool Is(int n, int w) const { return number == n && wire == w; }
};

std::optional<uint64_t> TakeVarint(std::string_view* from) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && !from->empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(from->front());
    from->remove_prefix(1);
    value |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// nullopt: no field begins here.
std::optional<Field> TakeField(std::string_view* from) {
  const std::optional<uint64_t> tag = TakeVarint(from);
  if (!tag || *tag >> 3 == 0 || *tag >> 3 > 4096) return std::nullopt;
  Field field;
  field.number = static_cast<int>(*tag >> 3);
  field.wire = static_cast<int>(*tag & 7);
  size_t skip = 0;
  switch (field.wire) {
    case kVarint:
    case kBytes: {
      const std::optional<uint64_t> value = TakeVarint(from);
      if (!value) return std::nullopt;
      field.value = *value;
      if (field.wire == kVarint) break;
      skip = static_cast<size_t>(std::min<uint64_t>(*value, from->size()));
      field.bytes = from->substr(0, skip);
      break;
    }
    case kFixed32:
      skip = 4;
      break;
    case 1:
      skip = 8;
      break;
    default:
      return std::nullopt;
  }
  from->remove_prefix(std::min(skip, from->size()));
  return field;
}

// At most `max` fields from the front.
std::vector<Field> FirstFields(std::string_view message, size_t max) {
  std::vector<Field> fields;
  while (fields.size() < max && !message.empty()) {
    const std::optional<Field> field = TakeField(&message);
    if (!field) return {};
    fields.push_back(*field);
  }
  return fields;
}

bool IsPrintable(std::string_view bytes) {
  return bytes.size() < 1024 && std::all_of(bytes.begin(), bytes.end(), [](char c) {
           return static_cast<uint8_t>(c) >= 0x20 && c != 0x7f;
         });
}

bool IsWord(std::string_view bytes) { return !bytes.empty() && IsPrintable(bytes); }

// Behind its version comes the name of the producer, or what else ONNX has on the first level.
bool IsOnnx(const std::vector<Field>& fields) {
  constexpr uint64_t kMaxVersion = 64;
  if (fields.size() < 2 || !fields[0].Is(1, kVarint) || fields[0].value > kMaxVersion) return false;
  const Field& next = fields[1];
  if (next.wire == kVarint) return next.number == 5;
  if (next.wire != kBytes) return false;
  const bool text = next.number == 2 || next.number == 3 || next.number == 4 || next.number == 6;
  return text ? IsPrintable(next.bytes) : next.number == 7 || next.number == 8 || next.number == 14;
}

// Graphs of a SavedModel begin with the names of operations and tags such as "serve".
bool IsSavedModel(const std::vector<Field>& fields) {
  if (fields.size() < 2 || !fields[0].Is(1, kVarint) || fields[0].value != 1) return false;
  if (!fields[1].Is(2, kBytes)) return false;
  const std::vector<Field> graph = FirstFields(fields[1].bytes, 1);
  if (graph.empty() || !graph[0].Is(1, kBytes)) return false;
  const std::vector<Field> info = FirstFields(graph[0].bytes, 3);
  return std::any_of(info.begin(), info.end(), [](const Field& field) {
    return field.Is(4, kBytes) || field.Is(5, kBytes) ||
           (field.Is(2, kBytes) && field.bytes.starts_with('\x0a'));
  });
}

// A description of inputs, each with its name, behind the version.
bool IsCoreMl(const std::vector<Field>& fields) {
  constexpr uint64_t kMaxVersion = 64;
  if (fields.size() < 2 || !fields[0].Is(1, kVarint) || fields[0].value > kMaxVersion) return false;
  if (!fields[1].Is(2, kBytes)) return false;
  const std::vector<Field> description = FirstFields(fields[1].bytes, 1);
  if (description.empty() || !description[0].Is(1, kBytes)) return false;
  const std::vector<Field> input = FirstFields(description[0].bytes, 3);
  return !input.empty() && input[0].Is(1, kBytes) && IsWord(input[0].bytes);
}

// The first node of a frozen graph has a name, and an operation as Placeholder or Const.
bool IsFrozenGraph(const std::vector<Field>& fields) {
  if (fields.empty() || !fields[0].Is(1, kBytes)) return false;
  const std::vector<Field> node = FirstFields(fields[0].bytes, 2);
  return node.size() == 2 && node[0].Is(1, kBytes) && IsWord(node[0].bytes) &&
         node[1].Is(2, kBytes) && IsWord(node[1].bytes) &&
         std::isupper(static_cast<unsigned char>(node[1].bytes[0])) != 0;
}

// The first piece of a SentencePiece model has a text and a score.
bool IsSentencePiece(const std::vector<Field>& fields) {
  if (fields.size() < 2 || !fields[0].Is(1, kBytes) || !fields[1].Is(1, kBytes)) return false;
  const std::vector<Field> piece = FirstFields(fields[0].bytes, 2);
  return piece.size() == 2 && piece[0].Is(1, kBytes) && IsWord(piece[0].bytes) &&
         piece[1].Is(2, kFixed32);
}

}  // namespace

std::optional<std::string> DescribeMessage(std::span<const uint8_t> bytes) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::vector<Field> fields = FirstFields(file, 2);
  if (IsSavedModel(fields)) {
    return "the graph of a SavedModel of TensorFlow (saved_model.pb): convert its folder with "
           "tf.lite.TFLiteConverter";
  }
  if (IsCoreMl(fields)) return "a Core ML model (.mlmodel)";
  if (IsOnnx(fields)) return "an ONNX model: convert the model to .tflite";
  if (IsFrozenGraph(fields)) {
    return "a frozen graph of TensorFlow (.pb): convert it with tf.lite.TFLiteConverter";
  }
  if (IsSentencePiece(fields)) return "a tokenizer of SentencePiece, which is no model to run";
  return std::nullopt;
}

}  // namespace tern
