// SPDX-License-Identifier: Apache-2.0
//
// The C callbacks of a subgraph's TfLiteContext.
#ifndef TERN_RUNTIME_ABI_CONTEXT_H_
#define TERN_RUNTIME_ABI_CONTEXT_H_

#include "tensorflow/lite/core/subgraph.h"

namespace tern {

// The callbacks for delegates are closed at first.
void SetUpContext(tflite::Subgraph* subgraph, TfLiteContext* context);
void OpenDelegateCalls(TfLiteContext* context);
void CloseDelegateCalls(TfLiteContext* context);

}  // namespace tern

#endif  // TERN_RUNTIME_ABI_CONTEXT_H_
