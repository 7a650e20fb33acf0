// SPDX-License-Identifier: Apache-2.0
// Natives of org.tensorflow.lite.gpu over the C functions of the GPU delegate.
#include <jni.h>

#include <string>

#include "jni_text.h"
#include "signal_keeper.h"
#include "tensorflow/lite/delegates/gpu/compatibility.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"

using tern::java::FromJava;

namespace {

// Values of GpuDelegateFactory.Options.GpuBackend.
constexpr jint kOpenCl = 1;
constexpr jint kOpenGl = 2;

}  // namespace

extern "C" {

JNIEXPORT jlong JNICALL Java_org_tensorflow_lite_gpu_GpuDelegate_createDelegate(
    JNIEnv* env, jclass, jboolean precision_loss, jboolean quantized, jint preference, jstring dir,
    jstring token, jint backend) {
  TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
  if (precision_loss != JNI_FALSE) {
    options.inference_priority1 = TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY;
    options.inference_priority2 = TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE;
    options.inference_priority3 = TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION;
  }
  options.experimental_flags = quantized != JNI_FALSE ? TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT
                                                      : TFLITE_GPU_EXPERIMENTAL_FLAGS_NONE;
  options.inference_preference = preference;
  if (backend == kOpenCl) options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY;
  if (backend == kOpenGl) options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY;
  std::string dir_text, token_text;  // the delegate copies them
  if (dir != nullptr && token != nullptr) {
    dir_text = FromJava(env, dir);
    token_text = FromJava(env, token);
    options.serialization_dir = dir_text.c_str();
    options.model_token = token_text.c_str();
    options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;
  }
  return reinterpret_cast<jlong>(TfLiteGpuDelegateV2Create(&options));
}

JNIEXPORT void JNICALL Java_org_tensorflow_lite_gpu_GpuDelegate_deleteDelegate(JNIEnv*, jclass,
                                                                               jlong delegate) {
  TfLiteGpuDelegateV2Delete(reinterpret_cast<TfLiteDelegate*>(delegate));
}

JNIEXPORT jboolean JNICALL
Java_org_tensorflow_lite_gpu_CompatibilityList_nativeIsDelegateSupportedOnThisDevice(JNIEnv*,
                                                                                     jclass) {
  const tern::java::SignalKeeper keeper;
  return TfLiteGpuDelegateV2IsSupported(nullptr, 0) ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT void JNICALL Java_org_tensorflow_lite_gpu_GpuDelegateNative_nativeDoNothing(JNIEnv*,
                                                                                      jclass) {}

}  // extern "C"
