// SPDX-License-Identifier: Apache-2.0
// Which backend a delegate runs on, and why. Candidates are opened in order and only when they are
// needed; once a graph was compiled the choice stands.
#ifndef TERN_DELEGATE_ENGINE_H_
#define TERN_DELEGATE_ENGINE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "delegate/options.h"
#include "gpu/backends/backend_list.h"

namespace tern::delegate {

// Used by one thread at a time.
class EngineChoice {
 public:
  // gpu::OpenDevice, or what a test puts in its place.
  using Opener = std::function<absl::StatusOr<gpu::OpenedDevice>(const std::string& backend)>;
  // Takes one line for the user.
  using Log = std::function<void(const std::string& line)>;

  EngineChoice(AllowedBackends allowed, Opener opener);
  // No choice: this device. The reason is for the report.
  explicit EngineChoice(gpu::OpenedDevice given,
                        const std::string& reason = "an open device was given");

  // Makes the first candidate that can be opened the current one, unless there is a current one;
  // that one is opened again when its device is lost. Logs two lines for each that cannot be
  // opened and has another after it: its message, and what comes next. An error has the message of
  // the last candidate; failures() has all of them.
  absl::Status Open(const Log& log);

  // Of the current candidate; without one, a null device and no name.
  const gpu::OpenedDevice& opened() const { return opened_; }
  const std::string& name() const { return name_; }
  // One sentence for the report, "gles: asked for by GL_ONLY"; empty before Open.
  const std::string& why() const { return why_; }
  // "opencl: its message; gles: its message", of candidates that could not be opened.
  const std::string& failures() const { return failures_; }

  // Whether there is a candidate left that may take over from the current one.
  bool HasNext() const { return !settled_ && next_ < candidates_.size(); }
  // Opens the next candidate; the current one stays current.
  absl::StatusOr<gpu::OpenedDevice> OpenNext() const;
  // The one that OpenNext gave becomes current, because the one before failed as `failure` says.
  // Logs the same two lines as Open.
  void TakeNext(gpu::OpenedDevice next, const absl::Status& failure, const Log& log);
  // The current one stays in its comparison with the next; `next_is` completes "gles ...".
  void SkipNext(const std::string& next_is);
  // The current candidate stays for good.
  void Settle() { settled_ = true; }

 private:
  absl::Status OpenAgainIfLost();
  // The next candidate.
  void Use(gpu::OpenedDevice opened, const std::string& reason);
  void LogNext(size_t next, const absl::Status& failure, const Log& log) const;

  Opener opener_;
  std::vector<std::string> candidates_;
  std::string asked_by_;  // the option that leaves a single candidate, if one does
  size_t next_ = 0;       // the first that was not tried
  bool settled_ = false;
  gpu::OpenedDevice opened_;
  std::string name_, why_, failures_;
};

// Logs a line, once per process.
void LogOnce(const std::string& line);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_ENGINE_H_
