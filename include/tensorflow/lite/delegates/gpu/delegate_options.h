// SPDX-License-Identifier: Apache-2.0
// Options of the GPU delegate. C11 and C++17; field order is part of the ABI.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_

#include <stdint.h>

#include "tensorflow/lite/core/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// How the delegate will be used: how much time goes into finding the fastest kernels.
enum TfLiteGpuInferenceUsage {
  TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER = 0,  // few runs: start quickly
  TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED = 1,     // many runs: tune well
  TFLITE_GPU_INFERENCE_PREFERENCE_BALANCED = 2,
};

enum TfLiteGpuInferencePriority {
  TFLITE_GPU_INFERENCE_PRIORITY_AUTO = 0,
  TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION = 1,
  TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY = 2,
  TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE = 3,
};

// Bits of experimental_flags.
enum TfLiteGpuExperimentalFlags {
  TFLITE_GPU_EXPERIMENTAL_FLAGS_NONE = 0,
  TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT = 1 << 0,  // run quantized models, in floating point
  TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY = 1 << 1,       // OpenCL or nothing
  TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY = 1 << 2,       // OpenGL ES or nothing
  TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION =
      1 << 3,  // needs serialization_dir and model_token
};

typedef struct {
  // -1: the priorities decide. 0: highest precision first. 1: lowest latency first. Replaced by the
  // priorities, yet it goes before them when it is not negative.
  int32_t is_precision_loss_allowed;

  int32_t inference_preference;  // TfLiteGpuInferenceUsage

  // TfLiteGpuInferencePriority, most important first. AUTO fills in the rest and may only follow
  // the others.
  int32_t inference_priority1;
  int32_t inference_priority2;
  int32_t inference_priority3;

  int64_t experimental_flags;  // TfLiteGpuExperimentalFlags

  // How many separate parts of the graph go to the GPU, those first that are expected to save most;
  // at least 1.
  int32_t max_delegated_partitions;

  // Folder that the application may write, and a name for the model that changes with it: prepared
  // programs are kept there. Both are copied.
  const char* serialization_dir;
  const char* model_token;

#ifdef TFLITE_DEBUG_DELEGATE
  int first_delegate_node_index;
  int last_delegate_node_index;
#endif

#ifdef TFLITE_GPU_ENABLE_INVOKE_LOOP
  int gpu_invoke_loop_times;
#endif
} TfLiteGpuDelegateOptionsV2;

// -1, fast single answer, max precision first, quantized models on, one partition, no
// serialization.
TFL_CAPI_EXPORT TfLiteGpuDelegateOptionsV2 TfLiteGpuDelegateOptionsV2Default(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_
