// SPDX-License-Identifier: Apache-2.0
// Normalization from metadata, sound and broken.
#include "cli/normalization.h"

#include <flatbuffers/flatbuffers.h>
#include <gtest/gtest.h>

#include <vector>

namespace tern::cli {
namespace {

// A metadata buffer with one subgraph, whose input 1 is normalized.
std::vector<uint8_t> Metadata(float mean, float std, uint8_t unit_type) {
  flatbuffers::FlatBufferBuilder b;
  using Table = flatbuffers::Offset<flatbuffers::Table>;
  const auto end = [&b](auto start) { return Table(b.EndTable(start)); };
  const auto slot = [](int field) { return static_cast<flatbuffers::voffset_t>(4 + 2 * field); };
  const auto means = b.CreateVector(std::vector<float>{mean});
  const auto stds = b.CreateVector(std::vector<float>{std});
  auto start = b.StartTable();
  b.AddOffset(slot(0), means);
  b.AddOffset(slot(1), stds);
  const Table options = end(start);
  start = b.StartTable();
  b.AddOffset(slot(1), options);
  b.AddElement<uint8_t>(slot(0), unit_type, 0);
  const Table unit = end(start);
  const auto units = b.CreateVector(std::vector<Table>{unit});
  start = b.StartTable();
  b.AddOffset(slot(4), units);
  const Table tensor = end(start);
  const Table plain = end(b.StartTable());
  const auto inputs = b.CreateVector(std::vector<Table>{plain, tensor});
  start = b.StartTable();
  b.AddOffset(slot(2), inputs);
  const Table subgraph = end(start);
  const auto subgraphs = b.CreateVector(std::vector<Table>{subgraph});
  start = b.StartTable();
  b.AddOffset(slot(3), subgraphs);
  b.Finish(end(start), "M001");
  return {b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize()};
}

TEST(NormalizationTest, ReadsMeanAndDeviation) {
  const auto found = ReadNormalization(Metadata(127.5f, 64.0f, 1), 1);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->mean, 127.5f);
  EXPECT_EQ(found->std, 64.0f);
}

TEST(NormalizationTest, OtherInputsAndUnitsHaveNone) {
  EXPECT_FALSE(ReadNormalization(Metadata(127.5f, 64.0f, 1), 0).has_value());
  EXPECT_FALSE(ReadNormalization(Metadata(127.5f, 64.0f, 1), 2).has_value());
  EXPECT_FALSE(ReadNormalization(Metadata(127.5f, 64.0f, 3), 1).has_value());
  EXPECT_FALSE(ReadNormalization(Metadata(127.5f, 0.0f, 1), 1).has_value());
}

TEST(NormalizationTest, BrokenBytesAreHarmless) {
  const std::vector<uint8_t> sound = Metadata(127.5f, 64.0f, 1);
  EXPECT_FALSE(ReadNormalization({}, 0).has_value());
  for (size_t size = 0; size < sound.size(); ++size) {
    ReadNormalization(std::vector<uint8_t>(sound.begin(), sound.begin() + size), 1);
  }
  for (size_t i = 0; i < sound.size(); ++i) {
    for (uint8_t value : {0, 1, 127, 128, 255}) {
      std::vector<uint8_t> broken = sound;
      broken[i] = value;
      ReadNormalization(broken, 1);
    }
  }
}

}  // namespace
}  // namespace tern::cli
