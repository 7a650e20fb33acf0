// SPDX-License-Identifier: Apache-2.0
//
// Dispatch to a registration's functions or to those of its opaque operator.
#include "runtime/node_calls.h"

#include <string>

#include "abi/builtin_names.h"
#include "abi/operator.h"
#include "model/file_kind.h"
#include "tensorflow/lite/util.h"

namespace tern {

void* CallInit(TfLiteContext* context, const TfLiteRegistration& registration, const char* buffer,
               size_t length) {
  if (registration.registration_external != nullptr) {
    return OperatorInit(*registration.registration_external, context, buffer, length);
  }
  return registration.init != nullptr ? registration.init(context, buffer, length) : nullptr;
}

void CallFree(TfLiteContext* context, const TfLiteRegistration& registration, void* user_data) {
  if (registration.registration_external != nullptr) {
    OperatorFree(*registration.registration_external, context, user_data);
  } else if (registration.free != nullptr) {
    registration.free(context, user_data);
  }
}

TfLiteStatus CallPrepare(TfLiteContext* context, const TfLiteRegistration& registration,
                         TfLiteNode* node) {
  if (registration.registration_external != nullptr) {
    return OperatorPrepare(*registration.registration_external, context, node);
  }
  if (registration.prepare != nullptr) return registration.prepare(context, node);
  if (!tflite::IsUnresolvedCustomOp(registration)) return kTfLiteOk;
  const char* name = registration.custom_name != nullptr ? registration.custom_name : "unknown";
  const std::string needs = WhatOpNeeds(name);
  if (tflite::IsFlexOp(registration.custom_name)) {
    context->ReportError(context,
                         "Select TensorFlow op(s), included in the given model, is(are) not "
                         "supported by this interpreter: %s. %s.",
                         name, needs.c_str());
  } else {
    context->ReportError(context,
                         "Encountered unresolved custom op: %s.\nSee instructions: "
                         "https://www.tensorflow.org/lite/guide/ops_custom \n%s: %s.",
                         name, name, needs.c_str());
  }
  return kTfLiteUnresolvedOps;
}

TfLiteStatus CallInvoke(TfLiteContext* context, const TfLiteRegistration& registration,
                        TfLiteNode* node) {
  if (registration.registration_external != nullptr) {
    return OperatorInvoke(*registration.registration_external, context, node);
  }
  return registration.invoke != nullptr ? registration.invoke(context, node) : kTfLiteError;
}

const char* NodeName(const TfLiteRegistration& registration) {
  if (registration.custom_name != nullptr) return registration.custom_name;
  const char* name = BuiltinOpName(registration.builtin_code);
  return name == nullptr ? "" : name;
}

}  // namespace tern
