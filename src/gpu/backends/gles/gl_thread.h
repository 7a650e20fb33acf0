// SPDX-License-Identifier: Apache-2.0
// A thread of its own for everything that needs the context: a context belongs to one thread, and
// the threads of the application may have contexts of theirs.
#ifndef TERN_GPU_BACKENDS_GLES_GL_THREAD_H_
#define TERN_GPU_BACKENDS_GLES_GL_THREAD_H_

#include <sys/types.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "base/thread.h"

namespace tern::gpu {

inline constexpr char kNoThread[] = "OpenGL ES: the system gives no thread for the context";

class GlThread {
 public:
  GlThread();
  // The thread itself must not destroy this object, and Run must not be under way.
  ~GlThread();
  GlThread(const GlThread&) = delete;
  GlThread& operator=(const GlThread&) = delete;

  // False in a forked child, and where the system refused a thread: Run must not be called.
  bool alive() const;

  // Runs the task on the thread, after those that came before, and returns when it is done. On the
  // thread itself the task runs at once.
  void Run(const std::function<void()>& task);

 private:
  struct Waiting {
    const std::function<void()>* task = nullptr;
    bool done = false;
  };

  void Loop();

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable queued_, finished_;
  std::deque<Waiting*> queue_;
  bool stop_ = false;
  Thread thread_;  // last: it uses the others
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_THREAD_H_
