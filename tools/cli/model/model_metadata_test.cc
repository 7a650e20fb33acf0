// SPDX-License-Identifier: Apache-2.0
// Metadata of a model, sound and broken.
#include "cli/model/model_metadata.h"
#include "cli/testing/metadata.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace tern::cli {
namespace {

using testing::Metadata;
using testing::MetadataWriter;

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
