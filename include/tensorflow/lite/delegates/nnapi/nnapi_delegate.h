// SPDX-License-Identifier: Apache-2.0
// The delegate for Android's neural networks API, which this library has no form of. As on any
// platform without that API, it can be made and applied, claims nothing, and says so in the log.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_NNAPI_NNAPI_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_NNAPI_NNAPI_DELEGATE_H_

#include <cstddef>
#include <cstdint>
#include <map>

#include "tensorflow/lite/core/c/common.h"

struct NnApi;
struct NnApiSLDriverImplFL5;
struct NnapiDelegateVendorPlugin;

namespace tflite {

class StatefulNnApiDelegate : public TfLiteDelegate {
 public:
  // Kept for GetOptions, without effect. Strings are not copied.
  struct Options {
    enum ExecutionPreference {
      kUndefined = -1,
      kLowPower = 0,
      kFastSingleAnswer = 1,
      kSustainedSpeed = 2,
    };

    ExecutionPreference execution_preference = kUndefined;
    const char* accelerator_name = nullptr;
    const char* cache_dir = nullptr;
    const char* model_token = nullptr;
    bool disallow_nnapi_cpu = true;
    int max_number_delegated_partitions = 3;
    bool allow_fp16 = false;
    int execution_priority = 100;  // ANEURALNETWORKS_PRIORITY_DEFAULT
    uint64_t max_compilation_timeout_duration_ns = 0;
    uint64_t max_execution_timeout_duration_ns = 0;
    uint64_t max_execution_loop_timeout_duration_ns = 0;
    bool allow_dynamic_dimensions = false;
    bool use_burst_computation = false;
    uint32_t max_execution_cache_size = 4;
    std::map<int, size_t> tensor_max_size_hints;
    const char* vendor_compilation_hints = nullptr;
    const char* vendor_execution_hints = nullptr;
    NnapiDelegateVendorPlugin* vendor_plugin = nullptr;
    bool disable_debugging_diagnostics_callbacks = false;
  };

  StatefulNnApiDelegate();
  explicit StatefulNnApiDelegate(Options options);
  explicit StatefulNnApiDelegate(const NnApi* nnapi);
  StatefulNnApiDelegate(const NnApi* nnapi, Options options);
  StatefulNnApiDelegate(const NnApiSLDriverImplFL5* nnapi_support_library_driver, Options options);
  StatefulNnApiDelegate(const StatefulNnApiDelegate&) = delete;
  StatefulNnApiDelegate& operator=(const StatefulNnApiDelegate&) = delete;
  ~StatefulNnApiDelegate() = default;

  // Default options for null and delegates of other kinds.
  static const Options GetOptions(TfLiteDelegate* delegate);
  // 0: no call has failed.
  int GetNnApiErrno() const { return 0; }

 private:
  Options options_;
};

// One for the whole process, with default options.
TfLiteDelegate* NnApiDelegate();

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_NNAPI_NNAPI_DELEGATE_H_
