// SPDX-License-Identifier: Apache-2.0
// Attributes to and from maps.
#include "tensorflow/lite/delegates/utils/async_type_helpers.h"

#include <string_view>
#include <utility>

#include "tensorflow/lite/async/interop/c/constants.h"

namespace tflite::delegates::utils {
namespace {

using SizeField = std::optional<size_t> BufferAttributes::*;
constexpr std::pair<TfLiteBufferAttrKey, SizeField> kSizes[] = {
    {kTfLiteBufferAttrKeyAlignment, &BufferAttributes::alignment},
    {kTfLiteBufferAttrKeyPadding, &BufferAttributes::padding},
    {kTfLiteBufferAttrKeyOffset, &BufferAttributes::offset},
    {kTfLiteBufferAttrKeySize, &BufferAttributes::size},
};

}  // namespace

BufferAttributes ReadBufferAttrs(const TfLiteAttributeMap* attr_map) {
  BufferAttributes attrs;
  const char* name = nullptr;
  if (TfLiteAttributeMapGetStringBufferAttr(attr_map, kTfLiteBufferAttrKeyResourceTypeName,
                                            &name)) {
    const bool known = name != nullptr && std::string_view(name) == kBufferTypeAHardwareBufferBlob;
    attrs.buffer_type = known ? BufferType::kAHardwareBufferBlob : BufferType::kUnknown;
  }
  for (const auto& [key, field] : kSizes) {
    size_t bytes = 0;
    if (TfLiteAttributeMapGetSizeTBufferAttr(attr_map, key, &bytes)) attrs.*field = bytes;
  }
  return attrs;
}

BufferAttributes ReadBufferAttrs(const ScopedTfLiteAttrMap& attr_map) {
  return ReadBufferAttrs(attr_map.get());
}

void WriteBufferAttrs(const BufferAttributes& attrs, TfLiteAttributeMap* attr_map) {
  if (attrs.buffer_type == BufferType::kAHardwareBufferBlob) {
    TfLiteAttributeMapSetStringBufferAttr(attr_map, kTfLiteBufferAttrKeyResourceTypeName,
                                          kBufferTypeAHardwareBufferBlob);
  }
  for (const auto& [key, field] : kSizes) {
    if (attrs.*field) TfLiteAttributeMapSetSizeTBufferAttr(attr_map, key, *(attrs.*field));
  }
}

ScopedTfLiteAttrMap WriteBufferAttrs(const BufferAttributes& attrs) {
  ScopedTfLiteAttrMap attr_map = CreateScopedTfLiteAttrMap(kTfLiteAttrMapTypeBuffer);
  WriteBufferAttrs(attrs, attr_map.get());
  return attr_map;
}

SyncAttributes ReadSyncAttrs(const TfLiteAttributeMap* attr_map) {
  SyncAttributes attrs;
  const char* name = nullptr;
  if (!TfLiteAttributeMapGetStringSyncAttr(attr_map, kTfLiteSynchronizationAttrKeyObjectTypeName,
                                           &name)) {
    return attrs;
  }
  const std::string_view text = name == nullptr ? "" : name;
  attrs.sync_type = text == kTfLiteSyncTypeNoSyncObj ? SyncType::kNoSyncObj
                    : text == kSyncTypeSyncFenceFd   ? SyncType::kSyncFenceFd
                                                     : SyncType::kUnknown;
  return attrs;
}

SyncAttributes ReadSyncAttrs(const ScopedTfLiteAttrMap& attr_map) {
  return ReadSyncAttrs(attr_map.get());
}

void WriteSyncAttrs(const SyncAttributes& attrs, TfLiteAttributeMap* attr_map) {
  const char* name = attrs.sync_type == SyncType::kNoSyncObj     ? kTfLiteSyncTypeNoSyncObj
                     : attrs.sync_type == SyncType::kSyncFenceFd ? kSyncTypeSyncFenceFd
                                                                 : nullptr;
  if (name == nullptr) return;
  TfLiteAttributeMapSetStringSyncAttr(attr_map, kTfLiteSynchronizationAttrKeyObjectTypeName, name);
}

ScopedTfLiteAttrMap WriteSyncAttrs(const SyncAttributes& attrs) {
  ScopedTfLiteAttrMap attr_map = CreateScopedTfLiteAttrMap(kTfLiteAttrMapTypeSync);
  WriteSyncAttrs(attrs, attr_map.get());
  return attr_map;
}

}  // namespace tflite::delegates::utils
