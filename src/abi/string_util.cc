// SPDX-License-Identifier: Apache-2.0
// String tensors: build their bytes and read them with every offset checked.
#include "tensorflow/lite/string_util.h"

#include <cstdlib>
#include <cstring>

namespace tflite {
namespace {

// The head is the count and count + 1 offsets, all int32.
size_t HeadBytes(size_t count) { return (count + 2) * sizeof(int32_t); }

int32_t ReadInt(const void* raw, size_t index) {
  int32_t value;
  std::memcpy(&value, static_cast<const char*>(raw) + index * sizeof(int32_t), sizeof(value));
  return value;
}

void WriteInt(char* raw, size_t index, size_t value) {
  const auto narrow = static_cast<int32_t>(value);
  std::memcpy(raw + index * sizeof(int32_t), &narrow, sizeof(narrow));
}

}  // namespace

TfLiteStatus DynamicBuffer::AddString(const char* str, size_t len) {
  if (len > max_length_ || data_.size() > max_length_ - len) {
    return kTfLiteError;
  }
  data_.insert(data_.end(), str, str + len);
  offset_.push_back(data_.size());
  return kTfLiteOk;
}

TfLiteStatus DynamicBuffer::AddString(const StringRef& string) {
  return AddString(string.str, string.len);
}

void DynamicBuffer::AddJoinedString(const std::vector<StringRef>& strings, char separator) {
  AddJoinedString(strings, StringRef{&separator, 1});
}

void DynamicBuffer::AddJoinedString(const std::vector<StringRef>& strings, StringRef separator) {
  std::string joined;
  for (size_t i = 0; i < strings.size(); ++i) {
    if (i > 0) {
      joined.append(separator.str, separator.len);
    }
    joined.append(strings[i].str, strings[i].len);
  }
  AddString(joined.data(), joined.size());
}

int DynamicBuffer::WriteToBuffer(char** buffer) {
  *buffer = nullptr;
  const size_t count = offset_.size() - 1;
  const size_t head = HeadBytes(count);
  const size_t total = head + data_.size();
  if (total > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return 0;
  }
  *buffer = static_cast<char*>(std::malloc(total));
  if (*buffer == nullptr) {
    return 0;
  }
  WriteInt(*buffer, 0, count);
  for (size_t i = 0; i <= count; ++i) {
    WriteInt(*buffer, i + 1, head + offset_[i]);
  }
  if (!data_.empty()) {
    std::memcpy(*buffer + head, data_.data(), data_.size());
  }
  return static_cast<int>(total);
}

void DynamicBuffer::WriteToTensor(TfLiteTensor* tensor, TfLiteIntArray* new_shape) {
  char* buffer = nullptr;
  const int bytes = WriteToBuffer(&buffer);
  TfLiteTensorDataFree(tensor);
  tensor->data.raw = buffer;
  tensor->bytes = static_cast<size_t>(bytes);
  tensor->allocation_type = kTfLiteDynamic;
  if (new_shape != nullptr) {
    TfLiteIntArrayFree(tensor->dims);
    tensor->dims = new_shape;
  }
}

void DynamicBuffer::WriteToTensorAsVector(TfLiteTensor* tensor) {
  TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
  if (shape != nullptr) {
    shape->data[0] = static_cast<int>(offset_.size() - 1);
  }
  WriteToTensor(tensor, shape);
}

int GetStringCount(const void* raw_buffer) {
  return raw_buffer == nullptr ? 0 : ReadInt(raw_buffer, 0);
}

int GetStringCount(const TfLiteTensor* tensor) {
  if (tensor->data.raw_const == nullptr || tensor->bytes < sizeof(int32_t)) {
    return 0;
  }
  const int count = ReadInt(tensor->data.raw_const, 0);
  return count < 0 || HeadBytes(static_cast<size_t>(count)) > tensor->bytes ? 0 : count;
}

StringRef GetString(const void* raw_buffer, int string_index) {
  const auto index = static_cast<size_t>(string_index);
  const int32_t begin = ReadInt(raw_buffer, index + 1);
  const int32_t end = ReadInt(raw_buffer, index + 2);
  return {static_cast<const char*>(raw_buffer) + begin, static_cast<size_t>(end - begin)};
}

StringRef GetString(const TfLiteTensor* tensor, int string_index) {
  static constexpr StringRef kNothing = {"", 0};
  if (string_index < 0 || string_index >= GetStringCount(tensor)) {
    return kNothing;
  }
  const auto index = static_cast<size_t>(string_index);
  const int32_t begin = ReadInt(tensor->data.raw_const, index + 1);
  const int32_t end = ReadInt(tensor->data.raw_const, index + 2);
  if (begin < 0 || end < begin || static_cast<size_t>(end) > tensor->bytes) {
    return kNothing;
  }
  return {tensor->data.raw_const + begin, static_cast<size_t>(end - begin)};
}

}  // namespace tflite
