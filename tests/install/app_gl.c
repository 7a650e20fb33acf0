// SPDX-License-Identifier: Apache-2.0
// The older GPU delegate from C: its functions are all in the library, and without a context of
// OpenGL ES binding is an error.
#include <stdio.h>

#include "tensorflow/lite/delegates/gpu/gl_delegate.h"

int main(void) {
  TfLiteGpuDelegateOptions options = TfLiteGpuDelegateOptionsDefault();
  options.compile_options = TfLiteGlCompileOptionsDefault();
  TfLiteDelegate* delegate = TfLiteGpuDelegateCreate(&options);
  if (delegate == NULL || TfLiteGpuDelegateGetModelMetadata(NULL) != NULL) return 1;
  const TfLiteStatus status = TfLiteGpuDelegateBindBufferToTensor(delegate, 1, 0);
  TfLiteGpuDelegateDelete(delegate);
  printf("bind without a context: %d\n", (int)status);
  return status == kTfLiteError ? 0 : 1;
}
