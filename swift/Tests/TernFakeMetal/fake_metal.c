// SPDX-License-Identifier: Apache-2.0
// Delegates that claim no node and remember: the interpreter runs the graph on the CPU.
#include "TernFakeMetal.h"

#include <stdatomic.h>
#include <stdlib.h>

static TfLiteDelegate* MakeDelegate(TfLiteStatus (*prepare)(TfLiteContext*, TfLiteDelegate*)) {
  TfLiteDelegate* delegate = calloc(1, sizeof(*delegate));
  if (delegate == NULL) abort();
  delegate->Prepare = prepare;
  return delegate;
}

// ---- Metal

static TernFakeMetalRecord record;
static bool broken;

TernFakeMetalRecord TernFakeMetalRecorded(void) { return record; }

void TernFakeMetalReset(void) {
  record = (TernFakeMetalRecord){0};
  broken = false;
}

void TernFakeMetalBreak(bool is_broken) { broken = is_broken; }

#ifdef TERN_METAL_IS_LINKED
bool TernFakeMetalIsLinked(void) { return false; }
#else
bool TernFakeMetalIsLinked(void) { return true; }

static TfLiteStatus PrepareMetal(TfLiteContext* context, TfLiteDelegate* delegate) {
  (void)context;
  (void)delegate;
  ++record.prepared;
  return kTfLiteOk;
}

TFLGpuDelegateOptions TFLGpuDelegateOptionsDefault(void) {
  return (TFLGpuDelegateOptions){false, TFLGpuDelegateWaitTypePassive, true};
}

TfLiteDelegate* TFLGpuDelegateCreate(const TFLGpuDelegateOptions* options) {
  if (broken) return NULL;
  ++record.created;
  record.last = options == NULL ? TFLGpuDelegateOptionsDefault() : *options;
  return MakeDelegate(PrepareMetal);
}

void TFLGpuDelegateDelete(TfLiteDelegate* delegate) {
  if (delegate == NULL) return;
  ++record.deleted;
  free(delegate);
}

bool TFLGpuDelegateBindMetalBufferToTensor(TfLiteDelegate* delegate, int tensor_index,
                                           TFLGpuDelegateMetalBuffer metal_buffer) {
  (void)tensor_index;
  return delegate != NULL && metal_buffer != NULL;
}
#endif

// ---- Others

typedef struct Plain {
  TfLiteStatus answer;
  int prepared;
} Plain;

static atomic_int alive;

static TfLiteStatus PreparePlain(TfLiteContext* context, TfLiteDelegate* delegate) {
  (void)context;
  Plain* plain = delegate->data_;
  ++plain->prepared;
  return plain->answer;
}

TfLiteDelegate* TernPlainDelegateCreate(TfLiteStatus answer) {
  TfLiteDelegate* delegate = MakeDelegate(PreparePlain);
  Plain* plain = calloc(1, sizeof(*plain));
  if (plain == NULL) abort();
  plain->answer = answer;
  delegate->data_ = plain;
  ++alive;
  return delegate;
}

int TernPlainDelegatePrepared(const TfLiteDelegate* delegate) {
  return ((const Plain*)delegate->data_)->prepared;
}

void TernPlainDelegateDelete(TfLiteDelegate* delegate) {
  if (delegate == NULL) return;
  --alive;
  free(delegate->data_);
  free(delegate);
}

int TernPlainDelegatesAlive(void) { return alive; }

// ---- Messages

void TernReportText(TernSwiftReceiver* receiver, const char* text) {
  TernSwiftReport(receiver, "%s", text);
}

void TernReportNumberAndText(TernSwiftReceiver* receiver, int number, const char* text) {
  TernSwiftReport(receiver, "%d of %s", number, text);
}
