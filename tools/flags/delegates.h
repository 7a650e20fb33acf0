// SPDX-License-Identifier: Apache-2.0
// The delegates that flags ask for, one set of flags for all tools.
#ifndef TERN_TOOLS_FLAGS_DELEGATES_H_
#define TERN_TOOLS_FLAGS_DELEGATES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "flags/flags.h"
#include "tensorflow/lite/c/common.h"

namespace tern::tools {

// --use_gpu, --use_xnnpack, --external_delegate_path and what belongs to them.
std::vector<Flag> DelegateFlags();

struct Delegate {
  std::string name;  // GPU, XNNPACK or EXTERNAL
  std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)> delegate;
};

// Creates the delegates that the flags switch on, in the order of the flags. An error says which
// one cannot be made, or which flag has a value that it does not know.
absl::StatusOr<std::vector<Delegate>> CreateDelegates(const Flags& flags);

}  // namespace tern::tools

#endif  // TERN_TOOLS_FLAGS_DELEGATES_H_
