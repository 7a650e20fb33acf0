// SPDX-License-Identifier: Apache-2.0
// Lists, checks and removes the files in a directory of saved delegate data (serialization_dir). An
// extension of this library. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_CACHE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_CACHE_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TfLiteGpuCacheState {
  kTfLiteGpuCacheGood = 0,      // nothing speaks against it; once removed: it is gone
  kTfLiteGpuCacheBad = 1,       // `problem` says why; nothing of it would be used
  kTfLiteGpuCacheLeftover = 2,  // of a writer that did not end, or has not ended yet; no entry
} TfLiteGpuCacheState;

typedef struct TfLiteGpuCacheFile {
  const char* file;   // its name in the directory
  const char* token;  // the model's, with %XX for bytes that do not print; empty where unknown
  const char* key;    // which of its entries
  int64_t bytes;      // of the file
  int64_t last_used;  // seconds since 1970
  TfLiteGpuCacheState state;
  const char* problem;  // empty where there is none
} TfLiteGpuCacheFile;

typedef struct TfLiteGpuCacheFiles {
  size_t count;
  const TfLiteGpuCacheFile* files;  // the last used first
  const char* error;  // NULL, or why the directory cannot be used; there are no files then
} TfLiteGpuCacheFiles;

// The files that the delegate made in a directory; others are never listed nor removed. Each
// function gives a list that the caller deletes, and never NULL. Safe while other processes use the
// directory.

// Judges files by their names and first bytes.
TFL_CAPI_EXPORT TfLiteGpuCacheFiles* TfLiteGpuDelegateV2CacheList(const char* directory);
// Reads every byte.
TFL_CAPI_EXPORT TfLiteGpuCacheFiles* TfLiteGpuDelegateV2CacheCheck(const char* directory);
// Removes the files and tells which; what could not be removed is bad.
TFL_CAPI_EXPORT TfLiteGpuCacheFiles* TfLiteGpuDelegateV2CacheClear(const char* directory);

TFL_CAPI_EXPORT void TfLiteGpuDelegateV2CacheFilesDelete(TfLiteGpuCacheFiles* files);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_CACHE_H_
