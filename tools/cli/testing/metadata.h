// SPDX-License-Identifier: Apache-2.0
// Metadata of a model for tests, field by field, sound or not.
#ifndef TERN_TOOLS_CLI_TESTING_METADATA_H_
#define TERN_TOOLS_CLI_TESTING_METADATA_H_

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <vector>

namespace tern::testing {

using Table = flatbuffers::Offset<flatbuffers::Table>;

// Writes tables by the numbers of their fields.
class MetadataWriter {
 public:
  struct Field {
    int number;
    flatbuffers::Offset<void> offset;
  };
  struct Number {
    int number;
    uint32_t value;
    int bytes;
  };

  Field Name(int number, const char* text) { return {number, b_.CreateString(text).Union()}; }
  Field List(int number, const std::vector<Table>& tables) {
    return {number, b_.CreateVector(tables).Union()};
  }
  Field Floats(int number, float value) {
    return {number, b_.CreateVector(std::vector<float>{value}).Union()};
  }
  Table Make(const std::vector<Field>& fields, const std::vector<Number>& numbers = {}) {
    const auto slot = [](int field) { return static_cast<flatbuffers::voffset_t>(4 + 2 * field); };
    const auto start = b_.StartTable();
    for (const Field& f : fields) b_.AddOffset(slot(f.number), f.offset);
    for (const Number& n : numbers) {
      if (n.bytes == 4)
        b_.AddElement<uint32_t>(slot(n.number), n.value, 0);
      else
        b_.AddElement<uint8_t>(slot(n.number), static_cast<uint8_t>(n.value), 0);
    }
    return Table(b_.EndTable(start));
  }
  std::vector<uint8_t> Finish(Table root) {
    b_.Finish(root, "M001");
    return {b_.GetBufferPointer(), b_.GetBufferPointer() + b_.GetSize()};
  }

 private:
  flatbuffers::FlatBufferBuilder b_;
};

// One subgraph, whose input 1 is normalized and whose input 2 is sound.
inline std::vector<uint8_t> Metadata(float mean, float std, uint8_t unit_type) {
  MetadataWriter w;
  const Table unit =
      w.Make({{1, w.Make({w.Floats(0, mean), w.Floats(1, std)}).Union()}}, {{0, unit_type, 1}});
  const Table picture = w.Make({w.Name(0, "photo"), w.List(4, {unit})});
  const Table sound = w.Make({{1, w.Make({}, {{0, 16000, 4}, {1, 1, 4}}).Union()}}, {{0, 4, 1}});
  const Table heard = w.Make({{3, sound.Union()}});
  const Table german = w.Make({w.Name(0, "namen.txt"), w.Name(3, "de")}, {{2, 2, 1}});
  const Table english = w.Make({w.Name(0, "labels.txt")}, {{2, 2, 1}});
  const Table words = w.Make({w.Name(0, "words.txt")}, {{2, 5, 1}});
  const Table scores = w.Make({w.Name(0, "scores"), w.List(6, {words, german, english})});
  const Table plain = w.Make({});
  const Table subgraph = w.Make({w.List(2, {plain, picture, heard}), w.List(3, {scores})});
  return w.Finish(w.Make({w.Name(0, "a model"), w.Name(1, "sees\nthings"), w.Name(4, "somebody"),
                          w.Name(5, "Apache"), w.List(3, {subgraph})}));
}

}  // namespace tern::testing

#endif  // TERN_TOOLS_CLI_TESTING_METADATA_H_
