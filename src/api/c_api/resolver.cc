// SPDX-License-Identifier: Apache-2.0
// Operations that the application looks up itself, in any layout of the registration.
#include <cstring>

#include "abi/operator.h"
#include "api/c_api/handles.h"

namespace tern::c_api {
namespace {

// Older layouts are prefixes of the current one.
template <class Older>
TfLiteRegistration Widen(const Older& older) {
  TfLiteRegistration registration = {};
  std::memcpy(static_cast<void*>(&registration), &older, sizeof(Older));
  return registration;
}

}  // namespace

bool ResolverCallbacks::any() const {
  return find_builtin_external != nullptr || find_custom_external != nullptr ||
         find_builtin != nullptr || find_custom != nullptr || find_builtin_v3 != nullptr ||
         find_custom_v3 != nullptr || find_builtin_v2 != nullptr || find_custom_v2 != nullptr ||
         find_builtin_v1 != nullptr || find_custom_v1 != nullptr;
}

const TfLiteRegistration* CallbackOpResolver::Keep(const TfLiteRegistration& registration) const {
  kept_.push_back(registration);
  return &kept_.back();
}

const TfLiteRegistration* CallbackOpResolver::FindOp(tflite::BuiltinOperator op,
                                                     int version) const {
  const ResolverCallbacks& c = callbacks_;
  const auto code = static_cast<TfLiteBuiltinOperator>(op);
  if (c.find_builtin_external != nullptr) {
    const TfLiteOperator* found = c.find_builtin_external(c.user_data, code, version);
    if (found != nullptr) {
      return Keep(RegistrationOf(const_cast<TfLiteOperator*>(found)));
    }
  }
  if (c.find_builtin != nullptr) {
    return c.find_builtin(c.user_data, code, version);
  }
  if (c.find_builtin_v3 != nullptr) {
    const auto* found = c.find_builtin_v3(c.user_data, code, version);
    return found == nullptr ? nullptr : Keep(Widen(*found));
  }
  if (c.find_builtin_v2 != nullptr) {
    const auto* found = c.find_builtin_v2(c.user_data, code, version);
    return found == nullptr ? nullptr : Keep(Widen(*found));
  }
  if (c.find_builtin_v1 != nullptr) {
    const auto* found = c.find_builtin_v1(c.user_data, code, version);
    return found == nullptr ? nullptr : Keep(Widen(*found));
  }
  return nullptr;
}

const TfLiteRegistration* CallbackOpResolver::FindOp(const char* op, int version) const {
  const ResolverCallbacks& c = callbacks_;
  if (c.find_custom_external != nullptr) {
    const TfLiteOperator* found = c.find_custom_external(c.user_data, op, version);
    if (found != nullptr) {
      return Keep(RegistrationOf(const_cast<TfLiteOperator*>(found)));
    }
  }
  if (c.find_custom != nullptr) {
    return c.find_custom(c.user_data, op, version);
  }
  if (c.find_custom_v3 != nullptr) {
    const auto* found = c.find_custom_v3(c.user_data, op, version);
    return found == nullptr ? nullptr : Keep(Widen(*found));
  }
  if (c.find_custom_v2 != nullptr) {
    const auto* found = c.find_custom_v2(c.user_data, op, version);
    return found == nullptr ? nullptr : Keep(Widen(*found));
  }
  if (c.find_custom_v1 != nullptr) {
    const auto* found = c.find_custom_v1(c.user_data, op, version);
    return found == nullptr ? nullptr : Keep(Widen(*found));
  }
  return nullptr;
}

}  // namespace tern::c_api

using tern::c_api::IsNull;

namespace {

// A new kind of callback replaces all earlier ones.
tern::c_api::ResolverCallbacks& Fresh(TfLiteInterpreterOptions* options, void* user_data) {
  options->resolver = {};
  options->resolver.user_data = user_data;
  return options->resolver;
}

}  // namespace

void TfLiteInterpreterOptionsSetOpResolverExternal(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op)(void* user_data, const char* custom_op, int version),
    void* op_resolver_user_data) {
  if (IsNull(options, __func__)) return;
  TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(
      options, find_builtin_op, find_custom_op, nullptr, nullptr, op_resolver_user_data);
}

void TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op_external)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op_external)(void* user_data, const char* custom_op,
                                                     int version),
    const TfLiteRegistration* (*find_builtin_op)(void* user_data, TfLiteBuiltinOperator op,
                                                 int version),
    const TfLiteRegistration* (*find_custom_op)(void* user_data, const char* op, int version),
    void* op_resolver_user_data) {
  if (IsNull(options, __func__)) return;
  auto& resolver = Fresh(options, op_resolver_user_data);
  resolver.find_builtin_external = find_builtin_op_external;
  resolver.find_custom_external = find_custom_op_external;
  resolver.find_builtin = find_builtin_op;
  resolver.find_custom = find_custom_op;
}

void TfLiteInterpreterOptionsSetOpResolver(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration* (*find_builtin_op)(void* user_data, TfLiteBuiltinOperator op,
                                                 int version),
    const TfLiteRegistration* (*find_custom_op)(void* user_data, const char* custom_op,
                                                int version),
    void* op_resolver_user_data) {
  if (IsNull(options, __func__)) return;
  auto& resolver = Fresh(options, op_resolver_user_data);
  resolver.find_builtin = find_builtin_op;
  resolver.find_custom = find_custom_op;
}

void TfLiteInterpreterOptionsSetOpResolverV3(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration_V3* (*find_builtin_op_v3)(void* user_data, TfLiteBuiltinOperator op,
                                                       int version),
    const TfLiteRegistration_V3* (*find_custom_op_v3)(void* user_data, const char* op, int version),
    void* op_resolver_user_data) {
  if (IsNull(options, __func__)) return;
  auto& resolver = Fresh(options, op_resolver_user_data);
  resolver.find_builtin_v3 = find_builtin_op_v3;
  resolver.find_custom_v3 = find_custom_op_v3;
}

void TfLiteInterpreterOptionsSetOpResolverV2(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration_V2* (*find_builtin_op_v2)(void* user_data, TfLiteBuiltinOperator op,
                                                       int version),
    const TfLiteRegistration_V2* (*find_custom_op_v2)(void* user_data, const char* op, int version),
    void* op_resolver_user_data) {
  if (IsNull(options, __func__)) return;
  auto& resolver = Fresh(options, op_resolver_user_data);
  resolver.find_builtin_v2 = find_builtin_op_v2;
  resolver.find_custom_v2 = find_custom_op_v2;
}

void TfLiteInterpreterOptionsSetOpResolverV1(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration_V1* (*find_builtin_op_v1)(void* user_data, TfLiteBuiltinOperator op,
                                                       int version),
    const TfLiteRegistration_V1* (*find_custom_op_v1)(void* user_data, const char* op, int version),
    void* op_resolver_user_data) {
  if (IsNull(options, __func__)) return;
  auto& resolver = Fresh(options, op_resolver_user_data);
  resolver.find_builtin_v1 = find_builtin_op_v1;
  resolver.find_custom_v1 = find_custom_op_v1;
}
