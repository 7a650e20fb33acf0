// SPDX-License-Identifier: Apache-2.0
// Rows of a table of bad models: what is wrong with a good model, and the advisory that the peer's
// operation of that name had. Every row runs on every route.
#ifndef TERN_OPS_TESTING_DAMAGE_H_
#define TERN_OPS_TESTING_DAMAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ops/testing/mutations.h"

namespace tern::testing {

enum class Expect {
  kError,       // on the CPU, and the GPU refuses the node
  kFileError,   // unless an application builds the same graph itself
  kCpuDecides,  // the GPU goes by shapes, to which the numbers in question add nothing
  kCpuError,    // values that only the CPU looks at
  kAny,         // allowed, or an error: no crash
};

struct DamageRow {
  std::string id;  // CVE-..., Chromium ..., LiteRT ..., issue ...
  std::string op;  // a model of AllGoodModels
  std::string what;
  Damage damage;
  Expect expect = Expect::kError;
};

// A field of the options: Set(&tflite::Conv2DOptionsT::stride_w, 0).
template <class OptionsT, class T, class V>
Damage Set(T OptionsT::*field, V value) {
  return [=](tflite::ModelT& m) {
    tflite::OperatorT& op = *m.subgraphs[0]->operators[0];
    void* options =
        op.builtin_options.value != nullptr ? op.builtin_options.value : op.builtin_options_2.value;
    static_cast<OptionsT*>(options)->*field = static_cast<T>(value);
  };
}
// The shape of operand i; a constant gets data for it.
Damage Shape(size_t i, std::vector<int32_t> shape);
Damage OutputShape(size_t o, std::vector<int32_t> shape);
// The numbers of a constant operand; without a shape it stays as it is, if they are as many, else
// it becomes a list.
Damage Numbers(size_t i, std::vector<int32_t> values);
Damage Numbers(size_t i, std::vector<int32_t> values, std::vector<int32_t> shape);
Damage Absent(size_t i);
Damage Type(size_t i, tflite::TensorType type);
// Options of a custom operation as 32-bit numbers.
Damage Words(std::vector<int32_t> words);
Damage Both(Damage a, Damage b);

// Each row as it is, and with its numbers given at run time.
void CheckRows(const std::vector<DamageRow>& rows);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_DAMAGE_H_
