// SPDX-License-Identifier: Apache-2.0
// A folder of files in which delegates keep what is expensive to make again: compiled programs,
// chosen nodes. One file per entry, named by the model's token and a fingerprint of everything that
// the data depends on.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_SERIALIZATION_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_SERIALIZATION_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {
namespace delegates {

// The fingerprint of `num_bytes` bytes as decimal text: the same on every machine and in every run,
// fit for a model token. Not meant against an adversary.
std::string StrFingerprint(const void* data, size_t num_bytes);

// Both strings are copied; null counts as empty, and an empty folder holds no entries.
struct SerializationParams {
  const char* model_token;  // unique to the model's contents; the files' names begin with it
  const char* cache_dir;    // exists, writable, private to the application
};

// One file. Messages go to the context, which may be null.
class SerializationEntry {
 public:
  SerializationEntry(const SerializationEntry&) = delete;
  SerializationEntry& operator=(const SerializationEntry&) = delete;
  SerializationEntry(SerializationEntry&&) = default;

  uint64_t GetFingerprint() const { return fingerprint_; }

  // Replaces the entry's data as a whole: readers, in other processes too, see the old or the new.
  // kTfLiteDelegateDataWriteError when that fails; the old data is then still there.
  TfLiteStatus SetData(TfLiteContext* context, const char* data, size_t size) const;

  // kTfLiteDelegateDataNotFound without data, kTfLiteDelegateDataReadError when it cannot be read.
  // The bytes are as untrusted as the folder.
  TfLiteStatus GetData(TfLiteContext* context, std::string* data) const;

 private:
  friend class Serialization;
  SerializationEntry(const std::string& cache_dir, const std::string& model_token,
                     uint64_t fingerprint);

  std::string cache_dir_;
  std::string model_token_;
  uint64_t fingerprint_;
};

class Serialization {
 public:
  explicit Serialization(const SerializationParams& params);
  Serialization(const Serialization&) = delete;
  Serialization& operator=(const Serialization&) = delete;

  // The entry of a kernel: depends on the custom key, the sizes of the graph's tensors and the part
  // of the graph that the kernel replaces.
  SerializationEntry GetEntryForKernel(const std::string& custom_key, TfLiteContext* context,
                                       const TfLiteDelegateParams* delegate_params);

  // The entry of a delegate as a whole.
  SerializationEntry GetEntryForDelegate(const std::string& custom_key, TfLiteContext* context);

  static uint64_t GetFingerprint(const std::string& model_token, const std::string& custom_key,
                                 TfLiteContext* context = nullptr,
                                 const TfLiteDelegateParams* delegate_params = nullptr);

 private:
  const std::string model_token_;
  const std::string cache_dir_;
};

// The nodes that a delegate took, so that a later run need not ask about each. `node_ids` is read
// into a new array that the caller frees. Data of another form gives kTfLiteDelegateDataReadError.
TfLiteStatus SaveDelegatedNodes(TfLiteContext* context, Serialization* serialization,
                                const std::string& delegate_id, const TfLiteIntArray* node_ids);
TfLiteStatus GetDelegatedNodes(TfLiteContext* context, Serialization* serialization,
                               const std::string& delegate_id, TfLiteIntArray** node_ids);

}  // namespace delegates
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_SERIALIZATION_H_
