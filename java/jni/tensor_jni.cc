// SPDX-License-Identifier: Apache-2.0
// Natives of org.tensorflow.lite.TensorNative. A tensor is named, not pointed to: see TensorName.
#include <jni.h>

#include <cstring>
#include <vector>

#include "jni_text.h"
#include "session.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/common.h"

namespace tern::java {
namespace {

TensorName NameOf(jlong session, jlong runner, jboolean is_output, jint position) {
  return {reinterpret_cast<Session*>(session), reinterpret_cast<TfLiteSignatureRunner*>(runner),
          is_output != JNI_FALSE, position};
}

jintArray Ints(JNIEnv* env, const TfLiteIntArray* values) {
  const jsize count = values == nullptr ? 0 : values->size;
  const jintArray array = env->NewIntArray(count);
  if (array != nullptr && count > 0) env->SetIntArrayRegion(array, 0, count, values->data);
  return array;
}

// The index in the primary graph; -1 for tensors of other graphs.
int IndexOf(const TensorName& name) {
  if (name.runner != nullptr) return -1;
  const TfLiteInterpreter* const interpreter = name.session->interpreter.get();
  return name.is_output ? TfLiteInterpreterGetOutputTensorIndex(interpreter, name.position)
                        : TfLiteInterpreterGetInputTensorIndex(interpreter, name.position);
}

}  // namespace
}  // namespace tern::java

using namespace tern::java;

// The arguments that name a tensor, which exists.
#define TENSOR_METHOD(result, name)                                                          \
  JNIEXPORT result JNICALL Java_org_tensorflow_lite_TensorNative_##name(                     \
      [[maybe_unused]] JNIEnv* env, jclass, jlong session, jlong runner, jboolean is_output, \
      jint position)

extern "C" {

JNIEXPORT jboolean JNICALL Java_org_tensorflow_lite_TensorNative_exists(JNIEnv*, jclass,
                                                                        jlong session, jlong runner,
                                                                        jboolean is_output,
                                                                        jint position) {
  return FindTensor(NameOf(session, runner, is_output, position)) != nullptr ? JNI_TRUE : JNI_FALSE;
}

TENSOR_METHOD(jint, index) { return IndexOf(NameOf(session, runner, is_output, position)); }

TENSOR_METHOD(jint, type) {
  return TfLiteTensorType(FindTensor(NameOf(session, runner, is_output, position)));
}

TENSOR_METHOD(jintArray, shape) {
  return Ints(env, FindTensor(NameOf(session, runner, is_output, position))->dims);
}

TENSOR_METHOD(jintArray, shapeSignature) {
  const TfLiteTensor* const tensor = FindTensor(NameOf(session, runner, is_output, position));
  const TfLiteIntArray* const open = tensor->dims_signature;
  return Ints(env, open != nullptr && open->size > 0 ? open : tensor->dims);
}

TENSOR_METHOD(jlong, byteSize) {
  return static_cast<jlong>(
      TfLiteTensorByteSize(FindTensor(NameOf(session, runner, is_output, position))));
}

TENSOR_METHOD(jstring, name) {
  const char* const name =
      TfLiteTensorName(FindTensor(NameOf(session, runner, is_output, position)));
  return ToJava(env, name == nullptr ? "" : name);
}

TENSOR_METHOD(jfloat, scale) {
  return TfLiteTensorQuantizationParams(FindTensor(NameOf(session, runner, is_output, position)))
      .scale;
}

TENSOR_METHOD(jint, zeroPoint) {
  return TfLiteTensorQuantizationParams(FindTensor(NameOf(session, runner, is_output, position)))
      .zero_point;
}

TENSOR_METHOD(jboolean, hasBufferHandle) {
  const TfLiteTensor* const tensor = FindTensor(NameOf(session, runner, is_output, position));
  return tensor->delegate != nullptr && tensor->buffer_handle != kTfLiteNullBufferHandle
             ? JNI_TRUE
             : JNI_FALSE;
}

// The tensor's memory; null where it has none yet. Numbers that only a delegate has are fetched.
TENSOR_METHOD(jobject, data) {
  const TensorName name = NameOf(session, runner, is_output, position);
  TfLiteTensor* const tensor = FindTensor(name);
  if (tensor->data_is_stale && IndexOf(name) >= 0 &&
      TfLiteInterpreterEnsureTensorDataIsReadable(name.session->interpreter.get(), IndexOf(name)) !=
          kTfLiteOk) {
    Throw(env, kIllegalArgument,
          "Internal error: Failed to copy an output from its delegate: " +
              name.session->errors.Take());
    return nullptr;
  }
  void* const data = TfLiteTensorData(tensor);
  if (data == nullptr) return nullptr;
  return env->NewDirectByteBuffer(data, static_cast<jlong>(TfLiteTensorByteSize(tensor)));
}

// The bytes of a string input, whose size they decide. False where they find no room.
JNIEXPORT jboolean JNICALL Java_org_tensorflow_lite_TensorNative_setStrings(
    JNIEnv* env, jclass, jlong session, jlong runner, jint position, jbyteArray bytes) {
  TfLiteTensor* const tensor = FindTensor(NameOf(session, runner, JNI_FALSE, position));
  const jsize size = env->GetArrayLength(bytes);
  // It leaves tensors alone whose memory is none of their own.
  if (TfLiteTensorRealloc(static_cast<size_t>(size), tensor) != kTfLiteOk ||
      tensor->bytes != static_cast<size_t>(size)) {
    return JNI_FALSE;
  }
  env->GetByteArrayRegion(bytes, 0, size, reinterpret_cast<jbyte*>(tensor->data.raw));
  return JNI_TRUE;
}

}  // extern "C"
