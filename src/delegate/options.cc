// SPDX-License-Identifier: Apache-2.0
// Reading, checking and interpreting delegate options.
#include "delegate/options.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "base/status.h"
#include "gpu/backends/backend_list.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"

namespace tern::delegate {
namespace {

constexpr int64_t kKnownFlags =
    TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT | TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY |
    TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY | TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;

std::optional<int64_t> ParseInteger(const char* text) {
  if (*text == '\0' || std::strchr(" \t\n\v\f\r", *text) != nullptr) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text, &end, 10);
  if (errno != 0 || *end != '\0') return std::nullopt;
  return value;
}

// Of the options or a part of them.
template <auto field>
auto& FieldOf(DelegateOptions& options) {
  if constexpr (requires { options.*field; })
    return options.*field;
  else if constexpr (requires { options.compile.*field; })
    return options.compile.*field;
  else
    return options.documented.*field;
}

template <auto kField, int64_t least, int64_t most>
bool SetNumber(const char* value, DelegateOptions* options) {
  const std::optional<int64_t> number = ParseInteger(value);
  if (!number || *number < least || *number > most) return false;
  auto& field = FieldOf<kField>(*options);
  if constexpr (requires { field.value(); })
    field.emplace(*number);
  else
    field = static_cast<std::remove_reference_t<decltype(field)>>(*number);
  return true;
}
template <auto kField>
constexpr auto* SetInt32 = &SetNumber<kField, INT32_MIN, INT32_MAX>;
template <auto kField>
constexpr auto* SetInt64 = &SetNumber<kField, INT64_MIN, INT64_MAX>;
template <auto kField>
constexpr auto* SetSwitch = &SetNumber<kField, 0, 1>;

template <std::string DelegateOptions::*field>
bool SetText(const char* value, DelegateOptions* options) {
  options->*field = value;
  return true;
}

template <auto field>
bool SetPrecision(const char* value, DelegateOptions* options) {
  for (const gpu::Precision precision : {gpu::Precision::kF32, gpu::Precision::kF16}) {
    if (std::strcmp(value, gpu::PrecisionName(precision)) != 0) continue;
    FieldOf<field>(*options) = precision;
    return true;
  }
  return false;
}

bool SetSliceWidth(const char* value, DelegateOptions* options) {
  const std::optional<int64_t> number = ParseInteger(value);
  if (!number || (*number != 4 && *number != 8 && *number != 16)) return false;
  options->compile.slice_width = static_cast<int>(*number);
  return true;
}

struct Key {
  const char* name;
  bool (*set)(const char* value, DelegateOptions* options);
  const char* takes = nullptr;  // for messages; messages about documented keys are documented, too
};

using Documented = TfLiteGpuDelegateOptionsV2;

constexpr Key kKeys[] = {
    {"is_precision_loss_allowed", SetInt32<&Documented::is_precision_loss_allowed>},
    {"inference_preference", SetInt32<&Documented::inference_preference>},
    {"inference_priority1", SetInt32<&Documented::inference_priority1>},
    {"inference_priority2", SetInt32<&Documented::inference_priority2>},
    {"inference_priority3", SetInt32<&Documented::inference_priority3>},
    {"experimental_flags", SetInt64<&Documented::experimental_flags>},
    {"max_delegated_partitions", SetInt32<&Documented::max_delegated_partitions>},
    {"serialization_dir", SetText<&DelegateOptions::serialization_dir>},
    {"model_token", SetText<&DelegateOptions::model_token>},
    {"tern_backend", SetText<&DelegateOptions::backend>},
    {"tern_precision", SetPrecision<&DelegateOptions::precision>, "f32 or f16"},
    {"tern_activations", SetPrecision<&gpu::CompileOptions::activations>, "f32 or f16"},
    {"tern_sums", SetPrecision<&gpu::CompileOptions::sums>, "f32 or f16"},
    {"tern_guard", SetSwitch<&gpu::CompileOptions::guard>, "0 or 1"},
    {"tern_slice_width", SetSliceWidth, "4, 8 or 16"},
    {"tern_fuse", SetSwitch<&gpu::CompileOptions::fuse>, "0 or 1"},
    {"tern_winograd", SetSwitch<&gpu::CompileOptions::winograd>, "0 or 1"},
    {"tern_packed", SetSwitch<&gpu::CompileOptions::packed>, "0 or 1"},
    {"tern_least_gain_us", SetInt64<&DelegateOptions::least_gain_us>, "a whole number"},
    {"tern_tuning_ms", SetNumber<&DelegateOptions::tuning_ms, 0, 3600000>,
     "a whole number from 0 to 3600000"},
    {"tern_list", SetSwitch<&DelegateOptions::list>, "0 or 1"},
    {"tern_trace", SetSwitch<&DelegateOptions::trace>, "0 or 1"},
    {"tern_plan_only", SetSwitch<&DelegateOptions::plan_only>, "0 or 1"},
};

struct ListKey {
  const char* name;
  gpu::NodeList gpu::NodeLists::*list;
};

constexpr ListKey kListKeys[] = {
    {"tern_allow", &gpu::NodeLists::allow},
    {"tern_deny", &gpu::NodeLists::deny},
};

bool KnownPriority(int priority) {
  return priority >= TFLITE_GPU_INFERENCE_PRIORITY_AUTO &&
         priority <= TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE;
}

bool ValidPriorities(int usage, int p1, int p2, int p3) {
  constexpr int kAuto = TFLITE_GPU_INFERENCE_PRIORITY_AUTO;
  if (usage < TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER ||
      usage > TFLITE_GPU_INFERENCE_PREFERENCE_BALANCED) {
    return false;
  }
  if (!KnownPriority(p1) || !KnownPriority(p2) || !KnownPriority(p3)) return false;
  if (p1 == kAuto || (p2 == kAuto && p3 != kAuto)) return false;
  return p1 != p2 && p1 != p3 && (p2 != p3 || p2 == kAuto);
}

// The deprecated switch goes before the priorities.
int FirstPriority(const TfLiteGpuDelegateOptionsV2& o) {
  if (o.is_precision_loss_allowed < 0) return o.inference_priority1;
  return o.is_precision_loss_allowed == 0 ? TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION
                                          : TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY;
}

}  // namespace

DelegateOptions DefaultOptions() { return FromDocumented(nullptr); }

DelegateOptions OptionsOfApi(const std::string& backend, const std::string& function,
                             bool precision_loss_allowed, bool quantized) {
  DelegateOptions options = DefaultOptions();
  options.backend = backend;
  options.backend_option = function;
  options.documented.is_precision_loss_allowed = precision_loss_allowed ? 1 : 0;
  options.documented.experimental_flags =
      quantized ? TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT : TFLITE_GPU_EXPERIMENTAL_FLAGS_NONE;
  return options;
}

DelegateOptions FromDocumented(const TfLiteGpuDelegateOptionsV2* options) {
  DelegateOptions result;
  result.documented = options != nullptr ? *options : TfLiteGpuDelegateOptionsV2Default();
  if (result.documented.serialization_dir != nullptr) {
    result.serialization_dir = result.documented.serialization_dir;
  }
  if (result.documented.model_token != nullptr) result.model_token = result.documented.model_token;
  result.documented.serialization_dir = nullptr;
  result.documented.model_token = nullptr;
  return result;
}

absl::Status SetOption(const char* key, const char* value, DelegateOptions* options) {
  if (key == nullptr) return Invalid("ParseOptions: unknown option (null).");
  for (const Key& known : kKeys) {
    if (std::strcmp(known.name, key) != 0) continue;
    if (value != nullptr && known.set(value, options)) return absl::OkStatus();
    const char* const given = value == nullptr ? "" : value;
    const std::string takes =
        known.takes == nullptr ? "" : StrCat(" It takes ", known.takes, ", not '", given, "'.");
    return Invalid("ParseOptions: malformed option ", key, ".", takes);
  }
  for (const ListKey& known : kListKeys) {
    if (std::strcmp(known.name, key) != 0) continue;
    if (value == nullptr) return Invalid("ParseOptions: malformed option ", key, ".");
    TERN_ASSIGN_OR_RETURN(options->lists.*known.list, gpu::NodeList::Parse(key, value));
    return absl::OkStatus();
  }
  return Invalid("ParseOptions: unknown option ", key, ".");
}

absl::StatusOr<gpu::Precision> ChoosePrecision(const DelegateOptions& options) {
  const TfLiteGpuDelegateOptionsV2& o = options.documented;
  int p2 = o.inference_priority2, p3 = o.inference_priority3;
  if (o.is_precision_loss_allowed >= 0) p2 = p3 = TFLITE_GPU_INFERENCE_PRIORITY_AUTO;
  if (!ValidPriorities(o.inference_preference, FirstPriority(o), p2, p3)) {
    return Invalid("InferenceOptions are invalid.");
  }
  if (options.precision) return *options.precision;
  return FirstPriority(o) == TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION ? gpu::Precision::kF32
                                                                         : gpu::Precision::kF16;
}

std::optional<gpu::Precision> ChooseActivations(const DelegateOptions& options) {
  if (options.compile.activations) return options.compile.activations;
  const bool min_memory =
      FirstPriority(options.documented) == TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE;
  if (min_memory && !options.precision) return gpu::Precision::kF16;
  return std::nullopt;
}

int64_t TuningBudget(const DelegateOptions& options) {
  const int32_t preference = options.documented.inference_preference;
  const int64_t ms = preference == TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED ? 5000
                     : preference == TFLITE_GPU_INFERENCE_PREFERENCE_BALANCED      ? 1000
                                                                                   : 0;
  return options.tuning_ms.value_or(ms) * 1'000'000;
}

AllowedBackends BackendsOf(const DelegateOptions& options) {
  if (!options.backend.empty()) return {{options.backend}, options.backend_option};
  if (options.Has(TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY)) return {{"opencl"}, "CL_ONLY"};
  if (options.Has(TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY)) return {{"gles"}, "GL_ONLY"};
  return {gpu::DefaultBackends(), ""};
}

std::vector<std::string> RequestsWithoutEffect(const DelegateOptions& options) {
  std::vector<std::string> lines;
  if (options.backend.empty() && options.Has(TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY) &&
      options.Has(TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY)) {
    lines.push_back("experimental_flags CL_ONLY and GL_ONLY: GL_ONLY has no effect");
  }
  if (const int64_t unknown = options.documented.experimental_flags & ~kKnownFlags; unknown != 0) {
    lines.push_back(StrCat("experimental_flags: unknown bits (", unknown, ") have no effect"));
  }
  const absl::StatusOr<gpu::Precision> precision = ChoosePrecision(options);
  const bool floats = precision.ok() && *precision == gpu::Precision::kF32;
  if (options.compile.sums == gpu::Precision::kF16 && floats)
    lines.push_back("tern_sums: weights are kept in floats, so that sums are floats, too");
  if (options.compile.winograd && !floats)
    lines.push_back("tern_winograd: weights are kept in halves, which do not hold its numbers");
  if (options.compile.guard && floats &&
      ChooseActivations(options).value_or(*precision) == gpu::Precision::kF32) {
    lines.push_back("tern_guard: nothing is kept in halves, so that there is nothing to guard");
  }
  return lines;
}

}  // namespace tern::delegate
