// SPDX-License-Identifier: Apache-2.0
// The names of the first preview, which metal_delegate.h has for Apple's systems alone.
#include "tensorflow/lite/delegates/gpu/metal_delegate.h"

TfLiteDelegate* TernOldNew(const TFLGpuDelegateOptions* options);
void TernOldDelete(TfLiteDelegate* delegate);

TfLiteDelegate* TernOldNew(const TFLGpuDelegateOptions* options) { return NewGpuDelegate(options); }
void TernOldDelete(TfLiteDelegate* delegate) { DeleteGpuDelegate(delegate); }
