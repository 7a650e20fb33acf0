// SPDX-License-Identifier: Apache-2.0
// Delegates for hardware that this library does not drive. They keep programs that may use them
// whole: what cannot be had is null or claims nothing, and the log names the platform it needs.
#include <utility>

#include "tensorflow/lite/delegates/coreml/coreml_delegate.h"
#include "tensorflow/lite/delegates/hexagon/hexagon_delegate.h"
#include "tensorflow/lite/delegates/nnapi/nnapi_delegate.h"
#include "tensorflow/lite/minimal_logging.h"

TfLiteDelegate* TfLiteCoreMlDelegateCreate(const TfLiteCoreMlDelegateOptions*) {
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR,
                  "Core ML delegate: not available (it needs Core ML of Apple's platforms).");
  return nullptr;
}

void TfLiteCoreMlDelegateDelete(TfLiteDelegate*) {}

TfLiteDelegate* TfLiteHexagonDelegateCreate(const TfLiteHexagonDelegateOptions*) {
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR,
                  "Hexagon delegate: not available (it needs a Qualcomm DSP under Android).");
  return nullptr;
}

TfLiteHexagonDelegateOptions TfLiteHexagonDelegateOptionsDefault() { return {}; }

void TfLiteHexagonDelegateDelete(TfLiteDelegate*) {}

void TfLiteHexagonInitWithPath(const char*) {}
void TfLiteHexagonInit() {}
void TfLiteHexagonTearDown() {}

namespace tflite {
namespace {

TfLiteStatus ClaimNothing(TfLiteContext*, TfLiteDelegate*) {
  TFLITE_LOG_PROD_ONCE(TFLITE_LOG_WARNING,
                       "NNAPI delegate: not available (it needs NNAPI of Android); the model runs "
                       "without it.");
  return kTfLiteOk;
}

}  // namespace

StatefulNnApiDelegate::StatefulNnApiDelegate(Options options)
    : TfLiteDelegate(TfLiteDelegateCreate()), options_(std::move(options)) {
  data_ = this;
  Prepare = ClaimNothing;
  flags = kTfLiteDelegateFlagsAllowDynamicTensors;
}

StatefulNnApiDelegate::StatefulNnApiDelegate() : StatefulNnApiDelegate(Options()) {}

StatefulNnApiDelegate::StatefulNnApiDelegate(const NnApi*) : StatefulNnApiDelegate(Options()) {}

StatefulNnApiDelegate::StatefulNnApiDelegate(const NnApi*, Options options)
    : StatefulNnApiDelegate(std::move(options)) {}

StatefulNnApiDelegate::StatefulNnApiDelegate(const NnApiSLDriverImplFL5*, Options options)
    : StatefulNnApiDelegate(std::move(options)) {}

const StatefulNnApiDelegate::Options StatefulNnApiDelegate::GetOptions(TfLiteDelegate* delegate) {
  if (delegate == nullptr || delegate->Prepare != ClaimNothing) return Options();
  return static_cast<StatefulNnApiDelegate*>(delegate)->options_;
}

TfLiteDelegate* NnApiDelegate() {
  static StatefulNnApiDelegate* const delegate = new StatefulNnApiDelegate;
  return delegate;
}

}  // namespace tflite
