// SPDX-License-Identifier: Apache-2.0
// Metadata of a model, sound and broken.
#include "cli/model_metadata.h"

#include <flatbuffers/flatbuffers.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace tern::cli {
namespace {

using Table = flatbuffers::Offset<flatbuffers::Table>;

// Writes tables by the numbers of their fields.
class Writer {
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
std::vector<uint8_t> Metadata(float mean, float std, uint8_t unit_type) {
  Writer w;
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

std::optional<Normalization> NormalizationOf(const std::vector<uint8_t>& metadata, size_t input) {
  const std::optional<ModelNotes> notes = ReadModelNotes(metadata);
  if (!notes || input >= notes->inputs.size()) return std::nullopt;
  return notes->inputs[input].normalization;
}

TEST(ModelMetadataTest, ReadsTextsFilesAndSound) {
  const auto notes = ReadModelNotes(Metadata(127.5f, 64.0f, 1));
  ASSERT_TRUE(notes.has_value());
  EXPECT_EQ(notes->name, "a model");
  EXPECT_EQ(notes->description, "sees\nthings");
  EXPECT_EQ(notes->author, "somebody");
  EXPECT_EQ(notes->license, "Apache");
  EXPECT_EQ(notes->version, "");
  ASSERT_EQ(notes->inputs.size(), 3u);
  EXPECT_EQ(notes->inputs[1].name, "photo");
  EXPECT_EQ(notes->inputs[2].content, "sound, 16000 Hz, 1 channel");
  EXPECT_EQ(notes->inputs[2].sample_rate, 16000);
  ASSERT_EQ(notes->outputs.size(), 1u);
  ASSERT_NE(notes->outputs[0].LabelFile(), nullptr);
  EXPECT_EQ(notes->outputs[0].LabelFile()->name, "labels.txt");  // in no language
  EXPECT_EQ(notes->outputs[0].files[0].TypeName(), "vocabulary");
  EXPECT_EQ(notes->inputs[0].LabelFile(), nullptr);
}

TEST(ModelMetadataTest, ReadsMeanAndDeviation) {
  const auto found = NormalizationOf(Metadata(127.5f, 64.0f, 1), 1);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->mean, 127.5f);
  EXPECT_EQ(found->std, 64.0f);
}

TEST(ModelMetadataTest, OtherInputsAndUnitsHaveNoMean) {
  EXPECT_FALSE(NormalizationOf(Metadata(127.5f, 64.0f, 1), 0).has_value());
  EXPECT_FALSE(NormalizationOf(Metadata(127.5f, 64.0f, 3), 1).has_value());
  EXPECT_FALSE(NormalizationOf(Metadata(127.5f, 0.0f, 1), 1).has_value());
}

TEST(ModelMetadataTest, BrokenBytesAreHarmless) {
  const std::vector<uint8_t> sound = Metadata(127.5f, 64.0f, 1);
  EXPECT_FALSE(ReadModelNotes(std::vector<uint8_t>()).has_value());
  for (size_t size = 0; size < sound.size(); ++size) {
    ReadModelNotes(std::vector<uint8_t>(sound.begin(), sound.begin() + static_cast<long>(size)));
  }
  for (size_t i = 0; i < sound.size(); ++i) {
    for (uint8_t value : {0, 1, 127, 128, 255}) {
      std::vector<uint8_t> broken = sound;
      broken[i] = value;
      ReadModelNotes(broken);
    }
  }
}

}  // namespace
}  // namespace tern::cli
