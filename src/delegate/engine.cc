// SPDX-License-Identifier: Apache-2.0
// Opening candidates in order, and the sentences about it.
#include "delegate/engine.h"

#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern::delegate {
namespace {

// A driver's log may follow the first line.
std::string FirstLine(const absl::Status& status) {
  const std::string_view text = Message(status);
  return std::string(text.substr(0, text.find('\n')));
}

std::string Failed(const std::string& name, const absl::Status& failure) {
  return StrCat(name, " failed (", FirstLine(failure), ")");
}

}  // namespace

EngineChoice::EngineChoice(AllowedBackends allowed, Opener opener)
    : opener_(std::move(opener)),
      candidates_(std::move(allowed.backends)),
      asked_by_(std::move(allowed.option)) {}

EngineChoice::EngineChoice(gpu::OpenedDevice given, const std::string& reason)
    : candidates_({given.device->info().api}), settled_(true) {
  Use(std::move(given), reason);
}

void EngineChoice::Use(gpu::OpenedDevice opened, const std::string& reason) {
  opened_ = std::move(opened);
  name_ = candidates_[next_++];
  why_ = StrCat(name_, ": ", reason);
}

void EngineChoice::LogNext(size_t next, const absl::Status& failure, const Log& log) const {
  log(std::string(Message(failure)));
  log(StrCat("Falling back to ", gpu::BackendLabel(candidates_[next])));
}

absl::Status EngineChoice::Open(const Log& log) {
  if (opened_.device != nullptr) return OpenAgainIfLost();
  failures_.clear();
  std::string reason = asked_by_.empty() ? "first choice" : StrCat("asked for by ", asked_by_);
  std::string failed;
  absl::Status last = Unavailable("no backend is allowed by the options");
  for (next_ = 0; next_ < candidates_.size(); ++next_) {
    const std::string& name = candidates_[next_];
    absl::StatusOr<gpu::OpenedDevice> opened = opener_(name);
    if (opened.ok()) {
      Use(std::move(opened).value(), failed.empty() ? reason : failed);
      return absl::OkStatus();
    }
    last = opened.status();
    // A name that this build does not know: which option has it.
    if (absl::IsInvalidArgument(last) && !asked_by_.empty()) last = WithPrefix(last, asked_by_);
    failures_ += StrCat(failures_.empty() ? "" : "; ", name, ": ", Message(last));
    failed += StrCat(failed.empty() ? "" : ", ", Failed(name, last));
    if (next_ + 1 < candidates_.size()) LogNext(next_ + 1, last, log);
  }
  why_ = StrCat("none: ", failed);
  return last;
}

// A device that was given cannot be had again.
absl::Status EngineChoice::OpenAgainIfLost() {
  if (opener_ == nullptr || !opened_.device->lost()) return absl::OkStatus();
  TERN_ASSIGN_OR_RETURN(opened_, opener_(name_));
  return absl::OkStatus();
}

absl::StatusOr<gpu::OpenedDevice> EngineChoice::OpenNext() const {
  if (!HasNext()) return Invalid("there is no other backend");
  return opener_(candidates_[next_]);
}

void EngineChoice::TakeNext(gpu::OpenedDevice next, const absl::Status& failure, const Log& log) {
  LogNext(next_, failure, log);
  const std::string reason = Failed(name_, failure);
  Use(std::move(next), reason);
}

void EngineChoice::SkipNext(const std::string& next_is) {
  why_ += StrCat(", and ", candidates_[next_++], " ", next_is);
}

void LogOnce(const std::string& line) {
  static auto* const mutex = new std::mutex;
  static auto* const logged = new std::set<std::string>;
  const std::lock_guard lock(*mutex);
  if (logged->insert(line).second) TFLITE_LOG_PROD(tflite::TFLITE_LOG_INFO, "%s", line.c_str());
}

}  // namespace tern::delegate
