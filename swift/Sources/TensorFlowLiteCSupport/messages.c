// SPDX-License-Identifier: Apache-2.0
// Messages of the runtime: format and arguments come in, a finished text goes out.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "TensorFlowLiteCSupport.h"

static void Report(void* user_data, const char* format, va_list args) {
  const TernSwiftReceiver* receiver = user_data;
  char line[512];
  char* text = line;
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(line, sizeof(line), format, args);
  if (length >= (int)sizeof(line)) {
    char* longer = malloc((size_t)length + 1);
    if (longer != NULL) {
      vsnprintf(longer, (size_t)length + 1, format, again);
      text = longer;
    }
  }
  va_end(again);
  // A format that cannot be followed is still a message.
  receiver->receive(receiver->owner, length < 0 ? format : text);
  if (text != line) free(text);
}

TfLiteModel* TernSwiftModelCreate(const void* data, size_t size, TernSwiftReceiver* receiver) {
  return receiver == NULL ? TfLiteModelCreate(data, size)
                          : TfLiteModelCreateWithErrorReporter(data, size, Report, receiver);
}

TfLiteModel* TernSwiftModelCreateFromFile(const char* path, TernSwiftReceiver* receiver) {
  return receiver == NULL ? TfLiteModelCreateFromFile(path)
                          : TfLiteModelCreateFromFileWithErrorReporter(path, Report, receiver);
}

void TernSwiftOptionsSetReceiver(TfLiteInterpreterOptions* options, TernSwiftReceiver* receiver) {
  TfLiteInterpreterOptionsSetErrorReporter(options, Report, receiver);
}

void TernSwiftReport(TernSwiftReceiver* receiver, const char* format, ...) {
  va_list args;
  va_start(args, format);
  Report(receiver, format, args);
  va_end(args);
}
