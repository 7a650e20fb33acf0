// SPDX-License-Identifier: Apache-2.0
//
// One profiler for several.
#include "tensorflow/lite/profiling/root_profiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tflite {
namespace profiling {
namespace {

using ::testing::ElementsAre;

// Records its events; its handles start at `first_handle`.
class Diary : public Profiler {
 public:
  Diary(std::vector<std::string>* lines, uint32_t first_handle)
      : lines_(lines), next_(first_handle) {}
  ~Diary() override { lines_->push_back("end"); }
  uint32_t BeginEvent(const char* tag, EventType, int64_t md1, int64_t md2) override {
    lines_->push_back(std::string("begin ") + tag + " " + std::to_string(md1 + md2));
    return next_++;
  }
  void EndEvent(uint32_t handle) override { lines_->push_back("done " + std::to_string(handle)); }
  void EndEvent(uint32_t handle, int64_t md1, int64_t md2) override {
    lines_->push_back("done " + std::to_string(handle) + " with " + std::to_string(md1 + md2));
  }
  void AddEvent(const char* tag, EventType, uint64_t metric, int64_t, int64_t) override {
    lines_->push_back(std::string("add ") + tag + " " + std::to_string(metric));
  }
  void AddEventWithData(const char* tag, EventType, const void*) override {
    lines_->push_back(std::string("data ") + tag);
  }

 private:
  std::vector<std::string>* const lines_;
  uint32_t next_;
};

TEST(RootProfiler, NothingToTell) {
  RootProfiler root;
  root.AddProfiler(static_cast<Profiler*>(nullptr));
  root.AddProfiler(std::unique_ptr<Profiler>());
  EXPECT_FALSE(root.HasChildProfilers());
  root.EndEvent(root.BeginEvent("a", Profiler::EventType::DEFAULT, 1));
  root.EndEvent(77);
  root.EndEvent(77, 1, 2);
}

TEST(RootProfiler, EachGetsItsOwnHandles) {
  std::vector<std::string> first;
  std::vector<std::string> second;
  Diary borrowed(&first, 10);
  {
    RootProfiler root;
    root.AddProfiler(&borrowed);
    root.EndEvent(root.BeginEvent("a", Profiler::EventType::DEFAULT, 1, 2));
    root.AddProfiler(std::make_unique<Diary>(&second, 20));
    const uint32_t outer = root.BeginEvent("b", Profiler::EventType::DEFAULT, 0, 0);
    const uint32_t inner = root.BeginEvent("c", Profiler::EventType::DEFAULT, 0, 0);
    EXPECT_NE(outer, inner);
    root.EndEvent(inner, 3, 4);
    root.EndEvent(outer);
    root.EndEvent(outer);  // a second time: nobody learns of it
    root.AddEvent("d", Profiler::EventType::DEFAULT, 5, 0);
    root.AddEventWithData("e", Profiler::EventType::DEFAULT, nullptr);
    root.RemoveChildProfilers();
    EXPECT_FALSE(root.HasChildProfilers());
    root.AddEvent("f", Profiler::EventType::DEFAULT, 5, 0);
  }
  EXPECT_THAT(first, ElementsAre("begin a 3", "done 10", "begin b 0", "begin c 0", "done 12 with 7",
                                 "done 11", "add d 5", "data e"));
  EXPECT_THAT(second, ElementsAre("begin b 0", "begin c 0", "done 21 with 7", "done 20", "add d 5",
                                  "data e", "end"));
}

}  // namespace
}  // namespace profiling
}  // namespace tflite
