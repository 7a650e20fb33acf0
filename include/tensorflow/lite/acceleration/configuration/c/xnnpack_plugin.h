/* SPDX-License-Identifier: Apache-2.0 */
/* The plug-in that makes XNNPACK delegates (delegates/xnnpack/xnnpack_delegate.h). C11 and C++17.
 */
#ifndef TERN_TENSORFLOW_LITE_ACCELERATION_CONFIGURATION_C_XNNPACK_PLUGIN_H_
#define TERN_TENSORFLOW_LITE_ACCELERATION_CONFIGURATION_C_XNNPACK_PLUGIN_H_

#include "tensorflow/lite/acceleration/configuration/c/delegate_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the settings' xnnpack_settings it takes threads and flags, where they are given. */
TFL_CAPI_EXPORT const TfLiteOpaqueDelegatePlugin* TfLiteXnnpackDelegatePluginCApi(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TERN_TENSORFLOW_LITE_ACCELERATION_CONFIGURATION_C_XNNPACK_PLUGIN_H_ */
