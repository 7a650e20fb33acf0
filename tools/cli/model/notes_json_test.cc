// SPDX-License-Identifier: Apache-2.0
#include "cli/model/notes_json.h"

#include <gtest/gtest.h>

#include "cli/testing/metadata.h"

namespace tern::cli {
namespace {

TEST(NotesJson, TellsTensorsAndTheirFiles) {
  const auto notes = ReadModelNotes(testing::Metadata(127.5f, 64.0f, 1));
  ASSERT_TRUE(notes.has_value());
  ZipFile labels;
  labels.name = "labels.txt";
  labels.bytes = 42;
  const nlohmann::ordered_json told = NotesJson(*notes, {labels});
  EXPECT_EQ(told["name"], "a model");
  EXPECT_EQ(told["license"], "Apache");
  EXPECT_EQ(told["files"], nlohmann::ordered_json::array());
  ASSERT_EQ(told["inputs"].size(), 3u);
  EXPECT_TRUE(told["inputs"][0]["normalization"].is_null());
  EXPECT_EQ(told["inputs"][1]["normalization"]["std"], 64.0f);
  EXPECT_EQ(told["inputs"][2]["content"], "sound, 16000 Hz, 1 channel");
  const auto& files = told["outputs"][0]["files"];
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0]["type"], "vocabulary");
  EXPECT_TRUE(files[0]["bytes"].is_null()) << "it is not in the model";
  EXPECT_EQ(files[2]["name"], "labels.txt");
  EXPECT_EQ(files[2]["bytes"], 42);
}

}  // namespace
}  // namespace tern::cli
