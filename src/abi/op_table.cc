// SPDX-License-Identifier: Apache-2.0
// The rows in the order of their codes.
#include "abi/op_table.h"

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "abi/builtin_names.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/util.h"

namespace tern {
namespace {

enum Effect { Pure, Impure };

struct Row {
  const char* name = nullptr;
  int params_bytes = 0;
  Effect effect = Pure;
};

template <typename Params>
constexpr Row MakeRow(const char* name, Effect effect) {
  return {name, std::is_same_v<Params, NoParams> ? 0 : static_cast<int>(sizeof(Params)), effect};
}

struct Table {
  constexpr Table() {
#define OP(NAME, Name, first, last, folder, Options, Params, cost, effect) \
  rows[kTfLiteBuiltin##Name] = MakeRow<Params>(#NAME, effect);
#define CODE(NAME, Name, Options, Params) rows[kTfLiteBuiltin##Name] = MakeRow<Params>(#NAME, Pure);
#include "abi/op_table.inc"
    // Messages call REDUCE_WINDOW by another name than the schema does.
    rows[kTfLiteBuiltinReduceWindow].name = "REDUCE_WINDOW (depr.)";
  }
  Row rows[kBuiltinCodes];
};

constexpr Table kTable;
constexpr Row kNone;

const Row& RowOf(int builtin_code) {
  const auto index = static_cast<size_t>(builtin_code);
  return index < std::size(kTable.rows) ? kTable.rows[index] : kNone;
}

}  // namespace

const char* BuiltinOpName(int builtin_code) { return RowOf(builtin_code).name; }

bool BuiltinOpIsImpure(int builtin_code) { return RowOf(builtin_code).effect == Impure; }

}  // namespace tern

namespace tflite {

int GetBuiltinDataSize(BuiltinOperator op) {
  return tern::RowOf(static_cast<int>(op)).params_bytes;
}

}  // namespace tflite
