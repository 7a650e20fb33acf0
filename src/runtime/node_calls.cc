// SPDX-License-Identifier: Apache-2.0
//
// Dispatch to the functions of a registration's opaque operator, or to its own where that has none.
#include "runtime/node_calls.h"

#include <string>

#include "abi/builtin_names.h"
#include "abi/operator.h"
#include "model/file_kind.h"
#include "runtime/chosen_ops.h"
#include "tensorflow/lite/util.h"

namespace tern {

void* CallInit(TfLiteContext* context, const TfLiteRegistration& registration, const char* buffer,
               size_t length) {
  const TfLiteOperator* op = registration.registration_external;
  if (op != nullptr && op->HasInit()) return OperatorInit(*op, context, buffer, length);
  return registration.init != nullptr ? registration.init(context, buffer, length) : nullptr;
}

void CallFree(TfLiteContext* context, const TfLiteRegistration& registration, void* user_data) {
  const TfLiteOperator* op = registration.registration_external;
  if (op != nullptr && op->HasFree()) {
    OperatorFree(*op, context, user_data);
  } else if (registration.free != nullptr) {
    registration.free(context, user_data);
  }
}

TfLiteStatus CallPrepare(TfLiteContext* context, const TfLiteRegistration& registration,
                         TfLiteNode* node) {
  const TfLiteOperator* op = registration.registration_external;
  if (op != nullptr && op->HasPrepare()) return OperatorPrepare(*op, context, node);
  if (registration.prepare != nullptr) return registration.prepare(context, node);
  if (op != nullptr) return kTfLiteOk;
  if (!tflite::IsUnresolvedCustomOp(registration)) return kTfLiteOk;
  const char* name = registration.custom_name != nullptr ? registration.custom_name : "unknown";
  const std::string needs = WhatOpNeeds(name);
  if (tflite::IsFlexOp(registration.custom_name)) {
    context->ReportError(context,
                         "Select TensorFlow op(s), included in the given model, is(are) not "
                         "supported by this interpreter: %s.\n%s: %s.",
                         name, name, needs.c_str());
  } else {
    context->ReportError(context,
                         "Encountered unresolved custom op: %s.\nSee instructions: "
                         "https://www.tensorflow.org/lite/guide/ops_custom \n%s: %s.%s",
                         name, name, needs.c_str(), kChosenOps);
  }
  return kTfLiteUnresolvedOps;
}

TfLiteStatus CallInvoke(TfLiteContext* context, const TfLiteRegistration& registration,
                        TfLiteNode* node) {
  const TfLiteOperator* op = registration.registration_external;
  if (op != nullptr && op->HasInvoke()) return OperatorInvoke(*op, context, node);
  return registration.invoke != nullptr ? registration.invoke(context, node) : kTfLiteError;
}

const char* NodeName(const TfLiteRegistration& registration) {
  if (registration.custom_name != nullptr) return registration.custom_name;
  const char* name = BuiltinOpName(registration.builtin_code);
  return name == nullptr ? "" : name;
}

}  // namespace tern
