// SPDX-License-Identifier: Apache-2.0
// Delegates as the C interface hands them out, and the way back from such a pointer to its state.
#ifndef TERN_DELEGATE_GPU_DELEGATE_H_
#define TERN_DELEGATE_GPU_DELEGATE_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "delegate/delegate_core.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

// How the runtime sees a delegate.
struct DelegateForm {
  const char* kernel_name = "TfLiteGpuDelegateV2";  // a literal
  int64_t flags = kTfLiteDelegateFlagsNone;         // the runtime profiles its nodes
  bool has_handles = false;                         // the runtime can copy from and to the device
  const char* api = "GPU";                          // in the line that reports the delegate
};

// A new delegate; its owner calls DeleteDelegate.
TfLiteDelegate* CreateDelegate(std::shared_ptr<DelegateCore> core, const DelegateForm& form = {});

// Ends the delegate. Kernels of it that an interpreter still has go on working. NULL does nothing;
// a pointer that is no live delegate is logged and left alone.
void DeleteDelegate(TfLiteDelegate* delegate);

// The state of a live delegate, else null. Never reads through the pointer.
std::shared_ptr<DelegateCore> FindCore(const TfLiteDelegate* delegate);

// The same of a delegate that the function of this name created; an error for others.
absl::StatusOr<std::shared_ptr<DelegateCore>> FindCreatedBy(std::string_view function,
                                                            const TfLiteDelegate* delegate);

// Whether a function of the C interface succeeded; logs what failed.
bool Succeeded(const char* function, const absl::Status& status);
inline TfLiteStatus StatusOf(const char* function, const absl::Status& status) {
  return Succeeded(function, status) ? kTfLiteOk : kTfLiteError;
}

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_GPU_DELEGATE_H_
