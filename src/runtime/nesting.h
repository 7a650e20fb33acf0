// SPDX-License-Identifier: Apache-2.0
// Bounds on graphs that run other graphs, so that hostile models end in an error: how deep such
// calls go, and how many there are within one call of the application.
#ifndef TERN_RUNTIME_NESTING_H_
#define TERN_RUNTIME_NESTING_H_

#include <cstdint>

namespace tern {

// Lives as long as one graph is prepared or runs. The counts are those of its thread.
class Nesting {
 public:
  // Deep enough for models, shallow enough for the stacks of threads.
  static constexpr int kMaxDepth = 64;
  // A graph without operators takes a microsecond: a loop that never ends does so after a minute
  // or two.
  static constexpr int64_t kMaxRuns = int64_t{1} << 26;
  static constexpr int64_t kMaxPreparations = int64_t{1} << 20;

  explicit Nesting(bool is_run) {
    if (depth_++ == 0) runs_ = preparations_ = 0;
    ++(is_run ? runs_ : preparations_);
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

  // Returns an error text that names the count beyond its bound, or null.
  const char* Error() const {
    if (depth_ > kMaxDepth) return "Subgraphs call each other too deeply.";
    if (runs_ > kMaxRuns) return "Subgraphs ran too often within one call of Invoke().";
    if (preparations_ > kMaxPreparations) {
      return "Subgraphs were prepared too often within one call of the application.";
    }
    return nullptr;
  }

 private:
  static inline thread_local int depth_ = 0;
  static inline thread_local int64_t runs_ = 0, preparations_ = 0;
};

}  // namespace tern

#endif  // TERN_RUNTIME_NESTING_H_
