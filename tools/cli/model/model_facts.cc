// SPDX-License-Identifier: Apache-2.0
// Reading a model file; indices in it may point anywhere.
#include "cli/model/model_facts.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tern::cli {
namespace {

// 0 for types whose elements have no fixed size.
int ElementBits(tflite::TensorType type) {
  switch (type) {
    case tflite::TensorType_INT2:
      return 2;
    case tflite::TensorType_INT4:
    case tflite::TensorType_UINT4:
      return 4;
    case tflite::TensorType_BOOL:
    case tflite::TensorType_FLOAT8_E4M3FN:
    case tflite::TensorType_FLOAT8_E5M2:
    case tflite::TensorType_INT8:
    case tflite::TensorType_UINT8:
      return 8;
    case tflite::TensorType_FLOAT16:
    case tflite::TensorType_BFLOAT16:
    case tflite::TensorType_INT16:
    case tflite::TensorType_UINT16:
      return 16;
    case tflite::TensorType_FLOAT32:
    case tflite::TensorType_INT32:
    case tflite::TensorType_UINT32:
      return 32;
    case tflite::TensorType_FLOAT64:
    case tflite::TensorType_INT64:
    case tflite::TensorType_UINT64:
    case tflite::TensorType_COMPLEX64:
      return 64;
    case tflite::TensorType_COMPLEX128:
      return 128;
    default:
      return 0;
  }
}

}  // namespace

std::string Text(const flatbuffers::String* text) { return text == nullptr ? "" : text->str(); }

std::string OpCode::NameAndVersion() const {
  return builtin < 0 ? name : absl::StrCat(name, "@", version);
}

OpCode OpCodeAt(const tflite::Model& model, uint32_t index) {
  const auto* codes = model.operator_codes();
  if (codes == nullptr || index >= codes->size()) {
    return {absl::StrCat("opcode ", index, "?"), -1, false, 0};
  }
  const tflite::OperatorCode* code = codes->Get(index);
  const int builtin = std::max(static_cast<int>(code->builtin_code()),
                               static_cast<int>(code->deprecated_builtin_code()));
  const bool custom = builtin == static_cast<int>(tflite::BuiltinOperator_CUSTOM);
  const std::string name =
      custom ? Text(code->custom_code())
             : tflite::EnumNameBuiltinOperator(static_cast<tflite::BuiltinOperator>(builtin));
  return {name.empty() ? absl::StrCat("builtin ", builtin, "?") : name, builtin, custom,
          code->version()};
}

size_t BufferBytes(const tflite::Model& model, uint32_t index) {
  if (model.buffers() == nullptr || index >= model.buffers()->size()) return 0;
  const tflite::Buffer* buffer = model.buffers()->Get(index);
  if (buffer->data() != nullptr) return buffer->data()->size();
  return buffer->size();
}

std::string ElementTypeName(const tflite::Tensor& tensor) {
  const std::string name = absl::AsciiStrToLower(tflite::EnumNameTensorType(tensor.type()));
  return name.empty() ? absl::StrCat("type ", static_cast<int>(tensor.type()), "?") : name;
}

std::optional<uint64_t> TensorBytes(const tflite::Tensor& tensor) {
  const auto bits = static_cast<uint64_t>(ElementBits(tensor.type()));
  if (bits == 0) return std::nullopt;
  uint64_t all = bits;
  if (tensor.shape() != nullptr) {
    for (const int32_t size : *tensor.shape()) {
      if (size < 0 || __builtin_mul_overflow(all, static_cast<uint64_t>(size), &all)) {
        return std::nullopt;
      }
    }
  }
  return all / 8 + (all % 8 != 0 ? 1 : 0);
}

}  // namespace tern::cli
