// SPDX-License-Identifier: Apache-2.0
// Finds the parameter reader of an op in the families' tables.

#include "model/read_params.h"

#include <array>

#include "model/read_params_internal.h"

namespace tern {
namespace {

constexpr size_t kOpCount = static_cast<size_t>(tflite::BuiltinOperator_MAX) + 1;

std::array<ParamsReader, kOpCount> MakeTable() {
  std::array<ParamsReader, kOpCount> table = {};
  for (const auto rows : {ConvolutionParams(), ArithmeticParams(), ShapeParams(), SequenceParams(),
                          ControlParams(), StablehloParams()}) {
    for (const ParamsRow& row : rows) table[row.code] = row.read;
  }
  return table;
}

}  // namespace

StatusOr<void*> ReadParams(const tflite::Operator& op, tflite::BuiltinOperator code) {
  static const std::array<ParamsReader, kOpCount> table = MakeTable();
  if (code < 0 || code > tflite::BuiltinOperator_MAX) {
    return Invalid("Op builtin_code out of range: ", static_cast<int>(code));
  }
  const ParamsReader read = table[code];
  if (read == nullptr) return nullptr;
  return read(op);
}

}  // namespace tern
