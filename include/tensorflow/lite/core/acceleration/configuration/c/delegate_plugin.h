/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a delegate plug-in, which makes delegates by a TFLiteSettings table
 * (acceleration/configuration/configuration_generated.h). C11 and C++17. */
#ifndef TERN_TENSORFLOW_LITE_CORE_ACCELERATION_CONFIGURATION_C_DELEGATE_PLUGIN_H_
#define TERN_TENSORFLOW_LITE_CORE_ACCELERATION_CONFIGURATION_C_DELEGATE_PLUGIN_H_

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `tflite_settings` is a TFLiteSettings table, needed during the call only. NULL when there is no
 * delegate. */
typedef TfLiteDelegate* TfLiteDelegatePluginCreateFunc(const void* tflite_settings);
typedef void TfLiteDelegatePluginDestroyFunc(TfLiteDelegate* delegate);
/* 0 when nothing has failed; else a number of the delegate's API. */
typedef int TfLiteDelegatePluginGetDelegateErrnoFunc(TfLiteDelegate* from_delegate);

typedef struct TfLiteDelegatePlugin {
  TfLiteDelegatePluginCreateFunc* create;
  TfLiteDelegatePluginDestroyFunc* destroy;
  TfLiteDelegatePluginGetDelegateErrnoFunc* get_delegate_errno;
} TfLiteDelegatePlugin;

/* The same over opaque delegates, which are another type where TFLITE_USE_OPAQUE_DELEGATE says so.
 */
typedef TfLiteOpaqueDelegate* TfLiteOpaqueDelegatePluginCreateFunc(const void* tflite_settings);
typedef void TfLiteOpaqueDelegatePluginDestroyFunc(TfLiteOpaqueDelegate* delegate);
typedef int TfLiteOpaqueDelegatePluginGetDelegateErrnoFunc(TfLiteOpaqueDelegate* delegate);
#if defined(TFLITE_USE_OPAQUE_DELEGATE) || defined(TFLITE_WITH_STABLE_ABI)
typedef struct TfLiteOpaqueDelegatePlugin {
  TfLiteOpaqueDelegatePluginCreateFunc* create;
  TfLiteOpaqueDelegatePluginDestroyFunc* destroy;
  TfLiteOpaqueDelegatePluginGetDelegateErrnoFunc* get_delegate_errno;
} TfLiteOpaqueDelegatePlugin;
#else
typedef TfLiteDelegatePlugin TfLiteOpaqueDelegatePlugin;
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TERN_TENSORFLOW_LITE_CORE_ACCELERATION_CONFIGURATION_C_DELEGATE_PLUGIN_H_ */
