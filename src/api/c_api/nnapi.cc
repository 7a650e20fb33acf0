// SPDX-License-Identifier: Apache-2.0
// The C API of the NNAPI delegate, which only Android has.
#include "tensorflow/lite/delegates/nnapi/nnapi_delegate_c_api.h"
#include "tensorflow/lite/minimal_logging.h"

TfLiteNnapiDelegateOptions TfLiteNnapiDelegateOptionsDefault(void) {
  TfLiteNnapiDelegateOptions options = {};
  options.execution_preference = TfLiteNnapiDelegateOptions::kUndefined;
  options.disallow_nnapi_cpu = 1;
  options.max_number_delegated_partitions = 3;
  return options;
}

TfLiteDelegate* TfLiteNnapiDelegateCreate(const TfLiteNnapiDelegateOptions* /*options*/) {
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR,
                  "NNAPI delegate: not available (it needs NNAPI of Android).");
  return nullptr;
}

void TfLiteNnapiDelegateDelete(TfLiteDelegate* /*delegate*/) {}
