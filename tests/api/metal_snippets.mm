// SPDX-License-Identifier: Apache-2.0
// The Metal code blocks of the product documents, word for word, checked by a compiler without being run.
#include <memory>

#import <Metal/Metal.h>

#include "tensorflow/lite/delegates/gpu/metal_delegate.h"
#include "tensorflow/lite/delegates/gpu/metal_delegate_internal.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

using namespace tflite;

void WriteToInputTensor(float* data);
void ReadFromOutputTensor(const float* data);

bool Basic(const char* model_path) {
#include "snippets/metal_basic.inc"
  return true;
}

TfLiteDelegate* Options() {
#include "snippets/metal_options.inc"
  return delegate;
}

TfLiteDelegate* OptionsDefault() {
#include "snippets/metal_options_default.inc"
  return delegate;
}

TfLiteDelegate* Options2() {
#include "snippets/metal_options_2.inc"
  return delegate;
}

TfLiteDelegate* OptionsDefault2() {
#include "snippets/metal_options_default_2.inc"
  return delegate;
}

TfLiteDelegate* QuantizationOff() {
#include "snippets/metal_quantization_off.inc"
  return delegate;
}

TfLiteDelegate* QuantizationOn() {
#include "snippets/metal_quantization_on.inc"
  return delegate;
}

bool Buffers(Interpreter* interpreter, id<MTLBuffer> user_provided_input_buffer,
             id<MTLBuffer> user_provided_output_buffer) {
#include "snippets/metal_buffers.inc"
  return true;
}
