// SPDX-License-Identifier: Apache-2.0
// The XNNPACK delegate's plug-in: from settings to options.
#include "tensorflow/lite/acceleration/configuration/c/xnnpack_plugin.h"

#include "tensorflow/lite/acceleration/configuration/configuration_generated.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

namespace {

TfLiteDelegate* CreateByPlugin(const void* tflite_settings) {
  TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
  const auto* settings = static_cast<const tflite::TFLiteSettings*>(tflite_settings);
  const auto* given = settings == nullptr ? nullptr : settings->xnnpack_settings();
  if (given != nullptr) {
    options.num_threads = given->num_threads();
    // No flags is what a table holds that says nothing about them.
    if (given->flags() != 0) options.flags = static_cast<uint32_t>(given->flags());
  }
  return TfLiteXNNPackDelegateCreate(&options);
}

void DestroyByPlugin(TfLiteDelegate* delegate) { TfLiteXNNPackDelegateDelete(delegate); }

int ErrnoOfPlugin(TfLiteDelegate*) { return 0; }

}  // namespace

const TfLiteOpaqueDelegatePlugin* TfLiteXnnpackDelegatePluginCApi() {
  static constexpr TfLiteDelegatePlugin kPlugin = {CreateByPlugin, DestroyByPlugin, ErrnoOfPlugin};
  return &kPlugin;
}
