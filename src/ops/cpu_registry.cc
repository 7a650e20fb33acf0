// SPDX-License-Identifier: Apache-2.0
// Fills the public resolvers from op_table.inc and defines the public Register_X functions.
#include "ops/cpu_registry.h"

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/custom_ops_register.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/register_ref.h"

namespace tflite {
namespace ops {
#ifndef TERN_CHOSEN_OPS
namespace custom {

#define TERN_CUSTOM(NAME, Name)                                                                  \
  TfLiteRegistration* Register_##NAME() {                                                        \
    static TfLiteRegistration registration = tern::Name##Registration(tern::OpForm::kOptimized); \
    return &registration;                                                                        \
  }
TERN_CUSTOM(ATAN2, Atan2)
TERN_CUSTOM(AUDIO_SPECTROGRAM, AudioSpectrogram)
TERN_CUSTOM(AVG_POOL_3D, AvgPool3d)
TERN_CUSTOM(DETECTION_POSTPROCESS, DetectionPostprocess)
TERN_CUSTOM(HADAMARD_ROTATION, HadamardRotation)
TERN_CUSTOM(HASHTABLE, Hashtable)
TERN_CUSTOM(HASHTABLE_FIND, HashtableFind)
TERN_CUSTOM(HASHTABLE_IMPORT, HashtableImport)
TERN_CUSTOM(HASHTABLE_SIZE, HashtableSize)
TERN_CUSTOM(IRFFT2D, Irfft2d)
TERN_CUSTOM(MAX_POOL_3D, MaxPool3d)
TERN_CUSTOM(MFCC, Mfcc)
TERN_CUSTOM(MULTINOMIAL, CustomMultinomial)
TERN_CUSTOM(NUMERIC_VERIFY, NumericVerify)
TERN_CUSTOM(RANDOM_STANDARD_NORMAL, CustomRandomStandardNormal)
TERN_CUSTOM(RANDOM_UNIFORM, CustomRandomUniform)
TERN_CUSTOM(RANDOM_UNIFORM_INT, CustomRandomUniformInt)
TERN_CUSTOM(ROLL, Roll)
TERN_CUSTOM(SIGN, Sign)
TERN_CUSTOM(TABLE, Table)
TERN_CUSTOM(UNIDIRECTIONAL_SEQUENCE_GRU, UnidirectionalSequenceGru)
#undef TERN_CUSTOM

}  // namespace custom

namespace experimental {

TfLiteRegistration* Register_UNIDIRECTIONAL_SEQUENCE_GRU() {
  return custom::Register_UNIDIRECTIONAL_SEQUENCE_GRU();
}

}  // namespace experimental
#endif  // TERN_CHOSEN_OPS

namespace builtin {

#define OP(builtin, Name, first_version, last_version, ...)                                      \
  TfLiteRegistration* Register_##builtin() {                                                     \
    static TfLiteRegistration registration = tern::Name##Registration(tern::OpForm::kOptimized); \
    return &registration;                                                                        \
  }
#include "abi/op_table.inc"

BuiltinOpResolver::BuiltinOpResolver() {
#define OP(builtin, Name, first_version, last_version, ...) \
  AddBuiltin(BuiltinOperator_##builtin, Register_##builtin(), first_version, last_version);
#define CUSTOM_OP(code, Name, first_version, last_version, ...)                         \
  {                                                                                     \
    const TfLiteRegistration form = tern::Name##Registration(tern::OpForm::kOptimized); \
    AddCustom(code, &form, first_version, last_version);                                \
  }
#include "abi/op_table.inc"
  // All operators here are the library's own.
  may_directly_contain_user_defined_ops_ = false;
}

BuiltinRefOpResolver::BuiltinRefOpResolver() {
#define OP(builtin, Name, first_version, last_version, ...)                             \
  {                                                                                     \
    const TfLiteRegistration form = tern::Name##Registration(tern::OpForm::kReference); \
    AddBuiltin(BuiltinOperator_##builtin, &form, first_version, last_version);          \
  }
#define CUSTOM_OP(code, Name, first_version, last_version, ...)                         \
  {                                                                                     \
    const TfLiteRegistration form = tern::Name##Registration(tern::OpForm::kReference); \
    AddCustom(code, &form, first_version, last_version);                                \
  }
#include "abi/op_table.inc"
  may_directly_contain_user_defined_ops_ = false;
}

}  // namespace builtin
}  // namespace ops
}  // namespace tflite
