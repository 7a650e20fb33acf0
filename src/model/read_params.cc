// SPDX-License-Identifier: Apache-2.0
// The rows of op_table.inc as a table from code to reader.

#include "model/read_params.h"

#include <array>

#include "model/read_params_internal.h"

namespace tern {
namespace {

using Reader = StatusOr<void*> (*)(const tflite::Operator& op);
using Table = std::array<Reader, static_cast<size_t>(tflite::BuiltinOperator_MAX) + 1>;

template <typename Options, typename Params>
constexpr Reader ReaderOf() {
  if constexpr (std::is_same_v<Params, NoParams>) {
    return nullptr;
  } else {
    return Read<Options, Params>;
  }
}

constexpr Table MakeTable() {
  Table table = {};
#define OP(NAME, Name, first, last, folder, Options, Params, ...) \
  table[tflite::BuiltinOperator_##NAME] = ReaderOf<options::Options, Params>();
#define CODE(NAME, Name, Options, Params) \
  table[tflite::BuiltinOperator_##NAME] = ReaderOf<options::Options, Params>();
#include "abi/op_table.inc"
  return table;
}

}  // namespace

StatusOr<void*> ReadParams(const tflite::Operator& op, tflite::BuiltinOperator code) {
  static constexpr Table table = MakeTable();
  if (code < 0 || code > tflite::BuiltinOperator_MAX) {
    return Invalid("Op builtin_code out of range: ", static_cast<int>(code));
  }
  const Reader read = table[code];
  if (read == nullptr) return nullptr;
  return read(op);
}

}  // namespace tern
