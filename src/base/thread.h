// SPDX-License-Identifier: Apache-2.0
// A thread that the system may refuse: std::thread throws then, and the libraries do without
// exceptions.
#ifndef TERN_BASE_THREAD_H_
#define TERN_BASE_THREAD_H_

#include <pthread.h>

#include <functional>
#include <utility>

namespace tern {

class Thread {
 public:
  Thread() = default;  // none
  // Runs `body` on a new thread; started() is false where the system has no thread to give.
  explicit Thread(std::function<void()> body);
  // The thread must have been joined or detached.
  ~Thread() = default;
  Thread(Thread&& other) noexcept : thread_(other.thread_), started_(other.started_) {
    other.started_ = false;
  }
  // This one must have no thread.
  Thread& operator=(Thread&& other) noexcept {
    thread_ = other.thread_;
    started_ = std::exchange(other.started_, false);
    return *this;
  }

  bool started() const { return started_; }
  bool IsCurrent() const { return started_ && pthread_equal(thread_, pthread_self()) != 0; }

  // Waits for the end of the body; nothing without a thread.
  void Join();
  void Detach();

 private:
  pthread_t thread_{};
  bool started_ = false;
};

}  // namespace tern

#endif  // TERN_BASE_THREAD_H_
