// SPDX-License-Identifier: Apache-2.0
// The XNNPACK delegate: options on their way to the CPU engine.
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

#include <new>
#include <string>

#include "tensorflow/lite/minimal_logging.h"

#ifndef _WIN32
#include <unistd.h>
#endif

struct TfLiteXNNPackDelegateWeightsCache {
  bool finalized = false;
};

namespace {

TfLiteStatus HandOver(TfLiteContext* context, TfLiteDelegate* delegate);

struct Delegate : TfLiteDelegate {
  explicit Delegate(const TfLiteXNNPackDelegateOptions& given)
      : TfLiteDelegate(TfLiteDelegateCreate()), options(given) {
    data_ = this;
    Prepare = HandOver;
    // The delegate claims no node, so dynamic shapes do not matter.
    flags = kTfLiteDelegateFlagsAllowDynamicTensors;
    if (given.weight_cache_file_path != nullptr) {
      path = given.weight_cache_file_path;
      options.weight_cache_file_path = path.c_str();
    }
  }
  ~Delegate() {
#ifndef _WIN32
    if (options.weight_cache_file_descriptor > 0) close(options.weight_cache_file_descriptor);
#endif
  }
  Delegate(const Delegate&) = delete;
  Delegate& operator=(const Delegate&) = delete;

  TfLiteXNNPackDelegateOptions options;
  std::string path;
};

// Null for delegates of other kinds.
Delegate* Ours(TfLiteDelegate* delegate) {
  return delegate != nullptr && delegate->Prepare == HandOver ? static_cast<Delegate*>(delegate)
                                                              : nullptr;
}

TfLiteStatus HandOver(TfLiteContext* context, TfLiteDelegate* delegate) {
  const TfLiteXNNPackDelegateOptions& options = static_cast<Delegate*>(delegate)->options;
  if (options.num_threads > 0) context->recommended_num_threads = options.num_threads;
  if ((options.flags & TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16) != 0) {
    context->allow_fp32_relax_to_fp16 = true;
  }
  return kTfLiteOk;
}

}  // namespace

bool TfLiteXNNPackDelegateCanUseInMemoryWeightCacheProvider() { return true; }

const char* TfLiteXNNPackDelegateInMemoryFilePath() { return ":memory"; }

TfLiteXNNPackDelegateOptions TfLiteXNNPackDelegateOptionsDefault() {
  TfLiteXNNPackDelegateOptions options = {};
  options.flags = TFLITE_XNNPACK_DELEGATE_FLAG_QS8 | TFLITE_XNNPACK_DELEGATE_FLAG_QU8;
  return options;
}

TfLiteDelegate* TfLiteXNNPackDelegateCreate(const TfLiteXNNPackDelegateOptions* options) {
  return TfLiteXNNPackDelegateCreateWithThreadpool(options, nullptr);
}

TfLiteDelegate* TfLiteXNNPackDelegateCreateWithThreadpool(
    const TfLiteXNNPackDelegateOptions* options, TfLiteContext* context) {
  auto* delegate = new (std::nothrow)
      Delegate(options != nullptr ? *options : TfLiteXNNPackDelegateOptionsDefault());
  if (delegate == nullptr) return nullptr;
  if (context != nullptr && context->recommended_num_threads > 0) {
    delegate->options.num_threads = context->recommended_num_threads;
  }
  TFLITE_LOG_PROD_ONCE(tflite::TFLITE_LOG_INFO,
                       "Created TensorFlow Lite XNNPACK delegate for CPU: it sets options, and the "
                       "ops of this library run the graph with their own optimized kernels.");
  return delegate;
}

void TfLiteXNNPackDelegateDelete(TfLiteDelegate* delegate) { delete Ours(delegate); }

void* TfLiteXNNPackDelegateGetThreadPool(TfLiteDelegate*) { return nullptr; }

const TfLiteXNNPackDelegateOptions* TfLiteXNNPackDelegateGetOptions(TfLiteDelegate* delegate) {
  const Delegate* ours = Ours(delegate);
  return ours != nullptr ? &ours->options : nullptr;
}

int TfLiteXNNPackDelegateGetFlags(TfLiteDelegate* delegate) {
  const Delegate* ours = Ours(delegate);
  return ours != nullptr ? static_cast<int>(ours->options.flags) : 0;
}

TfLiteXNNPackDelegateWeightsCache* TfLiteXNNPackDelegateWeightsCacheCreate() {
  return new (std::nothrow) TfLiteXNNPackDelegateWeightsCache;
}

TfLiteXNNPackDelegateWeightsCache* TfLiteXNNPackDelegateWeightsCacheCreateWithSize(size_t) {
  return TfLiteXNNPackDelegateWeightsCacheCreate();
}

bool TfLiteXNNPackDelegateWeightsCacheFinalizeSoft(TfLiteXNNPackDelegateWeightsCache* cache) {
  if (cache == nullptr || cache->finalized) return false;
  cache->finalized = true;
  return true;
}

bool TfLiteXNNPackDelegateWeightsCacheFinalizeHard(TfLiteXNNPackDelegateWeightsCache* cache) {
  return TfLiteXNNPackDelegateWeightsCacheFinalizeSoft(cache);
}

void TfLiteXNNPackDelegateWeightsCacheDelete(TfLiteXNNPackDelegateWeightsCache* cache) {
  delete cache;
}
