// SPDX-License-Identifier: Apache-2.0
// Checks of a model file without building anything from it.
#ifndef TERN_TENSORFLOW_LITE_CORE_TOOLS_VERIFIER_H_
#define TERN_TENSORFLOW_LITE_CORE_TOOLS_VERIFIER_H_

#include <cstddef>

#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/api/op_resolver.h"

namespace tflite {

// Whether the bytes are a well-formed model, which is more than loading asks for: no section is
// missing, each tensor is written once and read after that, data is exactly as long as its tensor.
// If not, the reporter (null: the default one) gets one reason.
bool Verify(const void* buf, size_t len, ErrorReporter* error_reporter);

// Checks, too, that the resolver knows every operator that the model runs. Subgraphs that only
// validate a delegate are left out.
bool Verify(const void* buf, size_t len, const OpResolver& resolver, ErrorReporter* error_reporter);

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_TOOLS_VERIFIER_H_
