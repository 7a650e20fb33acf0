// SPDX-License-Identifier: Apache-2.0
// The Metal delegate, or one that refuses where there is none: MetalDelegate() of the documents
// cannot fail, so that the interpreter is the first that can.
#include <stdlib.h>

#include "TensorFlowLiteCSupport.h"

// On other systems a program links without them; here they are then null.
#if !defined(__APPLE__)
#pragma weak TFLGpuDelegateOptionsDefault
#pragma weak TFLGpuDelegateCreate
#pragma weak TFLGpuDelegateDelete
#endif

static TfLiteStatus Refuse(struct TfLiteContext* context, struct TfLiteDelegate* delegate) {
  (void)delegate;
  context->ReportError(context,
                       "MetalDelegate: there is no Metal device that the delegate runs on here.");
  return kTfLiteDelegateError;
}

TFLGpuDelegateOptions TernSwiftMetalOptionsDefault(void) {
#if !defined(__APPLE__)
  if (TFLGpuDelegateOptionsDefault == NULL) {
    const TFLGpuDelegateOptions options = {
        .allow_precision_loss = false,
        .wait_type = TFLGpuDelegateWaitTypePassive,
        .enable_quantization = true,
    };
    return options;
  }
#endif
  return TFLGpuDelegateOptionsDefault();
}

TfLiteDelegate* TernSwiftMetalDelegateCreate(const TFLGpuDelegateOptions* options) {
  TfLiteDelegate* delegate = NULL;
#if !defined(__APPLE__)
  if (TFLGpuDelegateCreate != NULL && TFLGpuDelegateDelete != NULL)
#endif
    delegate = TFLGpuDelegateCreate(options);
  if (delegate != NULL) return delegate;
  delegate = calloc(1, sizeof(*delegate));
  if (delegate == NULL) abort();  // as Swift does when memory runs out
  delegate->Prepare = Refuse;
  return delegate;
}

void TernSwiftMetalDelegateDelete(TfLiteDelegate* delegate) {
  if (delegate != NULL && delegate->Prepare == Refuse) {
    free(delegate);
    return;
  }
#if !defined(__APPLE__)
  if (TFLGpuDelegateDelete == NULL) return;
#endif
  TFLGpuDelegateDelete(delegate);
}
