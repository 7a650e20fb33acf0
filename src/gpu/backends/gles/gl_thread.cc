// SPDX-License-Identifier: Apache-2.0
// The caller's stack holds the task, since the caller waits for it.
#include "gpu/backends/gles/gl_thread.h"

#include <unistd.h>

namespace tern::gpu {

GlThread::GlThread() : process_(getpid()), thread_([this] { Loop(); }) {}

GlThread::~GlThread() {
  if (!alive()) {
    thread_.Detach();
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  queued_.notify_one();
  thread_.Join();
}

bool GlThread::alive() const { return thread_.started() && process_ == getpid(); }

void GlThread::Run(const std::function<void()>& task) {
  if (thread_.IsCurrent()) {
    task();
    return;
  }
  Waiting waiting{&task};
  std::unique_lock<std::mutex> lock(mutex_);
  queue_.push_back(&waiting);
  queued_.notify_one();
  finished_.wait(lock, [&] { return waiting.done; });
}

void GlThread::Loop() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    queued_.wait(lock, [this] { return stop_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Waiting* const next = queue_.front();
    queue_.pop_front();
    lock.unlock();
    (*next->task)();
    lock.lock();
    next->done = true;
    finished_.notify_all();
  }
}

}  // namespace tern::gpu
