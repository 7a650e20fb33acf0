// SPDX-License-Identifier: Apache-2.0
// Delegates from libraries that are loaded at run time. The caller gets the library's own delegate
// object; a table remembers which function destroys it.
#include "tensorflow/lite/delegates/external/external_delegate.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/shared_library.h"
#include "tensorflow/lite/minimal_logging.h"

namespace {

using CreateFn = TfLiteDelegate*(const char* const*, const char* const*, size_t,
                                 void (*)(const char*));
using DestroyFn = void(TfLiteDelegate*);

struct Registry {
  std::mutex mutex;
  std::multimap<TfLiteDelegate*, DestroyFn*> destroy;
};

Registry& TheRegistry() {
  static Registry* const registry = new Registry;
  return *registry;
}

void ReportError(const char* text) {
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "External delegate: %s", text);
}

void ReportLoadFailure(const char* path, const std::string& reason) {
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "Unable to load external delegate from : %s (%s)", path,
                  reason.c_str());
}

}  // namespace

TfLiteStatus TfLiteExternalDelegateOptionsInsert(TfLiteExternalDelegateOptions* options,
                                                 const char* key, const char* value) {
  if (options == nullptr || options->count < 0 || options->count >= kExternalDelegateMaxOptions) {
    return kTfLiteError;
  }
  options->keys[options->count] = key;
  options->values[options->count] = value;
  ++options->count;
  return kTfLiteOk;
}

TfLiteExternalDelegateOptions TfLiteExternalDelegateOptionsDefault(const char* lib_path) {
  TfLiteExternalDelegateOptions options = {};
  options.lib_path = lib_path;
  options.insert = TfLiteExternalDelegateOptionsInsert;
  return options;
}

TfLiteDelegate* TfLiteExternalDelegateCreate(const TfLiteExternalDelegateOptions* options) {
  if (options == nullptr || options->lib_path == nullptr) {
    ReportLoadFailure("", "no path");
    return nullptr;
  }
  if (options->count < 0 || options->count > kExternalDelegateMaxOptions) {
    ReportLoadFailure(options->lib_path, "it cannot have " + std::to_string(options->count) +
                                             " options, at most " +
                                             std::to_string(kExternalDelegateMaxOptions));
    return nullptr;
  }
  tern::StatusOr<tern::SharedLibrary> library = tern::SharedLibrary::Open(options->lib_path);
  if (!library.ok()) {
    ReportLoadFailure(options->lib_path, std::string(library.status().message()));
    return nullptr;
  }
  CreateFn* create = nullptr;
  DestroyFn* destroy = nullptr;
  if (!library->Load("tflite_plugin_create_delegate", &create) ||
      !library->Load("tflite_plugin_destroy_delegate", &destroy)) {
    ReportLoadFailure(options->lib_path,
                      "it lacks tflite_plugin_create_delegate or tflite_plugin_destroy_delegate");
    return nullptr;
  }
  library->KeepLoaded();
  TfLiteDelegate* delegate =
      create(options->keys, options->values, static_cast<size_t>(options->count), ReportError);
  if (delegate != nullptr) {
    Registry& registry = TheRegistry();
    const std::lock_guard<std::mutex> lock(registry.mutex);
    registry.destroy.emplace(delegate, destroy);
  }
  return delegate;
}

void TfLiteExternalDelegateDelete(TfLiteDelegate* delegate) {
  DestroyFn* destroy = nullptr;
  {
    Registry& registry = TheRegistry();
    const std::lock_guard<std::mutex> lock(registry.mutex);
    const auto found = registry.destroy.find(delegate);
    if (found == registry.destroy.end()) {
      return;
    }
    destroy = found->second;
    registry.destroy.erase(found);
  }
  destroy(delegate);
}
