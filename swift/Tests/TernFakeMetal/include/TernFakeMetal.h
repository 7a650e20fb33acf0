// SPDX-License-Identifier: Apache-2.0
// For tests: the functions of metal_delegate.h without Metal, which record what they are told, and
// delegates that do as tests want. C11.
#ifndef TERN_SWIFT_TERNFAKEMETAL_H_
#define TERN_SWIFT_TERNFAKEMETAL_H_

#include "TensorFlowLiteCSupport.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/delegates/gpu/metal_delegate.h"

// False where the functions come from the library that TERN_METAL_LIBRARY names: nothing is
// recorded then.
bool TernFakeMetalIsLinked(void);

// Counts since the last call of TernFakeMetalReset.
typedef struct TernFakeMetalRecord {
  int created, deleted, prepared;
  TFLGpuDelegateOptions last;  // of the delegate that was made last
} TernFakeMetalRecord;
TernFakeMetalRecord TernFakeMetalRecorded(void);
void TernFakeMetalReset(void);

// Whether TFLGpuDelegateCreate gives NULL from now on, as on a device without Metal.
void TernFakeMetalBreak(bool is_broken);

// ---- Delegates that are no Metal. `answer` is what their Prepare gives.
TfLiteDelegate* TernPlainDelegateCreate(TfLiteStatus answer);
int TernPlainDelegatePrepared(const TfLiteDelegate* delegate);
void TernPlainDelegateDelete(TfLiteDelegate* delegate);

// Delegates of this kind that live.
int TernPlainDelegatesAlive(void);

// ---- Messages, as the runtime reports them: Swift calls no function with a varying number of
// arguments.
void TernReportText(TernSwiftReceiver* receiver, const char* text);
void TernReportNumberAndText(TernSwiftReceiver* receiver, int number, const char* text);

#endif  // TERN_SWIFT_TERNFAKEMETAL_H_
