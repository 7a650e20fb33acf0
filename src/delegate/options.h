// SPDX-License-Identifier: Apache-2.0
// The options of a delegate: the documented ones, copied, and the keys that only the plug-in entry
// knows.
#ifndef TERN_DELEGATE_OPTIONS_H_
#define TERN_DELEGATE_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/compile.h"
#include "gpu/partition/node_lists.h"
#include "tensorflow/lite/delegates/gpu/delegate_options.h"

namespace tern::delegate {

struct DelegateOptions {
  TfLiteGpuDelegateOptionsV2 documented;  // its strings are NULL; the copies are below
  std::string serialization_dir;
  std::string model_token;
  std::string backend;                          // for gpu::OpenDevice; empty: what the flags allow
  std::string backend_option = "tern_backend";  // what set `backend`, for messages
  std::optional<gpu::Precision> precision;      // goes before the priorities
  // Of the keys; ChoosePrecision and ChooseActivations decide about these two.
  gpu::CompileOptions compile;
  bool list = false;         // plans and printed sources go into the report
  bool trace = false;        // phases of start and runs go into the report, one by one
  bool binds_later = false;  // buffers of the application may come after ModifyGraphWithDelegate
  bool waits = true;         // a run returns when its results are there, bound outputs included
  bool plan_only = false;    // the report tells what would run where; nothing is built or replaced
  gpu::NodeLists lists;      // which nodes may be taken
  // How long nodes may be measured for better tuning parameters; nullopt: as the preference says.
  std::optional<int64_t> tuning_ms;
  // The minimum time that a part must save in a run, by estimate; none: any.
  std::optional<int64_t> least_gain_us;

  bool Has(TfLiteGpuExperimentalFlags flag) const {
    return (documented.experimental_flags & flag) != 0;
  }
  int max_partitions() const {
    return documented.max_delegated_partitions > 0 ? documented.max_delegated_partitions : 1;
  }
};

DelegateOptions DefaultOptions();

// Of the functions for one API, which `function` created the delegate, held to that backend.
DelegateOptions OptionsOfApi(const std::string& backend, const std::string& function,
                             bool precision_loss_allowed, bool quantized);

// A copy; NULL gives the defaults.
DelegateOptions FromDocumented(const TfLiteGpuDelegateOptionsV2* options);

// One key of the plug-in entry. Errors: unknown key, malformed value, with the documented texts;
// for lists of nodes with the entry.
absl::Status SetOption(const char* key, const char* value, DelegateOptions* options);

// Storage precision that the priorities ask for, or an error when they contradict each other.
absl::StatusOr<gpu::Precision> ChoosePrecision(const DelegateOptions& options);

// Precision of activations that the options ask for: themselves, or minimum memory before all else;
// nullopt leaves it to the model.
std::optional<gpu::Precision> ChooseActivations(const DelegateOptions& options);

// Nanoseconds that measuring tuning parameters of nodes may take; 0: nothing is measured.
int64_t TuningBudget(const DelegateOptions& options);

struct AllowedBackends {
  std::vector<std::string> backends;  // to try, in order; at least one
  std::string option;  // that leaves a single one, by the name that messages use; empty: none does
};
// CL_ONLY goes before GL_ONLY.
AllowedBackends BackendsOf(const DelegateOptions& options);

// One line for each thing that the options ask for and that has no effect yet.
std::vector<std::string> RequestsWithoutEffect(const DelegateOptions& options);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_OPTIONS_H_
