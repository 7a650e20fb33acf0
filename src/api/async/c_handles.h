// SPDX-License-Identifier: Apache-2.0
// The structs behind the handles of buffers, synchronizations and their attributes.
#ifndef TERN_API_ASYNC_C_HANDLES_H_
#define TERN_API_ASYNC_C_HANDLES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "tensorflow/lite/core/async/interop/c/types.h"

struct TfLiteBackendBuffer {
  void* ptr = nullptr;
};

struct TfLiteSynchronization {
  void* ptr = nullptr;
};

struct TfLiteAttributeMap {
  using Value = std::variant<int, size_t, const char*, bool>;
  TfLiteAttrMapType type = kTfLiteAttrMapTypeUnknown;
  std::map<uint32_t, Value> by_number;
  std::map<std::string, Value> by_name;
};

#endif  // TERN_API_ASYNC_C_HANDLES_H_
