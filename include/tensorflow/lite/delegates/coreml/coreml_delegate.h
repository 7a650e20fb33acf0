/* SPDX-License-Identifier: Apache-2.0 */
/* The Core ML delegate, which needs Apple's frameworks; this library has no form of it. Programs
 * that ask for it get an error and go on without. C11 and C++17. */
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_COREML_COREML_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_COREML_COREML_DELEGATE_H_

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  TfLiteCoreMlDelegateDevicesWithNeuralEngine,
  TfLiteCoreMlDelegateAllDevices,
} TfLiteCoreMlDelegateEnabledDevices;

typedef struct {
  TfLiteCoreMlDelegateEnabledDevices enabled_devices;
  int coreml_version;
  int max_delegated_partitions;
  int min_nodes_per_partition;
#ifdef TFLITE_DEBUG_DELEGATE
  int first_delegate_node_index;
  int last_delegate_node_index;
#endif
} TfLiteCoreMlDelegateOptions;

/* Always NULL, with a message in the log. */
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteCoreMlDelegateCreate(
    const TfLiteCoreMlDelegateOptions* options);
TFL_CAPI_EXPORT void TfLiteCoreMlDelegateDelete(TfLiteDelegate* delegate);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TERN_TENSORFLOW_LITE_DELEGATES_COREML_COREML_DELEGATE_H_ */
