// SPDX-License-Identifier: Apache-2.0
// Where time goes: what starts a model and runs it notes how long each step took, in a list that
// the caller gives along. Without a list no clock is asked.
#ifndef TERN_GPU_DESC_PHASES_H_
#define TERN_GPU_DESC_PHASES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace tern {

enum class Phase : uint8_t {
  // Of a start, in this order; those of each part of a graph come again.
  kOpen,     // the device
  kRead,     // the runtime's graph
  kCheck,    // which nodes the device could take
  kTune,     // measuring tuning parameters of nodes
  kPasses,   // rewriting the graph
  kLower,    // nodes to dispatches
  kPlan,     // memory, group sizes, limits
  kRestore,  // what an earlier start saved; beyond kUpload
  kPrint,    // program texts
  kCompile,  // by the driver, in all threads; beyond kUpload
  kUpload,   // memory, and the constants in it; the driver works meanwhile
  kRecord,   // commands
  // Of a run.
  kInputs,   // to the device
  kSubmit,   // of the commands
  kWait,     // until they are done
  kOutputs,  // from the device
};
inline constexpr size_t kPhases = 16;
inline constexpr size_t kStartPhases = 12;  // the first of them

inline constexpr std::array<const char*, kPhases> kPhaseNames = {
    "open",  "read",    "check",  "tune",   "passes", "lower",  "plan", "restore",
    "print", "compile", "upload", "record", "inputs", "submit", "wait", "outputs"};

inline const char* NameOf(Phase phase) { return kPhaseNames[static_cast<size_t>(phase)]; }

struct PhaseSpan {
  Phase phase;
  int64_t start_nanos;  // NowNanos()
  int64_t nanos;        // wall time
};
using Phases = std::vector<PhaseSpan>;

// Times one phase after another, until End or its own end. `phases` may be null.
class PhaseTimer {
 public:
  explicit PhaseTimer(Phases* phases) : phases_(phases) {}
  PhaseTimer(Phases* phases, Phase phase) : phases_(phases) { Next(phase); }
  ~PhaseTimer() { End(); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

  void Next(Phase phase) {
    End();
    if (phases_ == nullptr) return;
    phase_ = phase;
    start_ = NowNanos();
    runs_ = true;
  }
  void End() {
    if (runs_) phases_->push_back({phase_, start_, NowNanos() - start_});
    runs_ = false;
  }

 private:
  Phases* const phases_;
  Phase phase_ = Phase::kOpen;
  int64_t start_ = 0;
  bool runs_ = false;
};

}  // namespace tern

#endif  // TERN_GPU_DESC_PHASES_H_
