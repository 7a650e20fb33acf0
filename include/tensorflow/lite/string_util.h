// SPDX-License-Identifier: Apache-2.0
// String tensors. Their bytes are: int32 count N, N + 1 int32 offsets from the start, then the
// characters without terminators. The last offset is the size of the whole buffer.
#ifndef TERN_TENSORFLOW_LITE_STRING_UTIL_H_
#define TERN_TENSORFLOW_LITE_STRING_UTIL_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/string_type.h"

namespace tflite {

// A string that somebody else owns; not terminated.
struct StringRef {
  const char* str;
  size_t len;
};

inline constexpr size_t kDefaultMaxLength = std::numeric_limits<int>::max();

// Collects strings and writes them as one tensor.
class DynamicBuffer {
 public:
  // `max_length` limits the characters of all strings together, in bytes.
  explicit DynamicBuffer(size_t max_length = kDefaultMaxLength)
      : offset_({0}), max_length_(max_length) {}

  // Appends one string; Error when the limit would be passed.
  TfLiteStatus AddString(const StringRef& string);
  TfLiteStatus AddString(const char* str, size_t len);

  // Appends the strings as one, with the separator between them.
  void AddJoinedString(const std::vector<StringRef>& strings, char separator);
  void AddJoinedString(const std::vector<StringRef>& strings, StringRef separator);

  // Makes the tensor bytes in a malloc block that the caller frees; returns their number, 0 (and
  // NULL) on failure.
  int WriteToBuffer(char** buffer);

  // Fills a string tensor. Takes ownership of `new_shape`; NULL keeps the shape of the tensor.
  void WriteToTensor(TfLiteTensor* tensor, TfLiteIntArray* new_shape);

  // Fills a string tensor as one dimension of as many entries as there are strings.
  void WriteToTensorAsVector(TfLiteTensor* tensor);

 private:
  std::vector<char> data_;
  std::vector<size_t> offset_;  // of each string in data_, and the end
  const size_t max_length_;
};

// Number of strings in the bytes of a string tensor; 0 for NULL.
int GetStringCount(const void* raw_buffer);
int GetStringCount(const TfLiteTensor* tensor);

// One string of it, pointing into the bytes. The tensor forms give an empty string for a bad index
// or bad offsets.
StringRef GetString(const void* raw_buffer, int string_index);
StringRef GetString(const TfLiteTensor* tensor, int string_index);

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_STRING_UTIL_H_
