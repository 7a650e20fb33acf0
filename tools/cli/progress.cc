// SPDX-License-Identifier: Apache-2.0
// The line is written by a thread of its own, as a driver's build does not come back for seconds.
#include "cli/progress.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/engine/timing.h"

namespace tern::cli {

struct Progress::Watcher {
  std::mutex mutex;
  std::condition_variable ended;
  bool end = false;
  bool shown = false;
  std::thread thread;
};

Progress::Progress(std::string text, int of) {
  if (isatty(STDERR_FILENO) == 0) return;
  watcher_ = std::make_unique<Watcher>();
  watcher_->thread = std::thread([this, text = std::move(text), of, watcher = watcher_.get()] {
    const Stopwatch watch;
    std::unique_lock lock(watcher->mutex);
    auto wait = std::chrono::milliseconds(2000);
    while (!watcher->ended.wait_for(lock, wait, [watcher] { return watcher->end; })) {
      const std::string steps = of > 0 ? absl::StrCat(" ", step_.load(), " of ", of) : "";
      std::fprintf(stderr, "\r\033[K%s%s, %.0f s", text.c_str(), steps.c_str(), watch.Ms() / 1000);
      watcher->shown = true;
      wait = std::chrono::milliseconds(500);
    }
  });
}

Progress::~Progress() {
  if (watcher_ == nullptr) return;
  {
    const std::lock_guard lock(watcher_->mutex);
    watcher_->end = true;
  }
  watcher_->ended.notify_one();
  watcher_->thread.join();
  if (watcher_->shown) std::fprintf(stderr, "\r\033[K");
}

}  // namespace tern::cli
