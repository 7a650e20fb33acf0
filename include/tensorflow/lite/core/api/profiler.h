// SPDX-License-Identifier: Apache-2.0
// The interface that receives timed events of a run, and scopes that make such events.
#ifndef TERN_TENSORFLOW_LITE_CORE_API_PROFILER_H_
#define TERN_TENSORFLOW_LITE_CORE_API_PROFILER_H_

#include <cstdint>

namespace tflite {

class Profiler {
 public:
  // Bits, so that a profiler can hold a mask.
  enum class EventType {
    DEFAULT = 1 << 0,                                  // a part of the runtime
    OPERATOR_INVOKE_EVENT = 1 << 1,                    // metadata: node, subgraph
    DELEGATE_OPERATOR_INVOKE_EVENT = 1 << 2,           // inside a delegate, original node
    DELEGATE_PROFILED_OPERATOR_INVOKE_EVENT = 1 << 3,  // timed by the delegate itself
    GENERAL_RUNTIME_INSTRUMENTATION_EVENT = 1 << 4,    // metadata: delegate status, runtime status
    TELEMETRY_EVENT = 1 << 5,
    TELEMETRY_REPORT_SETTINGS = 1 << 6,
    TELEMETRY_DELEGATE_EVENT = 1 << 7,
    TELEMETRY_DELEGATE_REPORT_SETTINGS = 1 << 8,
  };

  virtual ~Profiler() = default;

  // Starts an event and returns its handle. `tag` must stay valid until the event ends.
  virtual uint32_t BeginEvent(const char* tag, EventType event_type, int64_t event_metadata1,
                              int64_t event_metadata2) = 0;
  uint32_t BeginEvent(const char* tag, EventType event_type, int64_t event_metadata) {
    return BeginEvent(tag, event_type, event_metadata, /*event_metadata2=*/0);
  }

  // Ends an event; the longer form replaces its metadata where the profiler supports that.
  virtual void EndEvent(uint32_t event_handle, int64_t event_metadata1, int64_t event_metadata2);
  virtual void EndEvent(uint32_t event_handle) = 0;

  // Adds a finished event; `metric` is its duration in microseconds unless the type says otherwise.
  virtual void AddEvent(const char* tag, EventType event_type, uint64_t metric,
                        int64_t event_metadata1, int64_t event_metadata2);
  void AddEvent(const char* tag, EventType event_type, uint64_t metric, int64_t event_metadata) {
    AddEvent(tag, event_type, metric, event_metadata, /*event_metadata2=*/0);
  }

  // Adds an event whose data has a type that depends on event_type; ignored unless overridden.
  virtual void AddEventWithData(const char* tag, EventType event_type, const void* data);

 protected:
  friend class ScopedProfile;
};

// An event that lasts as long as the scope. The profiler may be NULL.
class ScopedProfile {
 public:
  ScopedProfile(Profiler* profiler, const char* tag,
                Profiler::EventType event_type = Profiler::EventType::DEFAULT,
                int64_t event_metadata = 0)
      : profiler_(profiler) {
    if (profiler_ != nullptr) {
      event_handle_ = profiler_->BeginEvent(tag, event_type, event_metadata);
    }
  }
  ~ScopedProfile() {
    if (profiler_ != nullptr) {
      profiler_->EndEvent(event_handle_);
    }
  }
  ScopedProfile(const ScopedProfile&) = delete;
  ScopedProfile& operator=(const ScopedProfile&) = delete;

 private:
  Profiler* const profiler_;
  uint32_t event_handle_ = 0;
};

class ScopedOperatorProfile : public ScopedProfile {
 public:
  ScopedOperatorProfile(Profiler* profiler, const char* tag, int node_index)
      : ScopedProfile(profiler, tag, Profiler::EventType::OPERATOR_INVOKE_EVENT, node_index) {}
};

class ScopedDelegateOperatorProfile : public ScopedProfile {
 public:
  ScopedDelegateOperatorProfile(Profiler* profiler, const char* tag, int node_index)
      : ScopedProfile(profiler, tag, Profiler::EventType::DELEGATE_OPERATOR_INVOKE_EVENT,
                      node_index) {}
};

class ScopedDelegateProfiledOperatorProfile : public ScopedProfile {
 public:
  ScopedDelegateProfiledOperatorProfile(Profiler* profiler, const char* tag, int node_index)
      : ScopedProfile(profiler, tag, Profiler::EventType::DELEGATE_PROFILED_OPERATOR_INVOKE_EVENT,
                      node_index) {}
};

// Reports how an action of the runtime ended; both statuses are 0 unless set.
class ScopedRuntimeInstrumentationProfile {
 public:
  ScopedRuntimeInstrumentationProfile(Profiler* profiler, const char* tag) : profiler_(profiler) {
    if (profiler_ != nullptr) {
      event_handle_ = profiler_->BeginEvent(
          tag, Profiler::EventType::GENERAL_RUNTIME_INSTRUMENTATION_EVENT, /*event_metadata=*/-1);
    }
  }
  ~ScopedRuntimeInstrumentationProfile() {
    if (profiler_ != nullptr) {
      profiler_->EndEvent(event_handle_, delegate_status_, interpreter_status_);
    }
  }
  ScopedRuntimeInstrumentationProfile(const ScopedRuntimeInstrumentationProfile&) = delete;
  ScopedRuntimeInstrumentationProfile& operator=(const ScopedRuntimeInstrumentationProfile&) =
      delete;

  void set_runtime_status(int64_t delegate_status, int64_t interpreter_status) {
    delegate_status_ = delegate_status;
    interpreter_status_ = interpreter_status;
  }

 private:
  Profiler* const profiler_;
  uint32_t event_handle_ = 0;
  int64_t delegate_status_ = 0;
  int64_t interpreter_status_ = 0;
};

}  // namespace tflite

#define TFLITE_PROFILE_NAME_JOIN(name, line) name##line
#define TFLITE_PROFILE_NAME(name, line) TFLITE_PROFILE_NAME_JOIN(name, line)

// One event for the rest of the scope.
#define TFLITE_SCOPED_TAGGED_DEFAULT_PROFILE(profiler, tag) \
  ::tflite::ScopedProfile TFLITE_PROFILE_NAME(tflite_profile_, __LINE__)((profiler), (tag))
#define TFLITE_SCOPED_TAGGED_OPERATOR_PROFILE(profiler, tag, node_index)          \
  ::tflite::ScopedOperatorProfile TFLITE_PROFILE_NAME(tflite_profile_, __LINE__)( \
      (profiler), (tag), (node_index))
#define TFLITE_SCOPED_DELEGATE_OPERATOR_PROFILE(profiler, tag, node_index)                \
  ::tflite::ScopedDelegateOperatorProfile TFLITE_PROFILE_NAME(tflite_profile_, __LINE__)( \
      (profiler), (tag), (node_index))
#define TFLITE_SCOPED_DELEGATE_PROFILED_OPERATOR_PROFILE(profiler, tag, node_index)               \
  ::tflite::ScopedDelegateProfiledOperatorProfile TFLITE_PROFILE_NAME(tflite_profile_, __LINE__)( \
      (profiler), (tag), (node_index))

// One finished event that carries two status values.
#define TFLITE_ADD_RUNTIME_INSTRUMENTATION_EVENT(profiler, tag, delegate_status, runtime_status) \
  do {                                                                                           \
    if ((profiler) != nullptr) {                                                                 \
      (profiler)->AddEvent((tag),                                                                \
                           ::tflite::Profiler::EventType::GENERAL_RUNTIME_INSTRUMENTATION_EVENT, \
                           /*metric=*/0, static_cast<int64_t>(delegate_status),                  \
                           static_cast<int64_t>(runtime_status));                                \
    }                                                                                            \
  } while (false)

#endif  // TERN_TENSORFLOW_LITE_CORE_API_PROFILER_H_
