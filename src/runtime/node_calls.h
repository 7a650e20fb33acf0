// SPDX-License-Identifier: Apache-2.0
//
// Calls to the functions of a node's registration. One place knows that a registration may instead
// carry an opaque operator, whose functions go first.
#ifndef TERN_RUNTIME_NODE_CALLS_H_
#define TERN_RUNTIME_NODE_CALLS_H_

#include <cstddef>

#include "tensorflow/lite/core/c/common.h"

namespace tern {

// The node's user_data; null without an init function.
void* CallInit(TfLiteContext* context, const TfLiteRegistration& registration, const char* buffer,
               size_t length);
void CallFree(TfLiteContext* context, const TfLiteRegistration& registration, void* user_data);
// Reports and returns kTfLiteUnresolvedOps for a custom op that no resolver knew.
TfLiteStatus CallPrepare(TfLiteContext* context, const TfLiteRegistration& registration,
                         TfLiteNode* node);
TfLiteStatus CallInvoke(TfLiteContext* context, const TfLiteRegistration& registration,
                        TfLiteNode* node);

// Name for messages and profiles: the custom name, else the enum name of the builtin.
const char* NodeName(const TfLiteRegistration& registration);

}  // namespace tern

#endif  // TERN_RUNTIME_NODE_CALLS_H_
