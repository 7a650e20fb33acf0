// SPDX-License-Identifier: Apache-2.0
// A line about work that takes long, for a person who watches.
#ifndef TERN_TOOLS_CLI_PROGRESS_H_
#define TERN_TOOLS_CLI_PROGRESS_H_

#include <atomic>
#include <memory>
#include <string>

namespace tern::cli {

// From two seconds on, and while it lives, stderr shows the text and how long the work has taken;
// where stderr is no terminal it shows nothing. The work itself need not come back for it.
class Progress {
 public:
  // `of`: how many steps there are; 0: they are not counted.
  explicit Progress(std::string text, int of = 0);
  // Erases the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Another step begins.
  void Step() { ++step_; }

 private:
  struct Watcher;

  std::atomic<int> step_ = 0;
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_PROGRESS_H_
