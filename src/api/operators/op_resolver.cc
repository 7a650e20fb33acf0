// SPDX-License-Identifier: Apache-2.0
//
// Finding registrations: the application's table, and a model's operator codes.
#include "tensorflow/lite/core/api/op_resolver.h"

#include "runtime/chosen_ops.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/api/op_resolver_internal.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "tensorflow/lite/schema/schema_utils.h"

namespace tflite {

// The layers below read codes by the names of the C header, without the generated one.
static_assert(static_cast<int>(kTfLiteBuiltinCustom) == BuiltinOperator_CUSTOM);
static_assert(static_cast<int>(kTfLiteBuiltinIf) == BuiltinOperator_IF);
static_assert(static_cast<int>(kTfLiteBuiltinWhile) == BuiltinOperator_WHILE);
static_assert(static_cast<int>(kTfLiteBuiltinCallOnce) == BuiltinOperator_CALL_ONCE);

const TfLiteRegistration* MutableOpResolver::FindOp(BuiltinOperator op, int version) const {
  const auto found = builtins_.find({op, version});
  if (found != builtins_.end()) return &found->second;
  for (const OpResolver* other : other_op_resolvers_) {
    if (const TfLiteRegistration* registration = other->FindOp(op, version)) return registration;
  }
  return nullptr;
}

const TfLiteRegistration* MutableOpResolver::FindOp(const char* op, int version) const {
  if (op == nullptr) return nullptr;
  const auto found = customs_.find({op, version});
  if (found != customs_.end()) return &found->second;
  for (const OpResolver* other : other_op_resolvers_) {
    if (const TfLiteRegistration* registration = other->FindOp(op, version)) return registration;
  }
  return nullptr;
}

void MutableOpResolver::AddBuiltin(BuiltinOperator op, const TfLiteRegistration* registration,
                                   int version) {
  if (registration == nullptr) return;
  TfLiteRegistration copy = *registration;
  copy.builtin_code = op;
  copy.custom_name = nullptr;
  copy.version = version;
  builtins_[{op, version}] = copy;
  may_directly_contain_user_defined_ops_ = true;
}

void MutableOpResolver::AddBuiltin(BuiltinOperator op, const TfLiteRegistration* registration,
                                   int min_version, int max_version) {
  for (int version = min_version; version <= max_version; ++version) {
    AddBuiltin(op, registration, version);
  }
}

void MutableOpResolver::AddCustom(const char* name, const TfLiteRegistration* registration,
                                  int version) {
  if (registration == nullptr || name == nullptr) return;
  TfLiteRegistration copy = *registration;
  copy.builtin_code = BuiltinOperator_CUSTOM;
  copy.custom_name = name;
  copy.version = version;
  customs_[{name, version}] = copy;
  may_directly_contain_user_defined_ops_ = true;
}

void MutableOpResolver::AddCustom(const char* name, const TfLiteRegistration* registration,
                                  int min_version, int max_version) {
  for (int version = min_version; version <= max_version; ++version) {
    AddCustom(name, registration, version);
  }
}

void MutableOpResolver::AddAll(const MutableOpResolver& other) {
  for (const auto& [key, registration] : other.builtins_) builtins_[key] = registration;
  for (const auto& [key, registration] : other.customs_) customs_[key] = registration;
  other_op_resolvers_.insert(other_op_resolvers_.begin(), other.other_op_resolvers_.begin(),
                             other.other_op_resolvers_.end());
  may_directly_contain_user_defined_ops_ |= other.may_directly_contain_user_defined_ops_;
}

void MutableOpResolver::ChainOpResolver(const OpResolver* other) {
  if (other != nullptr) other_op_resolvers_.push_back(other);
}

bool MutableOpResolver::MayContainUserDefinedOps() const {
  if (may_directly_contain_user_defined_ops_) return true;
  for (const OpResolver* other : other_op_resolvers_) {
    if (OpResolverInternal::MayContainUserDefinedOps(*other)) return true;
  }
  return false;
}

TfLiteStatus GetRegistrationFromOpCode(const OperatorCode* opcode, const OpResolver& op_resolver,
                                       ErrorReporter* error_reporter,
                                       const TfLiteRegistration** registration) {
  *registration = nullptr;
  const BuiltinOperator code = GetBuiltinCode(opcode);
  const int version = opcode->version();
  if (code < BuiltinOperator_MIN || code > BuiltinOperator_MAX) {
    error_reporter->Report(
        "Op builtin_code out of range: %d. Are you using old TFLite binary with newer model?",
        static_cast<int>(code));
    return kTfLiteError;
  }
  if (code != BuiltinOperator_CUSTOM) {
    *registration = op_resolver.FindOp(code, version);
    if (*registration != nullptr) return kTfLiteOk;
    error_reporter->Report(
        "Didn't find op for builtin opcode '%s' version '%d'. An older version of this builtin "
        "might be supported. Are you using an old TFLite binary with a newer model?%s\n",
        EnumNameBuiltinOperator(code), version, tern::kChosenOps);
    return kTfLiteError;
  }
  if (opcode->custom_code() == nullptr) {
    error_reporter->Report("Operator with CUSTOM builtin_code has no custom_code.\n");
    return kTfLiteError;
  }
  *registration = op_resolver.FindOp(opcode->custom_code()->c_str(), version);
  return *registration != nullptr ? kTfLiteOk : kTfLiteError;
}

}  // namespace tflite
