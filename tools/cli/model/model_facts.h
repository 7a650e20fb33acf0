// SPDX-License-Identifier: Apache-2.0
// Facts of a model file, in the forms that the listings of `tern inspect` share.
#ifndef TERN_TOOLS_CLI_MODEL_MODEL_FACTS_H_
#define TERN_TOOLS_CLI_MODEL_MODEL_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::cli {

// Empty for a text that is not there.
std::string Text(const flatbuffers::String* text);

// An entry of the list of operator codes.
struct OpCode {
  std::string name;  // CONV_2D, or the name of a custom op; "opcode 7?" where there is no entry
  int builtin = -1;  // BuiltinOperator; -1 where there is no entry
  bool custom = false;
  int version = 0;

  std::string NameAndVersion() const;  // "CONV_2D@1"
};
OpCode OpCodeAt(const tflite::Model& model, uint32_t index);

// Of a buffer, wherever its bytes lie; 0 for an index without a buffer.
size_t BufferBytes(const tflite::Model& model, uint32_t index);
// "float32"; the name of the schema in small letters.
std::string ElementTypeName(const tflite::Tensor& tensor);
// Returns the bytes of the elements by type and shape; nothing for strings, for unknown sizes and
// for more than fits.
std::optional<uint64_t> TensorBytes(const tflite::Tensor& tensor);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_MODEL_FACTS_H_
