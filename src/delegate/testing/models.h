// SPDX-License-Identifier: Apache-2.0
// Small models, interpreters for them, and delegates for the backends at hand.
#ifndef TERN_DELEGATE_TESTING_MODELS_H_
#define TERN_DELEGATE_TESTING_MODELS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/backends/backend_list.h"
#include "model/testing/model_builder.h"
#include "model/testing/recording_reporter.h"
#include "tensorflow/lite/core/interpreter_builder.h"
#include "tensorflow/lite/core/model_builder.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/error_reporter.h"
#include "tensorflow/lite/kernels/register.h"

namespace tern::delegate::testing {

// The custom operation "OnlyOnCpu": adds one.
inline TfLiteRegistration OnlyOnCpu() {
  TfLiteRegistration r{};
  r.prepare = [](TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor& in = context->tensors[node->inputs->data[0]];
    return context->ResizeTensor(context, &context->tensors[node->outputs->data[0]],
                                 TfLiteIntArrayCopy(in.dims));
  };
  r.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor& in = context->tensors[node->inputs->data[0]];
    TfLiteTensor& out = context->tensors[node->outputs->data[0]];
    for (size_t i = 0; i < in.bytes / sizeof(float); ++i) out.data.f[i] = in.data.f[i] + 1;
    return kTfLiteOk;
  };
  return r;
}

// x -> RELU -> ADD constant -> LOGISTIC -> y
inline std::vector<uint8_t> ThreeOpModel(std::vector<int> shape = {1, 4, 4, 8}) {
  tern::testing::ModelBuilder b;
  const int x = b.Input(shape);
  const int k = b.Const<float>({1}, {0.5f});
  const int r = b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(shape)});
  const int a = b.Op(tflite::BuiltinOperator_ADD, {r, k}, {b.Tensor(shape)}, tflite::AddOptionsT());
  b.Output(b.Op(tflite::BuiltinOperator_LOGISTIC, {a}, {b.Tensor(shape)}));
  return b.Finish();
}

// x -> RELU -> OnlyOnCpu -> LOGISTIC -> RELU6 -> y: one node before the CPU's, two after it.
inline std::vector<uint8_t> SplitModel(std::vector<int> shape = {1, 4, 4, 8}) {
  tern::testing::ModelBuilder b;
  const int x = b.Input(shape);
  const int r = b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(shape)});
  const int c = b.CustomOp("OnlyOnCpu", {r}, {b.Tensor(shape)});
  const int l = b.Op(tflite::BuiltinOperator_LOGISTIC, {c}, {b.Tensor(shape)});
  b.Output(b.Op(tflite::BuiltinOperator_RELU6, {l}, {b.Tensor(shape)}));
  return b.Finish();
}

// A model with its interpreter.
class Session {
 public:
  // Reports go to `errors`, or to the reporter that is given.
  explicit Session(std::vector<uint8_t> bytes, tflite::ErrorReporter* reporter = nullptr)
      : bytes_(std::move(bytes)) {
    model_ = tflite::FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes_.data()),
                                                      bytes_.size(),
                                                      reporter == nullptr ? &errors : reporter);
    if (model_ == nullptr) return;
    tflite::ops::builtin::BuiltinOpResolver resolver;
    const TfLiteRegistration only_on_cpu = OnlyOnCpu();
    resolver.AddCustom("OnlyOnCpu", &only_on_cpu);
    tflite::InterpreterBuilder(*model_, resolver)(&interpreter);
  }

  tflite::Interpreter* operator->() const { return interpreter.get(); }

  // Sets every input to a pattern, runs, and returns all outputs; empty on failure.
  std::vector<float> Run() {
    for (size_t i = 0; i < interpreter->inputs().size(); ++i) {
      TfLiteTensor* tensor = interpreter->input_tensor(i);
      for (size_t e = 0; e < tensor->bytes / sizeof(float); ++e) {
        tensor->data.f[e] = 0.25f * static_cast<float>(static_cast<int>((e * 7 + i) % 23) - 11);
      }
    }
    if (interpreter->Invoke() != kTfLiteOk) return {};
    std::vector<float> result;
    for (size_t o = 0; o < interpreter->outputs().size(); ++o) {
      const TfLiteTensor* tensor = interpreter->output_tensor(o);
      result.insert(result.end(), tensor->data.f, tensor->data.f + tensor->bytes / sizeof(float));
    }
    return result;
  }

  tern::testing::RecordingReporter errors;
  std::unique_ptr<tflite::Interpreter> interpreter;

 private:
  std::vector<uint8_t> bytes_;
  std::unique_ptr<tflite::FlatBufferModel> model_;
};

inline size_t Elements(const std::vector<int>& shape) {
  size_t count = 1;
  for (const int d : shape) count *= static_cast<size_t>(d);
  return count;
}

// The values that Session::Run gives to the first input.
inline std::vector<float> Pattern(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = 0.25f * static_cast<float>(static_cast<int>(i * 7 % 23) - 11);
  return values;
}

// Returns the CPU's result, with the first input resized if a shape is given.
inline std::vector<float> CpuResult(const std::vector<uint8_t>& bytes,
                                    const std::vector<int>& shape = {}) {
  Session session(bytes);
  if (!shape.empty()) session->ResizeInputTensor(session->inputs()[0], shape);
  if (session->AllocateTensors() != kTfLiteOk) return {};
  return session.Run();
}

// Backends that run something here.
inline std::vector<std::string> BackendsAtHand() {
  std::vector<std::string> names;
  for (const char* name : {"host", "opencl"}) {
    if (gpu::OpenDevice(name).ok()) names.push_back(name);
  }
  return names;
}

using Delegate = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

inline std::string& PluginError() {
  static thread_local std::string text;
  return text;
}

// Through the plug-in entry; null with the text in PluginError().
inline Delegate PluginDelegate(const Pairs& options) {
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : options) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  PluginError().clear();
  return Delegate(tflite_plugin_create_delegate(keys.data(), values.data(), keys.size(),
                                                [](const char* text) { PluginError() += text; }),
                  tflite_plugin_destroy_delegate);
}

}  // namespace tern::delegate::testing

#endif  // TERN_DELEGATE_TESTING_MODELS_H_
