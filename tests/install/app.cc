// SPDX-License-Identifier: Apache-2.0
// A program as a user writes it: a model on the CPU and, where there is a device, on the GPU
// delegate.
#include <cstdio>
#include <memory>

#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

namespace {

// The sum of the outputs' elements, or a negative number on failure.
double Run(const tflite::FlatBufferModel& model, TfLiteDelegate* delegate) {
  tflite::ops::builtin::BuiltinOpResolver resolver;
  std::unique_ptr<tflite::Interpreter> interpreter;
  if (tflite::InterpreterBuilder(model, resolver)(&interpreter) != kTfLiteOk) return -1;
  if (delegate != nullptr && interpreter->ModifyGraphWithDelegate(delegate) != kTfLiteOk) return -2;
  if (interpreter->AllocateTensors() != kTfLiteOk) return -3;
  float* input = interpreter->typed_input_tensor<float>(0);
  for (size_t i = 0; i < interpreter->input_tensor(0)->bytes / sizeof(float); ++i) input[i] = 0.5f;
  if (interpreter->Invoke() != kTfLiteOk) return -4;
  double sum = 0;
  const float* output = interpreter->typed_output_tensor<float>(0);
  for (size_t i = 0; i < interpreter->output_tensor(0)->bytes / sizeof(float); ++i)
    sum += output[i];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const auto model = tflite::FlatBufferModel::BuildFromFile(argc > 1 ? argv[1] : "model.tflite");
  if (model == nullptr) return 1;
  const double cpu = Run(*model, nullptr);
  TfLiteDelegate* delegate = TfLiteGpuDelegateV2Create(nullptr);
  const double gpu = delegate == nullptr ? -2 : Run(*model, delegate);
  TfLiteGpuDelegateV2Delete(delegate);
  std::printf("cpu %.1f, gpu %.1f\n", cpu, gpu);
  // Every pixel's class shares add up to one.
  const double pixels = 240.0 * 320.0;
  const auto right = [pixels](double sum) { return sum > 0.99 * pixels && sum < 1.01 * pixels; };
  // -2: this machine has no GPU device.
  return right(cpu) && (right(gpu) || gpu == -2) ? 0 : 1;
}
