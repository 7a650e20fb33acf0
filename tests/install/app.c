// SPDX-License-Identifier: Apache-2.0
// A C program over the C API.
#include <stdio.h>

#include "tensorflow/lite/c/c_api.h"

int main(int argc, char** argv) {
  TfLiteModel* model = TfLiteModelCreateFromFile(argc > 1 ? argv[1] : "model.tflite");
  if (model == NULL) return 1;
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetNumThreads(options, 2);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  if (interpreter == NULL || TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) return 1;
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  float* elements = (float*)TfLiteTensorData(input);
  for (size_t i = 0; i < TfLiteTensorByteSize(input) / sizeof(float); ++i) elements[i] = 0.5f;
  const TfLiteStatus status = TfLiteInterpreterInvoke(interpreter);
  const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
  printf("%s: %d dimensions\n", TfLiteTensorName(output), (int)TfLiteTensorNumDims(output));
  TfLiteInterpreterDelete(interpreter);
  return status == kTfLiteOk ? 0 : 1;
}
