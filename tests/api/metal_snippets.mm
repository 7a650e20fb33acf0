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

typedef id<MTLBuffer> MetalBuffer;
#include "metal_blocks.inc"
