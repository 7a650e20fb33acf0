// SPDX-License-Identifier: Apache-2.0
// The handlers of before, and who is inside.
#include "signal_keeper.h"

#include <signal.h>

#include <array>
#include <mutex>

namespace {

// Signals that the JVM uses itself.
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL, SIGTRAP, SIGXFSZ,
                                 SIGPIPE, SIGHUP, SIGUSR2, SIGINT, SIGTERM, SIGQUIT};

struct State {
  std::mutex mutex;
  int inside = 0;
  std::array<struct sigaction, kSignals.size()> before;
};

// Never destroyed: threads may be inside when the process ends.
State& TheState() {
  static auto* const state = new State;
  return *state;
}

// The handler or the action, which share their place.
bool SameHandler(const struct sigaction& a, const struct sigaction& b) {
  return a.sa_sigaction == b.sa_sigaction;
}

}  // namespace

void TfLiteJavaEnterDriver(void) {
  State& state = TheState();
  const std::lock_guard lock(state.mutex);
  if (state.inside++ != 0) return;
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], nullptr, &state.before[i]);
}

void TfLiteJavaLeaveDriver(void) {
  State& state = TheState();
  const std::lock_guard lock(state.mutex);
  --state.inside;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now;
    sigaction(kSignals[i], nullptr, &now);
    if (!SameHandler(now, state.before[i])) sigaction(kSignals[i], &state.before[i], nullptr);
  }
}
