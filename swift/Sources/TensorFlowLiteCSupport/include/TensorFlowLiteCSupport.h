// SPDX-License-Identifier: Apache-2.0
// The C that the Swift package needs: messages as finished texts, and a Metal delegate that is
// always there. C11.
#ifndef TERN_SWIFT_TENSORFLOWLITECSUPPORT_H_
#define TERN_SWIFT_TENSORFLOWLITECSUPPORT_H_

#include "tensorflow/lite/core/c/c_api.h"

// A pod without its Metal part has no such header.
#if __has_include("tensorflow/lite/delegates/gpu/metal_delegate.h")
#define TERN_SWIFT_HAS_METAL 1
#include "tensorflow/lite/delegates/gpu/metal_delegate.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Gets messages of the runtime as texts, which live as long as the call. Any thread may call it.
typedef struct TernSwiftReceiver {
  void (*receive)(void* owner, const char* text);
  void* owner;
} TernSwiftReceiver;

// The functions of the C API, with a receiver in place of a reporter: a va_list is used up by who
// reads it, and Swift may read it twice. The receiver must outlive what is made here, and the
// interpreters.
TfLiteModel* TernSwiftModelCreate(const void* data, size_t size, TernSwiftReceiver* receiver);
TfLiteModel* TernSwiftModelCreateFromFile(const char* path, TernSwiftReceiver* receiver);
void TernSwiftOptionsSetReceiver(TfLiteInterpreterOptions* options, TernSwiftReceiver* receiver);

// Reports by the reporter that the functions above set, for tests.
void TernSwiftReport(TernSwiftReceiver* receiver, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

#ifdef TERN_SWIFT_HAS_METAL
// ---- The functions of metal_delegate.h. Programs for other systems than Apple's may lack them:
// the default options are then those of the documents, and the delegate is one that refuses every
// graph with a message. So is the one for a Metal delegate that cannot be made.
TFLGpuDelegateOptions TernSwiftMetalOptionsDefault(void);
TfLiteDelegate* TernSwiftMetalDelegateCreate(const TFLGpuDelegateOptions* options);
void TernSwiftMetalDelegateDelete(TfLiteDelegate* delegate);
#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_SWIFT_TENSORFLOWLITECSUPPORT_H_
