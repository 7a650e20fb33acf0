/* SPDX-License-Identifier: Apache-2.0 */
/* The XNNPACK delegate, as programs know it. The CPU ops of this library are optimized kernels
 * themselves, so this delegate claims no operation: it hands its options to the CPU engine, which
 * goes on running the whole graph. The execution plan keeps all of its nodes, which programs that
 * count them see; no node belongs to this delegate. C11 and C++17. */
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_XNNPACK_XNNPACK_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_XNNPACK_XNNPACK_DELEGATE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of `flags`. Only FORCE_FP16 has an effect: it permits half precision, as
 * Interpreter::SetAllowFp16PrecisionForFp32 does. The features of the others are always on. */
#define TFLITE_XNNPACK_DELEGATE_FLAG_QS8 0x00000001
#define TFLITE_XNNPACK_DELEGATE_FLAG_QU8 0x00000002
#define TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16 0x00000004
#define TFLITE_XNNPACK_DELEGATE_FLAG_DYNAMIC_FULLY_CONNECTED 0x00000008
#define TFLITE_XNNPACK_DELEGATE_FLAG_VARIABLE_OPERATORS 0x00000010
#define TFLITE_XNNPACK_DELEGATE_FLAG_TRANSIENT_INDIRECTION_BUFFER 0x00000020
#define TFLITE_XNNPACK_DELEGATE_FLAG_ENABLE_LATEST_OPERATORS 0x00000040
#define TFLITE_XNNPACK_DELEGATE_FLAG_ENABLE_SUBGRAPH_RESHAPING 0x00000080
#define TFLITE_XNNPACK_DELEGATE_FLAG_SLOW_CONSISTENT_ARITHMETIC 0x00000200
#define TFLITE_XNNPACK_DELEGATE_FLAG_DISABLE_SUBGRAPH_RESHAPING 0x00000400
#define TFLITE_XNNPACK_DELEGATE_FLAG_DISABLE_DYNAMICALLY_QUANTIZED_OPS 0x00000800

struct TfLiteXNNPackDelegateWeightsCache;

typedef struct {
  int32_t num_threads;    /* > 0: of the interpreter; else the interpreter keeps its own */
  uint32_t runtime_flags; /* kept, without effect */
  uint32_t flags;         /* TFLITE_XNNPACK_DELEGATE_FLAG_* */
  /* Packed weights are shared within the process whether or not a cache is given; no file is read
   * or written. The four fields below are kept for TfLiteXNNPackDelegateGetOptions. */
  struct TfLiteXNNPackDelegateWeightsCache* weights_cache;
  bool handle_variable_ops;
  const char* weight_cache_file_path; /* copied */
  int weight_cache_file_descriptor;   /* > 0: the delegate owns it and closes it when deleted */
  void* weight_cache_provider;
} TfLiteXNNPackDelegateOptions;

/* True: packed weights lie in memory anyway. */
TFL_CAPI_EXPORT bool TfLiteXNNPackDelegateCanUseInMemoryWeightCacheProvider(void);
/* The path that stands for a cache in memory. */
TFL_CAPI_EXPORT const char* TfLiteXNNPackDelegateInMemoryFilePath(void);

/* All fields 0, except for the flags QS8 and QU8. */
TFL_CAPI_EXPORT TfLiteXNNPackDelegateOptions TfLiteXNNPackDelegateOptionsDefault(void);

/* NULL options are the default ones. To be deleted with TfLiteXNNPackDelegateDelete; NULL only
 * when memory runs out. */
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteXNNPackDelegateCreate(
    const TfLiteXNNPackDelegateOptions* options);
/* The same, for the threads of `context` where that says how many it wants; it may be NULL. */
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteXNNPackDelegateCreateWithThreadpool(
    const TfLiteXNNPackDelegateOptions* options, TfLiteContext* context);
/* NULL and delegates of other kinds are ignored. */
TFL_CAPI_EXPORT void TfLiteXNNPackDelegateDelete(TfLiteDelegate* delegate);

/* Always NULL: the threads are the CPU engine's, and no pthreadpool. */
TFL_CAPI_EXPORT void* TfLiteXNNPackDelegateGetThreadPool(TfLiteDelegate* delegate);
/* Valid as long as the delegate; NULL for NULL and delegates of other kinds. */
TFL_CAPI_EXPORT const TfLiteXNNPackDelegateOptions* TfLiteXNNPackDelegateGetOptions(
    TfLiteDelegate* delegate);
/* 0 for NULL and delegates of other kinds. */
TFL_CAPI_EXPORT int TfLiteXNNPackDelegateGetFlags(TfLiteDelegate* delegate);

/* A cache remembers only whether it was finalized. NULL when memory runs out. */
TFL_CAPI_EXPORT struct TfLiteXNNPackDelegateWeightsCache* TfLiteXNNPackDelegateWeightsCacheCreate(
    void);
TFL_CAPI_EXPORT struct TfLiteXNNPackDelegateWeightsCache*
TfLiteXNNPackDelegateWeightsCacheCreateWithSize(size_t size);
/* False for NULL and for a cache that was finalized before. */
TFL_CAPI_EXPORT bool TfLiteXNNPackDelegateWeightsCacheFinalizeSoft(
    struct TfLiteXNNPackDelegateWeightsCache* cache);
TFL_CAPI_EXPORT bool TfLiteXNNPackDelegateWeightsCacheFinalizeHard(
    struct TfLiteXNNPackDelegateWeightsCache* cache);
TFL_CAPI_EXPORT void TfLiteXNNPackDelegateWeightsCacheDelete(
    struct TfLiteXNNPackDelegateWeightsCache* cache);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TERN_TENSORFLOW_LITE_DELEGATES_XNNPACK_XNNPACK_DELEGATE_H_ */
