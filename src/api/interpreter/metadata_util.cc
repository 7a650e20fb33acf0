// SPDX-License-Identifier: Apache-2.0
#include "tensorflow/lite/experimental/remat/metadata_util.h"

#include <string_view>
#include <utility>

#include "model/metadata.h"

namespace tflite {

std::string SerializeModelControlDependencies(const ModelControlDependencies& in) {
  return tern::SerializeControlDependencies(in);
}

bool ParseModelControlDependencies(const char* data, size_t size, ModelControlDependencies* out) {
  if (out == nullptr) return false;
  out->clear();
  if (data == nullptr) return false;
  auto parsed = tern::ParseControlDependencies(std::string_view(data, size));
  if (!parsed.ok()) return false;
  *out = *std::move(parsed);
  return true;
}

}  // namespace tflite
