/* SPDX-License-Identifier: Apache-2.0 */
/* The Hexagon delegate, which needs Qualcomm's DSP libraries on Android; this library has no form
 * of it. Programs that ask for it get an error and go on without. C11 and C++17. */
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_HEXAGON_HEXAGON_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_HEXAGON_HEXAGON_DELEGATE_H_

#include <stdbool.h>

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteHexagonDelegateOptions {
  int debug_level;
  int powersave_level;
  bool print_graph_profile;
  bool print_graph_debug;
  int max_delegated_partitions;
  int min_nodes_per_partition;
  bool enable_dynamic_batch_size;
  int max_batch_size;
  /* The position of the batch dimension in each input and output. They stay the caller's as long as
   * no delegate is made, which is always. */
  TfLiteIntArray* input_batch_dimensions;
  TfLiteIntArray* output_batch_dimensions;
} TfLiteHexagonDelegateOptions;

/* Always NULL, with a message in the log. */
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteHexagonDelegateCreate(
    const TfLiteHexagonDelegateOptions* options);
/* All fields 0. */
TFL_CAPI_EXPORT TfLiteHexagonDelegateOptions TfLiteHexagonDelegateOptionsDefault(void);
TFL_CAPI_EXPORT void TfLiteHexagonDelegateDelete(TfLiteDelegate* delegate);

/* Nothing to set up or to switch off. */
TFL_CAPI_EXPORT void TfLiteHexagonInitWithPath(const char* lib_directory_path);
TFL_CAPI_EXPORT void TfLiteHexagonInit(void);
TFL_CAPI_EXPORT void TfLiteHexagonTearDown(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TERN_TENSORFLOW_LITE_DELEGATES_HEXAGON_HEXAGON_DELEGATE_H_ */
