// SPDX-License-Identifier: Apache-2.0
// Attributes of a buffer or a synchronization object, by which application and backend agree on
// both. C11 and C++17.
//
// Values of type const char* are kept as pointers: the text must outlive the map. A getter gives
// false, and leaves *val alone, when the map is NULL, lacks the key or has another type there. A
// setter replaces the value of any type that the key had.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteAttributeMap TfLiteAttributeMap;

// An empty map; the caller deletes it.
TFL_CAPI_EXPORT TfLiteAttributeMap* TfLiteAttributeMapCreate(TfLiteAttrMapType type);
// Accepts NULL.
TFL_CAPI_EXPORT void TfLiteAttributeMapDelete(TfLiteAttributeMap* attrs);

// False for NULL.
TFL_CAPI_EXPORT bool TfLiteAttributeMapIsBufferAttributeMap(const TfLiteAttributeMap* attrs);
TFL_CAPI_EXPORT bool TfLiteAttributeMapIsSyncAttributeMap(const TfLiteAttributeMap* attrs);

// Makes dst equal to src. Nothing happens when either is NULL.
TFL_CAPI_EXPORT void TfLiteAttributeMapCopy(const TfLiteAttributeMap* src, TfLiteAttributeMap* dst);

// ---- By the keys of a buffer or of a synchronization: false, too, for a map of the other kind.
TFL_CAPI_EXPORT bool TfLiteAttributeMapGetSizeTBufferAttr(const TfLiteAttributeMap* attrs,
                                                          TfLiteBufferAttrKey key, size_t* val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapSetSizeTBufferAttr(TfLiteAttributeMap* attrs,
                                                          TfLiteBufferAttrKey key, size_t val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapGetStringBufferAttr(const TfLiteAttributeMap* attrs,
                                                           TfLiteBufferAttrKey key,
                                                           const char** val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapSetStringBufferAttr(TfLiteAttributeMap* attrs,
                                                           TfLiteBufferAttrKey key,
                                                           const char* val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapGetBoolBufferAttr(const TfLiteAttributeMap* attrs,
                                                         TfLiteBufferAttrKey key, bool* val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapSetBoolBufferAttr(TfLiteAttributeMap* attrs,
                                                         TfLiteBufferAttrKey key, bool val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapGetStringSyncAttr(const TfLiteAttributeMap* attrs,
                                                         TfLiteSynchronizationAttrKey key,
                                                         const char** val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapSetStringSyncAttr(TfLiteAttributeMap* attrs,
                                                         TfLiteSynchronizationAttrKey key,
                                                         const char* val);

// ---- By number, and by names of a backend's own, in a map of any kind.
TFL_CAPI_EXPORT bool TfLiteAttributeMapGetIntAttr(const TfLiteAttributeMap* attrs, uint32_t key,
                                                  int* val);
TFL_CAPI_EXPORT void TfLiteAttributeMapSetIntAttr(TfLiteAttributeMap* attrs, uint32_t key, int val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapGetCustomIntAttr(const TfLiteAttributeMap* attrs,
                                                        const char* key, int* val);
TFL_CAPI_EXPORT void TfLiteAttributeMapSetCustomIntAttr(TfLiteAttributeMap* attrs, const char* key,
                                                        int val);

TFL_CAPI_EXPORT bool TfLiteAttributeMapGetSizeTAttr(const TfLiteAttributeMap* attrs, uint32_t key,
                                                    size_t* val);
TFL_CAPI_EXPORT void TfLiteAttributeMapSetSizeTAttr(TfLiteAttributeMap* attrs, uint32_t key,
                                                    size_t val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapGetCustomSizeTAttr(const TfLiteAttributeMap* attrs,
                                                          const char* key, size_t* val);
TFL_CAPI_EXPORT void TfLiteAttributeMapSetCustomSizeTAttr(TfLiteAttributeMap* attrs,
                                                          const char* key, size_t val);

TFL_CAPI_EXPORT bool TfLiteAttributeMapGetStringAttr(const TfLiteAttributeMap* attrs, uint32_t key,
                                                     const char** val);
TFL_CAPI_EXPORT void TfLiteAttributeMapSetStringAttr(TfLiteAttributeMap* attrs, uint32_t key,
                                                     const char* val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapGetCustomStringAttr(const TfLiteAttributeMap* attrs,
                                                           const char* key, const char** val);
TFL_CAPI_EXPORT void TfLiteAttributeMapSetCustomStringAttr(TfLiteAttributeMap* attrs,
                                                           const char* key, const char* val);

TFL_CAPI_EXPORT bool TfLiteAttributeMapGetBoolAttr(const TfLiteAttributeMap* attrs, uint32_t key,
                                                   bool* val);
TFL_CAPI_EXPORT void TfLiteAttributeMapSetBoolAttr(TfLiteAttributeMap* attrs, uint32_t key,
                                                   bool val);
TFL_CAPI_EXPORT bool TfLiteAttributeMapGetCustomBoolAttr(const TfLiteAttributeMap* attrs,
                                                         const char* key, bool* val);
TFL_CAPI_EXPORT void TfLiteAttributeMapSetCustomBoolAttr(TfLiteAttributeMap* attrs, const char* key,
                                                         bool val);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_
