// SPDX-License-Identifier: Apache-2.0
// An application's own check of a model file, run by the VerifyAndBuild* functions.
#ifndef TERN_TENSORFLOW_LITE_CORE_API_VERIFIER_H_
#define TERN_TENSORFLOW_LITE_CORE_API_VERIFIER_H_

#include "tensorflow/lite/core/api/error_reporter.h"

namespace tflite {

class TfLiteVerifier {
 public:
  virtual ~TfLiteVerifier() = default;
  // Returns false to refuse the model; tells the reason through `reporter`.
  virtual bool Verify(const char* data, int length, ErrorReporter* reporter) = 0;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_API_VERIFIER_H_
