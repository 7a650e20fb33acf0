// SPDX-License-Identifier: Apache-2.0
//
// Cached delegate data: what an entry depends on, writing, reading, damage, several writers.
#include "tensorflow/lite/delegates/serialization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/array.h"

namespace tflite {
namespace delegates {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class SerializationTest : public ::testing::Test {
 protected:
  SerializationTest() : folder_(::testing::TempDir() + "tern_serialization_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    graph_.Chain(2);
  }
  ~SerializationTest() override { fs::remove_all(folder_); }

  Serialization Cache(const char* token = "model") const {
    return Serialization({token, folder_.c_str()});
  }
  TfLiteContext* context() { return graph_.subgraph().context(); }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(folder_)) {
      names.push_back(file.path().filename().string());
    }
    return names;
  }

  const std::string folder_;
  tern::testing::Graph graph_;
};

TEST_F(SerializationTest, WritesAndReads) {
  Serialization cache = Cache();
  const SerializationEntry entry = cache.GetEntryForDelegate("key", context());
  std::string data = "old";
  EXPECT_EQ(entry.GetData(context(), &data), kTfLiteDelegateDataNotFound);
  EXPECT_TRUE(data.empty());
  EXPECT_TRUE(graph_.reporter.Has("couldn't be opened for reading"));
  const std::string bytes("a\0b", 3);
  ASSERT_EQ(entry.SetData(context(), bytes.data(), bytes.size()), kTfLiteOk);
  // Another object, as in another run.
  Serialization again = Cache();
  ::testing::internal::CaptureStderr();
  ASSERT_EQ(again.GetEntryForDelegate("key", context()).GetData(context(), &data), kTfLiteOk);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("INFO: Found serialized data for model model (3 B) at " + folder_));
  EXPECT_EQ(data, bytes);
  ASSERT_EQ(entry.SetData(context(), "new", 3), kTfLiteOk);
  ASSERT_EQ(entry.GetData(nullptr, &data), kTfLiteOk);
  EXPECT_EQ(data, "new");
  ASSERT_EQ(Files().size(), 1u);
  EXPECT_EQ(Files()[0], "model_" + std::to_string(entry.GetFingerprint()) + ".bin");
  const fs::perms mode = fs::status(folder_ + "/" + Files()[0]).permissions();
  EXPECT_EQ(mode & (fs::perms::group_all | fs::perms::others_all), fs::perms::none);
}

TEST_F(SerializationTest, FingerprintSeesWhatTheDataDependsOn) {
  using S = Serialization;
  const uint64_t base = S::GetFingerprint("m", "k", context());
  EXPECT_EQ(S::GetFingerprint("m", "k", context()), base);
  EXPECT_NE(S::GetFingerprint("n", "k", context()), base);
  EXPECT_NE(S::GetFingerprint("m", "j", context()), base);
  EXPECT_NE(S::GetFingerprint("m", "k"), base);
  const IntArrayUniquePtr one = BuildTfLiteArray({0});
  const IntArrayUniquePtr two = BuildTfLiteArray({1});
  TfLiteDelegateParams params = {nullptr, one.get(), one.get(), two.get()};
  const uint64_t kernel = S::GetFingerprint("m", "k", context(), &params);
  EXPECT_NE(kernel, base);
  params.nodes_to_replace = two.get();
  EXPECT_NE(S::GetFingerprint("m", "k", context(), &params), kernel);
  ASSERT_EQ(graph_.interpreter.ResizeInputTensor(0, {9}), kTfLiteOk);
  EXPECT_NE(S::GetFingerprint("m", "k", context()), base);
}

TEST_F(SerializationTest, TextFingerprint) {
  EXPECT_EQ(StrFingerprint("abc", 3), StrFingerprint("abcd", 3));
  EXPECT_NE(StrFingerprint("abc", 3), StrFingerprint("abd", 3));
  EXPECT_EQ(StrFingerprint("abc", 3).find_first_not_of("0123456789"), std::string::npos);
}

TEST_F(SerializationTest, DelegatedNodes) {
  Serialization cache = Cache();
  TfLiteIntArray* read = nullptr;
  EXPECT_EQ(GetDelegatedNodes(context(), &cache, "d", &read), kTfLiteDelegateDataNotFound);
  const IntArrayUniquePtr nodes = BuildTfLiteArray({4, 7, 9});
  ASSERT_EQ(SaveDelegatedNodes(context(), &cache, "d", nodes.get()), kTfLiteOk);
  ASSERT_EQ(GetDelegatedNodes(context(), &cache, "d", &read), kTfLiteOk);
  EXPECT_TRUE(TfLiteIntArrayEqual(read, nodes.get()));
  TfLiteIntArrayFree(read);
  const IntArrayUniquePtr none = BuildTfLiteArray<int>({});
  ASSERT_EQ(SaveDelegatedNodes(context(), &cache, "d", none.get()), kTfLiteOk);
  ASSERT_EQ(GetDelegatedNodes(context(), &cache, "d", &read), kTfLiteOk);
  EXPECT_EQ(read->size, 0);
  TfLiteIntArrayFree(read);
  // A list that is cut short or says more than it holds.
  for (const std::string& bytes : {std::string("\x05\0\0\0\1\0\0\0", 8), std::string("\x01\0\0", 3),
                                   std::string("\xFF\xFF\xFF\xFF", 4)}) {
    ASSERT_EQ(cache.GetEntryForDelegate("d_dnodes", context())
                  .SetData(context(), bytes.data(), bytes.size()),
              kTfLiteOk);
    EXPECT_EQ(GetDelegatedNodes(context(), &cache, "d", &read), kTfLiteDelegateDataReadError);
    EXPECT_EQ(read, nullptr);
  }
  EXPECT_EQ(SaveDelegatedNodes(context(), nullptr, "d", nodes.get()), kTfLiteError);
  EXPECT_EQ(GetDelegatedNodes(context(), &cache, "d", nullptr), kTfLiteError);
}

TEST_F(SerializationTest, NoFolderNoData) {
  std::string data;
  for (const char* folder : {static_cast<const char*>(nullptr), "", "/no/such/folder"}) {
    Serialization cache({"m", folder});
    const SerializationEntry entry = cache.GetEntryForDelegate("k", context());
    graph_.reporter.text.clear();
    EXPECT_EQ(entry.SetData(context(), "x", 1), kTfLiteDelegateDataWriteError);
    EXPECT_FALSE(graph_.reporter.text.empty());
    graph_.reporter.text.clear();
    EXPECT_EQ(entry.GetData(context(), &data), kTfLiteDelegateDataNotFound);
    EXPECT_FALSE(graph_.reporter.text.empty());
  }
  Serialization nameless({nullptr, folder_.c_str()});
  const SerializationEntry entry = nameless.GetEntryForDelegate("k", context());
  EXPECT_EQ(entry.SetData(context(), nullptr, 5), kTfLiteDelegateDataWriteError);
  ASSERT_EQ(entry.SetData(context(), "x", 1), kTfLiteOk);
  EXPECT_THAT(Files()[0], StartsWith("_"));
}

TEST_F(SerializationTest, EmptyAndUnreadableFiles) {
  Serialization cache = Cache();
  const SerializationEntry entry = cache.GetEntryForDelegate("k", context());
  ASSERT_EQ(entry.SetData(context(), "", 0), kTfLiteOk);
  std::string data;
  EXPECT_EQ(entry.GetData(context(), &data), kTfLiteDelegateDataNotFound);
  EXPECT_TRUE(graph_.reporter.Has("No serialized data found"));
  // A folder stands in the file's place.
  const std::string path = folder_ + "/" + Files()[0];
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(entry.GetData(context(), &data), kTfLiteDelegateDataReadError);
  EXPECT_EQ(entry.SetData(context(), "x", 1), kTfLiteDelegateDataWriteError);
  EXPECT_EQ(Files().size(), 1u) << "no temporary file stays";
}

TEST_F(SerializationTest, ReadersSeeWholeEntriesOnly) {
  Serialization cache = Cache();
  const SerializationEntry entry = cache.GetEntryForDelegate("k", nullptr);
  const std::string a(100000, 'a');
  const std::string b(50000, 'b');
  ASSERT_EQ(entry.SetData(nullptr, a.data(), a.size()), kTfLiteOk);
  ::testing::internal::CaptureStderr();
  std::vector<std::thread> writers;
  for (const std::string* text : {&a, &b}) {
    writers.emplace_back([&entry, text] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(entry.SetData(nullptr, text->data(), text->size()), kTfLiteOk);
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    std::string data;
    EXPECT_EQ(entry.GetData(nullptr, &data), kTfLiteOk);
    EXPECT_TRUE(data == a || data == b) << data.size();
  }
  for (std::thread& writer : writers) writer.join();
  ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(Files().size(), 1u);
}

}  // namespace
}  // namespace delegates
}  // namespace tflite
