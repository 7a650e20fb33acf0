// SPDX-License-Identifier: Apache-2.0
// The asynchronous C API: buffers, synchronizations and their attributes.
#include "api/async/c_handles.h"
#include "tensorflow/lite/core/async/interop/c/attribute_map.h"
#include "tensorflow/lite/core/async/interop/c/constants.h"

const char kTfLiteSyncTypeNoSyncObj[] = "no_sync_obj";

TfLiteBackendBuffer* TfLiteBackendBufferCreate(void) { return new TfLiteBackendBuffer; }

void TfLiteBackendBufferDelete(TfLiteBackendBuffer* buf) { delete buf; }

void TfLiteBackendBufferSetPtr(TfLiteBackendBuffer* buf, void* ptr) {
  if (buf != nullptr) buf->ptr = ptr;
}

void* TfLiteBackendBufferGetPtr(const TfLiteBackendBuffer* buf) {
  return buf == nullptr ? nullptr : buf->ptr;
}

TfLiteSynchronization* TfLiteSynchronizationCreate(void) { return new TfLiteSynchronization; }

void TfLiteSynchronizationDelete(TfLiteSynchronization* sync) { delete sync; }

void TfLiteSynchronizationSetPtr(TfLiteSynchronization* sync, void* ptr) {
  if (sync != nullptr) sync->ptr = ptr;
}

void* TfLiteSynchronizationGetPtr(const TfLiteSynchronization* sync) {
  return sync == nullptr ? nullptr : sync->ptr;
}

namespace {

// Where the map has a value of this type under the key, it comes to *out.
template <class T, class Key>
bool Get(const std::map<Key, TfLiteAttributeMap::Value>& values, const Key& key, T* out) {
  const auto found = values.find(key);
  const T* value = found == values.end() ? nullptr : std::get_if<T>(&found->second);
  if (value == nullptr || out == nullptr) return false;
  *out = *value;
  return true;
}

template <class T>
bool GetByNumber(const TfLiteAttributeMap* attrs, uint32_t key, T* out) {
  return attrs != nullptr && Get(attrs->by_number, key, out);
}

template <class T>
void SetByNumber(TfLiteAttributeMap* attrs, uint32_t key, T value) {
  if (attrs != nullptr) attrs->by_number[key] = value;
}

template <class T>
bool GetByName(const TfLiteAttributeMap* attrs, const char* key, T* out) {
  return attrs != nullptr && key != nullptr && Get(attrs->by_name, std::string(key), out);
}

template <class T>
void SetByName(TfLiteAttributeMap* attrs, const char* key, T value) {
  if (attrs != nullptr && key != nullptr) attrs->by_name[key] = value;
}

template <class T>
bool GetOfBuffer(const TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key, T* out) {
  return TfLiteAttributeMapIsBufferAttributeMap(attrs) && GetByNumber(attrs, key, out);
}

template <class T>
bool SetOfBuffer(TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key, T value) {
  if (!TfLiteAttributeMapIsBufferAttributeMap(attrs)) return false;
  SetByNumber(attrs, key, value);
  return true;
}

}  // namespace

TfLiteAttributeMap* TfLiteAttributeMapCreate(TfLiteAttrMapType type) {
  return new TfLiteAttributeMap{type, {}, {}};
}

void TfLiteAttributeMapDelete(TfLiteAttributeMap* attrs) { delete attrs; }

bool TfLiteAttributeMapIsBufferAttributeMap(const TfLiteAttributeMap* attrs) {
  return attrs != nullptr && attrs->type == kTfLiteAttrMapTypeBuffer;
}

bool TfLiteAttributeMapIsSyncAttributeMap(const TfLiteAttributeMap* attrs) {
  return attrs != nullptr && attrs->type == kTfLiteAttrMapTypeSync;
}

void TfLiteAttributeMapCopy(const TfLiteAttributeMap* src, TfLiteAttributeMap* dst) {
  if (src != nullptr && dst != nullptr) *dst = *src;
}

bool TfLiteAttributeMapGetSizeTBufferAttr(const TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key,
                                          size_t* val) {
  return GetOfBuffer(attrs, key, val);
}

bool TfLiteAttributeMapSetSizeTBufferAttr(TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key,
                                          size_t val) {
  return SetOfBuffer(attrs, key, val);
}

bool TfLiteAttributeMapGetStringBufferAttr(const TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key,
                                           const char** val) {
  return GetOfBuffer(attrs, key, val);
}

bool TfLiteAttributeMapSetStringBufferAttr(TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key,
                                           const char* val) {
  return SetOfBuffer(attrs, key, val);
}

bool TfLiteAttributeMapGetBoolBufferAttr(const TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key,
                                         bool* val) {
  return GetOfBuffer(attrs, key, val);
}

bool TfLiteAttributeMapSetBoolBufferAttr(TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key,
                                         bool val) {
  return SetOfBuffer(attrs, key, val);
}

bool TfLiteAttributeMapGetStringSyncAttr(const TfLiteAttributeMap* attrs,
                                         TfLiteSynchronizationAttrKey key, const char** val) {
  return TfLiteAttributeMapIsSyncAttributeMap(attrs) && GetByNumber(attrs, key, val);
}

bool TfLiteAttributeMapSetStringSyncAttr(TfLiteAttributeMap* attrs,
                                         TfLiteSynchronizationAttrKey key, const char* val) {
  if (!TfLiteAttributeMapIsSyncAttributeMap(attrs)) return false;
  SetByNumber(attrs, key, val);
  return true;
}

// The four functions of one type of value.
#define TERN_ATTRIBUTE_FUNCTIONS(Type, Name)                                                     \
  bool TfLiteAttributeMapGet##Name##Attr(const TfLiteAttributeMap* attrs, uint32_t key,          \
                                         Type* val) {                                            \
    return GetByNumber(attrs, key, val);                                                         \
  }                                                                                              \
  void TfLiteAttributeMapSet##Name##Attr(TfLiteAttributeMap* attrs, uint32_t key, Type val) {    \
    SetByNumber(attrs, key, val);                                                                \
  }                                                                                              \
  bool TfLiteAttributeMapGetCustom##Name##Attr(const TfLiteAttributeMap* attrs, const char* key, \
                                               Type* val) {                                      \
    return GetByName(attrs, key, val);                                                           \
  }                                                                                              \
  void TfLiteAttributeMapSetCustom##Name##Attr(TfLiteAttributeMap* attrs, const char* key,       \
                                               Type val) {                                       \
    SetByName(attrs, key, val);                                                                  \
  }
TERN_ATTRIBUTE_FUNCTIONS(int, Int)
TERN_ATTRIBUTE_FUNCTIONS(size_t, SizeT)
TERN_ATTRIBUTE_FUNCTIONS(const char*, String)
TERN_ATTRIBUTE_FUNCTIONS(bool, Bool)
#undef TERN_ATTRIBUTE_FUNCTIONS
