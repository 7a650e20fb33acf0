// SPDX-License-Identifier: Apache-2.0
// The body travels to the new thread on the heap.
#include "base/thread.h"

#include <memory>
#include <utility>

namespace tern {
namespace {

using Body = std::function<void()>;

void* RunBody(void* argument) {
  const std::unique_ptr<Body> body(static_cast<Body*>(argument));
  (*body)();
  return nullptr;
}

}  // namespace

Thread::Thread(Body body) {
  auto moved = std::make_unique<Body>(std::move(body));
  started_ = pthread_create(&thread_, nullptr, RunBody, moved.get()) == 0;
  if (started_) moved.release();  // the thread's now
}

void Thread::Join() {
  if (!started_) return;
  pthread_join(thread_, nullptr);
  started_ = false;
}

void Thread::Detach() {
  if (!started_) return;
  pthread_detach(thread_);
  started_ = false;
}

}  // namespace tern
