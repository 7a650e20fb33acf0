// SPDX-License-Identifier: Apache-2.0
// A table that is filled once.
#include <cstring>
#include <string>
#include <unordered_map>

#include "ops/cpu_kit/op_kit.h"
#include "tensorflow/lite/experimental/resource/lookup_interfaces.h"
#include "tensorflow/lite/string_util.h"

namespace tern {
namespace {

// Elements of a tensor of either type.
template <class T>
class Reader {
 public:
  explicit Reader(const TfLiteTensor* tensor) : tensor_(tensor) {}
  int64_t size() const { return Elements(tensor_); }
  T Get(int64_t i) const { return Data<T>(tensor_)[i]; }

 private:
  const TfLiteTensor* tensor_;
};

template <>
class Reader<std::string> {
 public:
  explicit Reader(const TfLiteTensor* tensor) : tensor_(tensor) {}
  int64_t size() const { return tflite::GetStringCount(tensor_); }
  std::string Get(int64_t i) const {
    const tflite::StringRef text = tflite::GetString(tensor_, static_cast<int>(i));
    return std::string(text.str, text.len);
  }

 private:
  const TfLiteTensor* tensor_;
};

template <class T>
class Writer {
 public:
  void Add(const T& value) { values_.push_back(value); }
  void WriteTo(TfLiteTensor* tensor) const {
    std::copy(values_.begin(), values_.end(), MutableData<T>(tensor));
  }

 private:
  std::vector<T> values_;
};

template <>
class Writer<std::string> {
 public:
  void Add(const std::string& value) { buffer_.AddString(value.data(), value.size()); }
  void WriteTo(TfLiteTensor* tensor) { buffer_.WriteToTensor(tensor, /*new_shape=*/nullptr); }

 private:
  tflite::DynamicBuffer buffer_;
};

template <class Key, class Value>
class StaticTable : public tflite::resource::LookupInterface {
 public:
  StaticTable(TfLiteType key, TfLiteType value) : key_(key), value_(value) {}

  TfLiteStatus Lookup(TfLiteContext* context, const TfLiteTensor* keys, TfLiteTensor* values,
                      const TfLiteTensor* default_value) override {
    if (!filled_) {
      context->ReportError(context, "hashtable need to be initialized before using");
      return kTfLiteError;
    }
    if (!Holds(context, keys) || !Holds(context, default_value)) return kTfLiteError;
    const Reader<Key> wanted(keys);
    const Reader<Value> preset(default_value);
    if (preset.size() != 1 || wanted.size() != Elements(keys)) {
      context->ReportError(context, "keys or default have too few elements");
      return kTfLiteError;
    }
    Writer<Value> found;
    for (int64_t i = 0; i < wanted.size(); ++i) {
      const auto entry = entries_.find(wanted.Get(i));
      found.Add(entry == entries_.end() ? preset.Get(0) : entry->second);
    }
    found.WriteTo(values);
    return kTfLiteOk;
  }

  TfLiteStatus Import(TfLiteContext* context, const TfLiteTensor* keys,
                      const TfLiteTensor* values) override {
    if (filled_) return kTfLiteOk;
    if (!Holds(context, keys) || !Holds(context, values)) return kTfLiteError;
    const Reader<Key> from(keys);
    const Reader<Value> to(values);
    if (from.size() != to.size()) {
      context->ReportError(context, "there must be as many values as keys (%d, %d)",
                           static_cast<int>(to.size()), static_cast<int>(from.size()));
      return kTfLiteError;
    }
    for (int64_t i = 0; i < from.size(); ++i) entries_.emplace(from.Get(i), to.Get(i));
    filled_ = true;
    return kTfLiteOk;
  }

  size_t Size() override { return entries_.size(); }
  TfLiteType GetKeyType() const override { return key_; }
  TfLiteType GetValueType() const override { return value_; }

  TfLiteStatus CheckKeyAndValueTypes(TfLiteContext* context, const TfLiteTensor* keys,
                                     const TfLiteTensor* values) override {
    if (keys->type == key_ && values->type == value_) return kTfLiteOk;
    context->ReportError(context, "the table is from %s to %s, not from %s to %s",
                         TfLiteTypeGetName(key_), TfLiteTypeGetName(value_),
                         TfLiteTypeGetName(keys->type), TfLiteTypeGetName(values->type));
    return kTfLiteError;
  }

  bool IsInitialized() override { return filled_; }

  size_t GetMemoryUsage() override {
    size_t bytes = 0;
    for (const auto& [key, value] : entries_) bytes += BytesOf(key) + BytesOf(value);
    return bytes;
  }

 private:
  static size_t BytesOf(int64_t) { return sizeof(int64_t); }
  static size_t BytesOf(const std::string& text) { return text.size(); }

  static bool Holds(TfLiteContext* context, const TfLiteTensor* tensor) {
    if (CheckData(tensor, "").ok()) return true;
    context->ReportError(context, "an operand of a table has no data");
    return false;
  }

  TfLiteType key_, value_;
  bool filled_ = false;
  std::unordered_map<Key, Value> entries_;
};

}  // namespace
}  // namespace tern

namespace tflite {
namespace resource {

TfLiteStatus CreateHashtableResourceIfNotAvailable(ResourceMap* resources, int resource_id,
                                                   TfLiteType key_dtype, TfLiteType value_dtype) {
  if (resources == nullptr) return kTfLiteError;
  if (resources->count(resource_id) != 0) {
    return GetHashtableResource(resources, resource_id) != nullptr ? kTfLiteOk : kTfLiteError;
  }
  std::unique_ptr<ResourceBase> table;
  if (key_dtype == kTfLiteInt64 && value_dtype == kTfLiteString) {
    table = std::make_unique<tern::StaticTable<int64_t, std::string>>(key_dtype, value_dtype);
  } else if (key_dtype == kTfLiteString && value_dtype == kTfLiteInt64) {
    table = std::make_unique<tern::StaticTable<std::string, int64_t>>(key_dtype, value_dtype);
  }
  if (table == nullptr) return kTfLiteError;
  resources->emplace(resource_id, std::move(table));
  return kTfLiteOk;
}

LookupInterface* GetHashtableResource(ResourceMap* resources, int resource_id) {
  if (resources == nullptr) return nullptr;
  const auto found = resources->find(resource_id);
  return found == resources->end() ? nullptr : dynamic_cast<LookupInterface*>(found->second.get());
}

}  // namespace resource
}  // namespace tflite
