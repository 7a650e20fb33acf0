// SPDX-License-Identifier: Apache-2.0
// The functions that read parameters: one for each pair of options and parameters in op_table.inc.
#ifndef TERN_MODEL_READ_PARAMS_INTERNAL_H_
#define TERN_MODEL_READ_PARAMS_INTERNAL_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "abi/op_table.h"
#include "base/status.h"
#include "model/tensor_types.h"
#include "model/vectors.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

// The options by their names in op_table.inc.
namespace options {
using namespace tflite;  // NOLINT: the schema's names
struct NoOptions {};
}  // namespace options

// Copies the options of an operator into its zeroed parameters. A family of operators defines its
// functions in a file of its own.
#define OP(NAME, Name, first, last, folder, Options, Params, ...) \
  Status Fill(const options::Options& from, Params& to);
#define CODE(NAME, Name, Options, Params) Status Fill(const options::Options& from, Params& to);
#include "abi/op_table.inc"

// A zeroed struct with `extra` bytes after it; null when memory ran out.
template <typename Params>
Params* NewParams(size_t extra = 0) {
  return static_cast<Params*>(std::calloc(1, sizeof(Params) + extra));
}

inline Status NoParamsMemory() { return TooLarge("no memory for the parameters"); }

// The options of an op, if they are of this type. The schema has two unions of them.
template <typename Options>
const Options* OptionsTable(const tflite::Operator& op) {
  if constexpr (tflite::BuiltinOptionsTraits<Options>::enum_value != tflite::BuiltinOptions_NONE) {
    return op.builtin_options_as<Options>();
  } else {
    return op.builtin_options_2_as<Options>();
  }
}

// The parameters of an operator; where it has no such options they stay zeroed.
template <typename Options, typename Params>
StatusOr<void*> Read(const tflite::Operator& op) {
  Params* params = NewParams<Params>();
  if (params == nullptr) return NoParamsMemory();
  if constexpr (!std::is_same_v<Options, options::NoOptions>) {
    if (const Options* from = OptionsTable<Options>(op)) {
      const Status status = Fill(*from, *params);
      if (!status.ok()) {
        std::free(params);
        return status;
      }
    }
  }
  return static_cast<void*>(params);
}

// Parameters with lists or texts after the struct.
template <>
StatusOr<void*> Read<tflite::BucketizeOptions, TfLiteBucketizeParams>(const tflite::Operator& op);
template <>
StatusOr<void*> Read<tflite::VarHandleOptions, TfLiteVarHandleParams>(const tflite::Operator& op);
template <>
StatusOr<void*> Read<tflite::StableHLOCompositeOptions, TfLiteStablehloCompositeParams>(
    const tflite::Operator& op);

inline Status ReadPadding(tflite::Padding from, TfLitePadding& to) {
  switch (from) {
    case tflite::Padding_SAME:
      to = kTfLitePaddingSame;
      return OkStatus();
    case tflite::Padding_VALID:
      to = kTfLitePaddingValid;
      return OkStatus();
  }
  return Invalid("unknown padding (", static_cast<int>(from), ")");
}

inline Status ReadActivation(tflite::ActivationFunctionType from, TfLiteFusedActivation& to) {
  switch (from) {
    case tflite::ActivationFunctionType_NONE:
      to = kTfLiteActNone;
      return OkStatus();
    case tflite::ActivationFunctionType_RELU:
      to = kTfLiteActRelu;
      return OkStatus();
    case tflite::ActivationFunctionType_RELU_N1_TO_1:
      to = kTfLiteActReluN1To1;
      return OkStatus();
    case tflite::ActivationFunctionType_RELU6:
      to = kTfLiteActRelu6;
      return OkStatus();
    case tflite::ActivationFunctionType_TANH:
      to = kTfLiteActTanh;
      return OkStatus();
    case tflite::ActivationFunctionType_SIGN_BIT:
      to = kTfLiteActSignBit;
      return OkStatus();
  }
  return Invalid("unknown activation (", static_cast<int>(from), ")");
}

inline Status ReadType(tflite::TensorType from, TfLiteType& to) {
  TERN_ASSIGN_OR_RETURN(to, RuntimeType(from));
  return OkStatus();
}

// Copies a list into a fixed array; an absent list has length 0.
template <size_t kCapacity>
Status ReadList(const char* name, const flatbuffers::Vector<int32_t>* from,
                int32_t (&to)[kCapacity], int& count) {
  if (SizeOf(from) > kCapacity) {
    return Invalid(name, " is too long (", SizeOf(from), ", ", kCapacity, ")");
  }
  count = static_cast<int>(SizeOf(from));
  for (int i = 0; i < count; ++i) to[i] = from->Get(i);
  return OkStatus();
}

template <size_t kCapacity>
Status ReadList(const char* name, const flatbuffers::Vector<int64_t>* from,
                int64_t (&to)[kCapacity], int& count) {
  if (SizeOf(from) > kCapacity) {
    return Invalid(name, " is too long (", SizeOf(from), ", ", kCapacity, ")");
  }
  count = static_cast<int>(SizeOf(from));
  for (int i = 0; i < count; ++i) to[i] = Int64At(*from, i);
  return OkStatus();
}

}  // namespace tern

#endif  // TERN_MODEL_READ_PARAMS_INTERNAL_H_
