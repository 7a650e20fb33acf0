// SPDX-License-Identifier: Apache-2.0
// Natives of org.tensorflow.lite.InterpreterNative over the C API. Java passes live handles only
// and holds a lock around every call but `cancel`.
#include <jni.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jni_text.h"
#include "session.h"
#include "signal_keeper.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"

namespace tern::java {
namespace {

Session* SessionOf(jlong handle) { return reinterpret_cast<Session*>(handle); }
TfLiteSignatureRunner* RunnerOf(jlong handle) {
  return reinterpret_cast<TfLiteSignatureRunner*>(handle);
}

// Null for success, else what was reported.
jstring Result(JNIEnv* env, Session* session, TfLiteStatus status) {
  const std::string text = session->errors.Take();
  return status == kTfLiteOk ? nullptr : ToJava(env, text);
}

jlong Loaded(JNIEnv* env, std::unique_ptr<Session> session, const std::string& failed) {
  if (session->model != nullptr) return reinterpret_cast<jlong>(session.release());
  Throw(env, kIllegalArgument, failed + session->errors.Take());
  return 0;
}

jobjectArray Strings(JNIEnv* env, const std::vector<const char*>& texts) {
  const jclass type = env->FindClass("java/lang/String");
  if (type == nullptr) return nullptr;
  const jobjectArray array = env->NewObjectArray(static_cast<jsize>(texts.size()), type, nullptr);
  for (size_t i = 0; array != nullptr && i < texts.size(); ++i) {
    const jstring text = ToJava(env, texts[i]);
    if (text == nullptr) return nullptr;
    env->SetObjectArrayElement(array, static_cast<jsize>(i), text);
    env->DeleteLocalRef(text);
  }
  return array;
}

// The reference's words for how a delegate failed.
std::string DelegateFailure(TfLiteStatus status, const std::string& reported) {
  if (status == kTfLiteDelegateError) {
    return "Internal error: Failed to apply delegate: " + reported;
  }
  if (status == kTfLiteApplicationError) {
    return "Internal error: Error applying delegate: " + reported;
  }
  const bool only_restored = reported.rfind("Restored original execution plan", 0) == 0 &&
                             reported.find('\n') == std::string::npos;
  return only_restored ? "Internal error: Failed to apply delegate."
                       : "Internal error: Cannot create interpreter: " + reported;
}

}  // namespace
}  // namespace tern::java

using namespace tern::java;

extern "C" {

JNIEXPORT jlong JNICALL Java_org_tensorflow_lite_InterpreterNative_loadFile(JNIEnv* env, jclass,
                                                                            jstring path) {
  const std::string file = FromJava(env, path);
  auto session = std::make_unique<Session>();
  session->model.reset(TfLiteModelCreateFromFileWithErrorReporter(file.c_str(), ErrorText::Report,
                                                                  &session->errors));
  return Loaded(env, std::move(session),
                "Contents of " + file + " does not encode a valid TensorFlow Lite model: ");
}

JNIEXPORT jlong JNICALL Java_org_tensorflow_lite_InterpreterNative_loadBuffer(JNIEnv* env, jclass,
                                                                              jobject buffer) {
  auto session = std::make_unique<Session>();
  const void* const bytes = env->GetDirectBufferAddress(buffer);
  const jlong size = env->GetDirectBufferCapacity(buffer);
  if (bytes != nullptr && size > 0) {
    session->model.reset(TfLiteModelCreateWithErrorReporter(bytes, static_cast<size_t>(size),
                                                            ErrorText::Report, &session->errors));
  }
  return Loaded(env, std::move(session), "ByteBuffer does not encode a valid model: ");
}

JNIEXPORT void JNICALL Java_org_tensorflow_lite_InterpreterNative_build(JNIEnv* env, jclass,
                                                                        jlong handle, jint threads,
                                                                        jboolean use_nnapi,
                                                                        jboolean cancellable) {
  Session* const session = SessionOf(handle);
  using Options =
      std::unique_ptr<TfLiteInterpreterOptions,
                      Deleter<TfLiteInterpreterOptions, TfLiteInterpreterOptionsDelete>>;
  const Options options(TfLiteInterpreterOptionsCreate());
  TfLiteInterpreterOptionsSetNumThreads(options.get(), threads);
  TfLiteInterpreterOptionsSetErrorReporter(options.get(), ErrorText::Report, &session->errors);
  if (cancellable != JNI_FALSE) WatchForCancel(session, options.get());
  if (use_nnapi != JNI_FALSE) TfLiteInterpreterOptionsSetUseNNAPI(options.get(), true);
  session->interpreter.reset(TfLiteInterpreterCreate(session->model.get(), options.get()));
  const std::string reported = session->errors.Take();
  if (session->interpreter != nullptr) return;
  Throw(env, kIllegalArgument, "Internal error: Cannot create interpreter: " + reported);
}

JNIEXPORT void JNICALL Java_org_tensorflow_lite_InterpreterNative_apply(JNIEnv* env, jclass,
                                                                        jlong handle,
                                                                        jlong delegate) {
  Session* const session = SessionOf(handle);
  session->has_delegates = true;
  const SignalKeeper keeper;
  const TfLiteStatus status = TfLiteInterpreterModifyGraphWithDelegate(
      session->interpreter.get(), reinterpret_cast<TfLiteDelegate*>(delegate));
  const std::string reported = session->errors.Take();
  if (status != kTfLiteOk) Throw(env, kIllegalArgument, DelegateFailure(status, reported));
}

JNIEXPORT void JNICALL Java_org_tensorflow_lite_InterpreterNative_delete(JNIEnv*, jclass,
                                                                         jlong handle) {
  delete SessionOf(handle);
}

JNIEXPORT void JNICALL Java_org_tensorflow_lite_InterpreterNative_allowBufferHandleOutput(
    JNIEnv*, jclass, jlong handle, jboolean allow) {
  TfLiteSetAllowBufferHandleOutput(SessionOf(handle)->interpreter.get(), allow != JNI_FALSE);
}

JNIEXPORT jstring JNICALL Java_org_tensorflow_lite_InterpreterNative_allocate(JNIEnv* env, jclass,
                                                                              jlong handle,
                                                                              jlong runner) {
  Session* const session = SessionOf(handle);
  std::optional<SignalKeeper> keeper;
  if (session->has_delegates) keeper.emplace();
  return Result(env, session,
                runner == 0 ? TfLiteInterpreterAllocateTensors(session->interpreter.get())
                            : TfLiteSignatureRunnerAllocateTensors(RunnerOf(runner)));
}

JNIEXPORT jstring JNICALL Java_org_tensorflow_lite_InterpreterNative_resize(
    JNIEnv* env, jclass, jlong handle, jlong runner, jint position, jintArray dims) {
  Session* const session = SessionOf(handle);
  std::vector<jint> shape(env->GetArrayLength(dims));
  env->GetIntArrayRegion(dims, 0, static_cast<jsize>(shape.size()), shape.data());
  static_assert(sizeof(jint) == sizeof(int));
  const auto rank = static_cast<int32_t>(shape.size());
  if (runner == 0) {
    return Result(env, session,
                  TfLiteInterpreterResizeInputTensor(session->interpreter.get(), position,
                                                     shape.data(), rank));
  }
  const char* const name = TfLiteSignatureRunnerGetInputName(RunnerOf(runner), position);
  return Result(env, session,
                TfLiteSignatureRunnerResizeInputTensor(RunnerOf(runner), name, shape.data(), rank));
}

JNIEXPORT jstring JNICALL Java_org_tensorflow_lite_InterpreterNative_invoke(JNIEnv* env, jclass,
                                                                            jlong handle,
                                                                            jlong runner) {
  Session* const session = SessionOf(handle);
  TfLiteStatus status = kTfLiteOk;
  std::optional<SignalKeeper> keeper;
  if (session->has_delegates) keeper.emplace();
  if (!session->cancelled) {
    status = runner == 0 ? TfLiteInterpreterInvoke(session->interpreter.get())
                         : TfLiteSignatureRunnerInvoke(RunnerOf(runner));
  }
  // The last operation has nothing behind it that would see the flag.
  if (status == kTfLiteOk && session->cancelled) {
    return ToJava(env, "Client requested cancel during Invoke()");
  }
  return Result(env, session, status);
}

JNIEXPORT void JNICALL Java_org_tensorflow_lite_InterpreterNative_setCancelled(JNIEnv*, jclass,
                                                                               jlong handle,
                                                                               jboolean cancelled) {
  SetCancelled(SessionOf(handle), cancelled != JNI_FALSE);
}

JNIEXPORT jstring JNICALL Java_org_tensorflow_lite_InterpreterNative_resetVariables(JNIEnv* env,
                                                                                    jclass,
                                                                                    jlong handle) {
  Session* const session = SessionOf(handle);
  return Result(env, session, TfLiteInterpreterResetVariableTensors(session->interpreter.get()));
}

JNIEXPORT jint JNICALL Java_org_tensorflow_lite_InterpreterNative_tensorCount(JNIEnv*, jclass,
                                                                              jlong handle,
                                                                              jlong runner,
                                                                              jboolean is_output) {
  const TfLiteInterpreter* const interpreter = SessionOf(handle)->interpreter.get();
  if (runner != 0) {
    return static_cast<jint>(is_output != JNI_FALSE
                                 ? TfLiteSignatureRunnerGetOutputCount(RunnerOf(runner))
                                 : TfLiteSignatureRunnerGetInputCount(RunnerOf(runner)));
  }
  return is_output != JNI_FALSE ? TfLiteInterpreterGetOutputTensorCount(interpreter)
                                : TfLiteInterpreterGetInputTensorCount(interpreter);
}

JNIEXPORT jobjectArray JNICALL
Java_org_tensorflow_lite_InterpreterNative_signatureKeys(JNIEnv* env, jclass, jlong handle) {
  const TfLiteInterpreter* const interpreter = SessionOf(handle)->interpreter.get();
  std::vector<const char*> keys;
  for (int i = 0; i < TfLiteInterpreterGetSignatureCount(interpreter); ++i) {
    keys.push_back(TfLiteInterpreterGetSignatureKey(interpreter, i));
  }
  return Strings(env, keys);
}

// 0 for an unknown key. It lives as long as the session.
JNIEXPORT jlong JNICALL Java_org_tensorflow_lite_InterpreterNative_runner(JNIEnv* env, jclass,
                                                                          jlong handle,
                                                                          jstring key) {
  Session* const session = SessionOf(handle);
  const std::string name = FromJava(env, key);
  const auto known = session->runners.find(name);
  if (known != session->runners.end()) return reinterpret_cast<jlong>(known->second.get());
  Runner runner(TfLiteInterpreterGetSignatureRunner(session->interpreter.get(), name.c_str()));
  session->errors.Take();
  if (runner == nullptr) return 0;
  return reinterpret_cast<jlong>((session->runners[name] = std::move(runner)).get());
}

JNIEXPORT jobjectArray JNICALL Java_org_tensorflow_lite_InterpreterNative_signatureTensors(
    JNIEnv* env, jclass, jlong runner_handle, jboolean is_output) {
  const TfLiteSignatureRunner* const runner = RunnerOf(runner_handle);
  std::vector<const char*> names;
  const size_t count = is_output != JNI_FALSE ? TfLiteSignatureRunnerGetOutputCount(runner)
                                              : TfLiteSignatureRunnerGetInputCount(runner);
  for (size_t i = 0; i < count; ++i) {
    const auto position = static_cast<int32_t>(i);
    names.push_back(is_output != JNI_FALSE ? TfLiteSignatureRunnerGetOutputName(runner, position)
                                           : TfLiteSignatureRunnerGetInputName(runner, position));
  }
  return Strings(env, names);
}

// Where a tensor of the signature stands among those of the primary graph; -1: it is in another
// one.
JNIEXPORT jint JNICALL Java_org_tensorflow_lite_InterpreterNative_graphPosition(
    JNIEnv*, jclass, jlong handle, jlong runner, jboolean is_output, jint position) {
  Session* const session = SessionOf(handle);
  const bool output = is_output != JNI_FALSE;
  const TfLiteTensor* const wanted = FindTensor({session, RunnerOf(runner), output, position});
  const int count = output ? TfLiteInterpreterGetOutputTensorCount(session->interpreter.get())
                           : TfLiteInterpreterGetInputTensorCount(session->interpreter.get());
  for (int i = 0; i < count; ++i) {
    if (FindTensor({session, nullptr, output, i}) == wanted) return i;
  }
  return -1;
}

JNIEXPORT void JNICALL Java_org_tensorflow_lite_TensorFlowLite_nativeDoNothing(JNIEnv*, jclass) {}

JNIEXPORT jstring JNICALL Java_org_tensorflow_lite_TensorFlowLite_nativeRuntimeVersion(JNIEnv* env,
                                                                                       jclass) {
  return ToJava(env, TfLiteVersion());
}

JNIEXPORT jint JNICALL Java_org_tensorflow_lite_TensorFlowLite_nativeSchemaVersion(JNIEnv*,
                                                                                   jclass) {
  return TfLiteSchemaVersion();
}

}  // extern "C"
