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
  const nlohmann::ordered_json reported = NotesJson(*notes, {labels});
  EXPECT_EQ(reported["name"], "a model");
  EXPECT_EQ(reported["license"], "Apache");
  EXPECT_EQ(reported["files"], nlohmann::ordered_json::array());
  ASSERT_EQ(reported["inputs"].size(), 3u);
  EXPECT_TRUE(reported["inputs"][0]["normalization"].is_null());
  EXPECT_EQ(reported["inputs"][1]["normalization"]["std"], 64.0f);
  EXPECT_EQ(reported["inputs"][2]["content"], "sound, 16000 Hz, 1 channel");
  const auto& files = reported["outputs"][0]["files"];
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0]["type"], "vocabulary");
  EXPECT_TRUE(files[0]["bytes"].is_null()) << "it is not in the model";
  EXPECT_EQ(files[2]["name"], "labels.txt");
  EXPECT_EQ(files[2]["bytes"], 42);
}

}  // namespace
}  // namespace tern::cli
