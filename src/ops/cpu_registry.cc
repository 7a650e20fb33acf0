// SPDX-License-Identifier: Apache-2.0
// Fills the public resolvers from op_list.inc and defines the public Register_X functions.
#include "ops/cpu_registry.h"

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/register_ref.h"

namespace tflite {
namespace ops {
namespace custom {

TfLiteRegistration* Register_DETECTION_POSTPROCESS() {
  static TfLiteRegistration registration =
      tern::DetectionPostprocessRegistration(tern::OpForm::kFast);
  return &registration;
}

}  // namespace custom

namespace builtin {

#define OP(builtin, Name, first_version, last_version)                                      \
  TfLiteRegistration* Register_##builtin() {                                                \
    static TfLiteRegistration registration = tern::Name##Registration(tern::OpForm::kFast); \
    return &registration;                                                                   \
  }
#include "ops/op_list.inc"

BuiltinOpResolver::BuiltinOpResolver() {
#define OP(builtin, Name, first_version, last_version) \
  AddBuiltin(BuiltinOperator_##builtin, Register_##builtin(), first_version, last_version);
#define CUSTOM_OP(code, Name, first_version, last_version)                         \
  {                                                                                \
    const TfLiteRegistration form = tern::Name##Registration(tern::OpForm::kFast); \
    AddCustom(code, &form, first_version, last_version);                           \
  }
#include "ops/op_list.inc"
  // These are the library's own.
  may_directly_contain_user_defined_ops_ = false;
}

BuiltinRefOpResolver::BuiltinRefOpResolver() {
#define OP(builtin, Name, first_version, last_version)                              \
  {                                                                                 \
    const TfLiteRegistration form = tern::Name##Registration(tern::OpForm::kPlain); \
    AddBuiltin(BuiltinOperator_##builtin, &form, first_version, last_version);      \
  }
#define CUSTOM_OP(code, Name, first_version, last_version)                          \
  {                                                                                 \
    const TfLiteRegistration form = tern::Name##Registration(tern::OpForm::kPlain); \
    AddCustom(code, &form, first_version, last_version);                            \
  }
#include "ops/op_list.inc"
  may_directly_contain_user_defined_ops_ = false;
}

}  // namespace builtin
}  // namespace ops
}  // namespace tflite
