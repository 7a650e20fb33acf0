// SPDX-License-Identifier: Apache-2.0
// Handles around buffers and synchronization objects of a platform, and the keys of their
// attributes. C11 and C++17. The handles own nothing: what they point to stays the application's.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_TYPES_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_TYPES_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteBackendBuffer TfLiteBackendBuffer;
typedef struct TfLiteSynchronization TfLiteSynchronization;

// An empty handle (its pointer is NULL); the caller deletes it. Delete and SetPtr ignore a NULL
// handle, GetPtr gives NULL for it.
TFL_CAPI_EXPORT TfLiteBackendBuffer* TfLiteBackendBufferCreate(void);
TFL_CAPI_EXPORT void TfLiteBackendBufferDelete(TfLiteBackendBuffer* buf);
TFL_CAPI_EXPORT void TfLiteBackendBufferSetPtr(TfLiteBackendBuffer* buf, void* ptr);
TFL_CAPI_EXPORT void* TfLiteBackendBufferGetPtr(const TfLiteBackendBuffer* buf);

TFL_CAPI_EXPORT TfLiteSynchronization* TfLiteSynchronizationCreate(void);
TFL_CAPI_EXPORT void TfLiteSynchronizationDelete(TfLiteSynchronization* sync);
TFL_CAPI_EXPORT void TfLiteSynchronizationSetPtr(TfLiteSynchronization* sync, void* ptr);
TFL_CAPI_EXPORT void* TfLiteSynchronizationGetPtr(const TfLiteSynchronization* sync);

// The object that an attribute map describes; it decides which of the keys below the map has.
typedef enum TfLiteAttrMapType {
  kTfLiteAttrMapTypeUnknown = 0,
  kTfLiteAttrMapTypeBuffer = 1,
  kTfLiteAttrMapTypeSync = 2,
} TfLiteAttrMapType;

typedef enum TfLiteBufferAttrKey {
  kTfLiteBufferAttrKeyUnknown = 0,
  kTfLiteBufferAttrKeyResourceTypeName = 1,             // const char*, e.g. "AHardwareBuffer"
  kTfLiteBufferAttrKeyAlignment = 2,                    // size_t, bytes
  kTfLiteBufferAttrKeyPadding = 3,                      // size_t, bytes
  kTfLiteBufferAttrKeyOffset = 4,                       // size_t, bytes
  kTfLiteBufferAttrKeySize = 5,                         // size_t, bytes with padding
  kTfLiteBufferAttrKeyCurrentHostCoherencyState = 6,    // bool
  kTfLiteBufferAttrKeyPreferredHostCoherencyState = 7,  // bool
  kTfLiteBufferAttrKeyCurrentHostCacheState = 8,        // bool
  kTfLiteBufferAttrKeyPreferredHostCacheState = 9,      // bool
} TfLiteBufferAttrKey;

typedef enum TfLiteSynchronizationAttrKey {
  kTfLiteSynchronizationAttrKeyUnknown = 0,
  kTfLiteSynchronizationAttrKeyObjectTypeName = 1,  // const char*, e.g. "sync_fence_fd"
} TfLiteSynchronizationAttrKey;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_TYPES_H_
