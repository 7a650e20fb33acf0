// SPDX-License-Identifier: Apache-2.0
// Entry points for loaders that know the library only by its path: options come as texts, and a
// callback reports errors.
#include <memory>
#include <string>

#include "base/status.h"
#include "delegate/gpu_delegate.h"
#include "delegate/options.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern::delegate {
namespace {

// The loader cannot go back to the CPU once an interpreter is being made, so the device is opened
// here.
absl::StatusOr<std::shared_ptr<DelegateCore>> MakeCore(const char* const* keys,
                                                       const char* const* values, size_t count) {
  if (count != 0 && (keys == nullptr || values == nullptr)) {
    return Invalid("ParseOptions: no keys or no values.");
  }
  DelegateOptions options = DefaultOptions();
  for (size_t i = 0; i < count; ++i) TERN_RETURN_IF_ERROR(SetOption(keys[i], values[i], &options));
  TERN_RETURN_IF_ERROR(ChoosePrecision(options).status());
  auto core = std::make_shared<DelegateCore>(std::move(options));
  TERN_RETURN_IF_ERROR(core->OpenBackend());
  return core;
}

}  // namespace
}  // namespace tern::delegate

extern "C" {

TfLiteDelegate* tflite_plugin_create_delegate(const char* const* options_keys,
                                              const char* const* options_values, size_t num_options,
                                              void (*report_error)(const char*)) {
  absl::StatusOr<std::shared_ptr<tern::delegate::DelegateCore>> core =
      tern::delegate::MakeCore(options_keys, options_values, num_options);
  if (core.ok()) return tern::delegate::CreateDelegate(*core);
  const std::string text(tern::Message(core.status()));
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "%s", text.c_str());
  // Loaders join such texts without a separator.
  if (report_error != nullptr) report_error((text + "\n").c_str());
  return nullptr;
}

void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate) {
  tern::delegate::DeleteDelegate(delegate);
}

}  // extern "C"
