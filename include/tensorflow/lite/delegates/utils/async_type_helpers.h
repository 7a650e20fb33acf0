// SPDX-License-Identifier: Apache-2.0
// Attribute maps, buffers and synchronizations of asynchronous runs as C++ types.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_UTILS_ASYNC_TYPE_HELPERS_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_UTILS_ASYNC_TYPE_HELPERS_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "tensorflow/lite/async/interop/c/attribute_map.h"
#include "tensorflow/lite/async/interop/c/types.h"

namespace tflite::delegates::utils {

// Names of types in attribute maps; kTfLiteSyncTypeNoSyncObj is in interop/c/constants.h.
constexpr char kBufferTypeAHardwareBufferBlob[] = "ahardware_buffer_blob";
constexpr char kSyncTypeSyncFenceFd[] = "sync_fence_fd";

using ScopedTfLiteAttrMap =
    std::unique_ptr<TfLiteAttributeMap, decltype(&TfLiteAttributeMapDelete)>;
inline ScopedTfLiteAttrMap CreateScopedTfLiteAttrMap(TfLiteAttrMapType type) {
  return {TfLiteAttributeMapCreate(type), TfLiteAttributeMapDelete};
}

using ScopedTfLiteBackendBuffer =
    std::unique_ptr<TfLiteBackendBuffer, decltype(&TfLiteBackendBufferDelete)>;
inline ScopedTfLiteBackendBuffer CreateScopedTfLiteBackendBuffer() {
  return {TfLiteBackendBufferCreate(), TfLiteBackendBufferDelete};
}

using ScopedTfLiteSynchronization =
    std::unique_ptr<TfLiteSynchronization, decltype(&TfLiteSynchronizationDelete)>;
inline ScopedTfLiteSynchronization CreateScopedTfLiteSynchronization() {
  return {TfLiteSynchronizationCreate(), TfLiteSynchronizationDelete};
}

enum class BufferType { kUnknown, kAHardwareBufferBlob };

// Sizes in bytes; what has no value is not in the map.
struct BufferAttributes {
  std::optional<BufferType> buffer_type;
  std::optional<size_t> alignment;
  std::optional<size_t> padding;
  std::optional<size_t> offset;
  std::optional<size_t> size;
};

enum class SyncType { kUnknown, kNoSyncObj, kSyncFenceFd };

struct SyncAttributes {
  std::optional<SyncType> sync_type;
};

// A null map, or one of the other kind, reads as no attributes and stays as it is. A name that is
// not known reads as kUnknown, which has no name to write.
BufferAttributes ReadBufferAttrs(const TfLiteAttributeMap* attr_map);
BufferAttributes ReadBufferAttrs(const ScopedTfLiteAttrMap& attr_map);
void WriteBufferAttrs(const BufferAttributes& attrs, TfLiteAttributeMap* attr_map);
ScopedTfLiteAttrMap WriteBufferAttrs(const BufferAttributes& attrs);

SyncAttributes ReadSyncAttrs(const TfLiteAttributeMap* attr_map);
SyncAttributes ReadSyncAttrs(const ScopedTfLiteAttrMap& attr_map);
void WriteSyncAttrs(const SyncAttributes& attrs, TfLiteAttributeMap* attr_map);
ScopedTfLiteAttrMap WriteSyncAttrs(const SyncAttributes& attrs);

}  // namespace tflite::delegates::utils

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_UTILS_ASYNC_TYPE_HELPERS_H_
