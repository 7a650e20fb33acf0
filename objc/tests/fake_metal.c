// SPDX-License-Identifier: Apache-2.0
// A stand-in for the Metal delegate's C functions: it records options, and its delegate takes no
// nodes.
#include "fake_metal.h"

#include <stdlib.h>

TFLGpuDelegateOptions fake_metal_options;
int fake_metal_alive;
bool fake_metal_fails;

static TfLiteStatus Prepare(TfLiteContext *context, TfLiteDelegate *delegate) {
  (void)context, (void)delegate;
  return kTfLiteOk;
}

TFLGpuDelegateOptions TFLGpuDelegateOptionsDefault(void) {
  const TFLGpuDelegateOptions options = {false, TFLGpuDelegateWaitTypePassive, true};
  return options;
}

TfLiteDelegate *TFLGpuDelegateCreate(const TFLGpuDelegateOptions *options) {
  if (fake_metal_fails) return NULL;
  fake_metal_options = options != NULL ? *options : TFLGpuDelegateOptionsDefault();
  TfLiteDelegate *delegate = calloc(1, sizeof(TfLiteDelegate));
  if (delegate == NULL) return NULL;
  delegate->Prepare = Prepare;
  ++fake_metal_alive;
  return delegate;
}

void TFLGpuDelegateDelete(TfLiteDelegate *delegate) {
  if (delegate == NULL) return;
  --fake_metal_alive;
  free(delegate);
}
