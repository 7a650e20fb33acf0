// SPDX-License-Identifier: Apache-2.0
// Attributes to maps and back.
#include "tensorflow/lite/delegates/utils/async_type_helpers.h"

#include <gtest/gtest.h>

namespace tflite::delegates::utils {
namespace {

TEST(AsyncTypeHelpers, BufferAttributesThereAndBack) {
  BufferAttributes attrs;
  attrs.buffer_type = BufferType::kAHardwareBufferBlob;
  attrs.alignment = 64;
  attrs.size = 100;
  const ScopedTfLiteAttrMap map = WriteBufferAttrs(attrs);
  const BufferAttributes read = ReadBufferAttrs(map);
  EXPECT_EQ(read.buffer_type, attrs.buffer_type);
  EXPECT_EQ(read.alignment, 64u);
  EXPECT_EQ(read.size, 100u);
  EXPECT_FALSE(read.padding.has_value());
  EXPECT_FALSE(read.offset.has_value());
  size_t bytes = 0;
  EXPECT_TRUE(
      TfLiteAttributeMapGetSizeTBufferAttr(map.get(), kTfLiteBufferAttrKeyAlignment, &bytes));
  EXPECT_EQ(bytes, 64u);
}

TEST(AsyncTypeHelpers, SyncTypesThereAndBack) {
  for (const SyncType type : {SyncType::kNoSyncObj, SyncType::kSyncFenceFd}) {
    EXPECT_EQ(ReadSyncAttrs(WriteSyncAttrs({type})).sync_type, type);
  }
  EXPECT_FALSE(ReadSyncAttrs(WriteSyncAttrs({SyncType::kUnknown})).sync_type.has_value());
}

TEST(AsyncTypeHelpers, OtherNamesAndOtherMaps) {
  const ScopedTfLiteAttrMap buffer = CreateScopedTfLiteAttrMap(kTfLiteAttrMapTypeBuffer);
  TfLiteAttributeMapSetStringBufferAttr(buffer.get(), kTfLiteBufferAttrKeyResourceTypeName, "ram");
  EXPECT_EQ(ReadBufferAttrs(buffer).buffer_type, BufferType::kUnknown);
  WriteSyncAttrs({SyncType::kNoSyncObj}, buffer.get());
  EXPECT_FALSE(ReadSyncAttrs(buffer).sync_type.has_value());
  const ScopedTfLiteAttrMap sync = CreateScopedTfLiteAttrMap(kTfLiteAttrMapTypeSync);
  TfLiteAttributeMapSetStringSyncAttr(sync.get(), kTfLiteSynchronizationAttrKeyObjectTypeName, "x");
  EXPECT_EQ(ReadSyncAttrs(sync).sync_type, SyncType::kUnknown);
  BufferAttributes attrs;
  attrs.size = 1;
  WriteBufferAttrs(attrs, sync.get());
  EXPECT_FALSE(ReadBufferAttrs(sync).size.has_value());
  WriteBufferAttrs(attrs, nullptr);
  EXPECT_FALSE(ReadBufferAttrs(nullptr).size.has_value());
}

}  // namespace
}  // namespace tflite::delegates::utils
