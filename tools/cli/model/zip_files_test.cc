// SPDX-License-Identifier: Apache-2.0
// Archives behind other bytes, stored and deflated, sound and broken.
#include "cli/model/zip_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/model/model_labels.h"
#include "model/testing/shared_files.h"
#include "tensorflow/lite/model.h"

namespace tern::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

void PutNumber(uint64_t value, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i, value >>= 8) out->push_back(static_cast<char>(value));
}

// One file behind some bytes of a model. Offsets count from the archive where `from_archive`.
std::vector<uint8_t> Archive(const std::string& name, int method, const std::string& packed,
                             size_t size, bool from_archive) {
  std::string file = "bytes of a model";
  const size_t front = file.size();
  const auto common = [&](std::string* out) {
    PutNumber(20, 2, out);
    PutNumber(0, 2, out);
    PutNumber(static_cast<uint64_t>(method), 2, out);
    PutNumber(0, 8, out);  // time and check sum
    PutNumber(packed.size(), 4, out);
    PutNumber(size, 4, out);
    PutNumber(name.size(), 2, out);
    PutNumber(0, 2, out);
  };
  file += "PK\x03\x04";
  common(&file);
  file += name + packed;
  const size_t directory = file.size();
  file += "PK\x01\x02";
  PutNumber(20, 2, &file);
  common(&file);
  PutNumber(0, 10, &file);
  PutNumber(from_archive ? 0 : front, 4, &file);
  file += name;
  const size_t bytes = file.size() - directory;
  file += "PK\x05\x06";
  PutNumber(0, 4, &file);
  PutNumber(1, 2, &file);
  PutNumber(1, 2, &file);
  PutNumber(bytes, 4, &file);
  PutNumber(directory - (from_archive ? front : 0), 4, &file);
  PutNumber(0, 2, &file);
  return {file.begin(), file.end()};
}

TEST(ZipTest, ReadsStoredFiles) {
  for (const bool from_archive : {false, true}) {
    const auto file = Archive("labels.txt", 0, "cat\ndog\n", 8, from_archive);
    const auto list = ListZip(file);
    ASSERT_THAT(list, SizeIs(1));
    EXPECT_EQ(list[0].name, "labels.txt");
    EXPECT_EQ(*ReadZip(file, list[0]), "cat\ndog\n");
  }
}

TEST(ZipTest, ReadsDeflatedFiles) {
  // One block without compression: its head, its length twice, its bytes.
  const std::string deflated(
      "\x01\x03\x00\xfc\xff"
      "abc",
      8);
  const auto file = Archive("a", 8, deflated, 3, false);
  EXPECT_EQ(*ReadZip(file, ListZip(file)[0]), "abc");
  const auto longer = Archive("a", 8, deflated, 4, false);
  EXPECT_THAT(ReadZip(longer, ListZip(longer)[0]).status().message(), HasSubstr("damaged"));
  const auto other = Archive("a", 12, deflated, 3, false);
  EXPECT_EQ(ReadZip(other, ListZip(other)[0]).status().message(),
            "'a' in the model: it is packed by a method other than deflate");
  const auto large = Archive("a", 8, deflated, 1u << 31, false);
  EXPECT_THAT(ReadZip(large, ListZip(large)[0]).status().message(), HasSubstr("too large"));
}

TEST(ZipTest, BrokenBytesAreHarmless) {
  const auto sound = Archive("labels.txt", 0, "cat\n", 4, false);
  EXPECT_THAT(ListZip({}), IsEmpty());
  for (size_t i = 0; i < sound.size(); ++i) {
    for (const uint8_t value : {0, 1, 127, 255}) {
      std::vector<uint8_t> broken = sound;
      broken[i] = value;
      for (const ZipFile& file : ListZip(broken)) (void)ReadZip(broken, file);
    }
    const std::vector<uint8_t> cut(sound.begin(), sound.begin() + static_cast<long>(i));
    EXPECT_THAT(ListZip(cut), IsEmpty());
  }
}

TEST(ModelLabelsTest, TakesTheFileThatTheMetadataNames) {
  ModelNotes notes;
  notes.outputs.resize(3);
  notes.outputs[1].files.push_back({"labels.txt", "", 2, ""});
  notes.outputs[2].files.push_back({"other.txt", "", 2, ""});
  const ModelLabels found =
      ReadModelLabels(Archive("labels.txt", 0, "cat\ndog\n", 8, false), notes);
  ASSERT_THAT(found.by_output, SizeIs(1));
  EXPECT_EQ(found.by_output.at(1).Class(1, 2), "dog");
  ASSERT_THAT(found.wrong, SizeIs(1));
  EXPECT_EQ(found.wrong[0], "'other.txt', which the metadata names, is not in the model");
}

TEST(ModelLabelsTest, ReadsWhatToolsHavePacked) {
  const auto file =
      ::tern::testing::SharedRoot() / "models/yamnet_audio_classifier_with_metadata.tflite";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file.filename() << " is not there";
  const auto model = tflite::FlatBufferModel::BuildFromFile(file.c_str());
  ASSERT_NE(model, nullptr);
  const auto notes = ReadModelNotes(model->ReadAllMetadata().at("TFLITE_METADATA"));
  ASSERT_TRUE(notes.has_value());
  EXPECT_EQ(notes->name, "yamnet/classification");
  EXPECT_EQ(notes->inputs.at(0).sample_rate, 16000);
  const auto* bytes = static_cast<const uint8_t*>(model->allocation()->base());
  const ModelLabels found = ReadModelLabels({bytes, model->allocation()->bytes()}, *notes);
  ASSERT_THAT(found.by_output, SizeIs(1));
  EXPECT_EQ(found.by_output.at(0).Class(520, 521), "Field recording");
  EXPECT_EQ(found.by_output.at(0).Misfit(521), "");
}

}  // namespace
}  // namespace tern::cli
