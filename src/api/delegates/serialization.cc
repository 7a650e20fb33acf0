// SPDX-License-Identifier: Apache-2.0
// Files of cached delegate data: written beside their place and renamed, so that no reader ever
// sees a half of one.
#include "tensorflow/lite/delegates/serialization.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "tensorflow/lite/minimal_logging.h"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#define TERN_HAS_POSIX_FILES 1
#endif

namespace tflite {
namespace delegates {
namespace {

constexpr size_t kTensorsInFingerprint = 100;

std::string TextOrEmpty(const char* text) { return text != nullptr ? text : ""; }

uint64_t HashSizes(const std::vector<int32_t>& values) {
  return tern::HashBytes(values.data(), values.size() * sizeof(int32_t));
}

void AppendBytes(const TfLiteContext& context, const TfLiteIntArray* tensors,
                 std::vector<int32_t>* values) {
  for (int i = 0; tensors != nullptr && i < tensors->size; ++i) {
    const int index = tensors->data[i];
    const bool known = index >= 0 && static_cast<size_t>(index) < context.tensors_size;
    values->push_back(known ? static_cast<int32_t>(context.tensors[index].bytes) : -1);
  }
}

#if TERN_HAS_POSIX_FILES

// A descriptor that is closed in the end.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() { Close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int fd() const { return fd_; }
  // Whether the bytes written so far arrived.
  bool Close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || close(fd) == 0;
  }

 private:
  int fd_;
};

bool WriteAll(int fd, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = write(fd, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

// The whole file; false with errno when it cannot be read.
bool ReadAll(int fd, std::string* data) {
  struct stat info = {};
  if (fstat(fd, &info) != 0) return false;
  data->resize(static_cast<size_t>(info.st_size));
  size_t done = 0;
  while (done < data->size()) {
    const ssize_t got = read(fd, data->data() + done, data->size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  data->resize(done);
  return true;
}

std::string PathOf(const std::string& folder, const std::string& model_token,
                   uint64_t fingerprint) {
  const bool has_slash = !folder.empty() && folder.back() == '/';
  return folder + (has_slash ? "" : "/") + model_token + "_" + std::to_string(fingerprint) + ".bin";
}

#endif

}  // namespace

std::string StrFingerprint(const void* data, size_t num_bytes) {
  return std::to_string(tern::HashBytes(data, num_bytes));
}

SerializationEntry::SerializationEntry(const std::string& cache_dir, const std::string& model_token,
                                       uint64_t fingerprint)
    : cache_dir_(cache_dir), model_token_(model_token), fingerprint_(fingerprint) {}

#if TERN_HAS_POSIX_FILES

TfLiteStatus SerializationEntry::SetData(TfLiteContext* context, const char* data,
                                         size_t size) const {
  if (cache_dir_.empty() || (data == nullptr && size > 0)) {
    TF_LITE_MAYBE_KERNEL_LOG(context, "Serialized data needs a folder and bytes.");
    return kTfLiteDelegateDataWriteError;
  }
  const std::string path = PathOf(cache_dir_, model_token_, fingerprint_);
  std::string temporary = path + ".XXXXXX";
  const auto fail = [&](const char* format, const char* what) {
    TF_LITE_MAYBE_KERNEL_LOG(context, format, what, std::strerror(errno));
    return kTfLiteDelegateDataWriteError;
  };
  File file(mkstemp(temporary.data()));  // for the owner only
  if (file.fd() < 0) return fail("Failed to open for writing: %s (%s)", temporary.c_str());
  const auto fail_and_remove = [&](const char* format) {
    const TfLiteStatus status = fail(format, temporary.c_str());
    unlink(temporary.c_str());
    return status;
  };
  if (!WriteAll(file.fd(), data, size)) {
    return fail_and_remove("Failed to write data to: %s, error: %s");
  }
  if (fsync(file.fd()) != 0) return fail_and_remove("Could not fsync: %s, error: %s");
  if (!file.Close()) return fail_and_remove("Could not close fd: %s, error: %s");
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    return fail_and_remove("Failed to rename to final place: %s, error: %s");
  }
  TFLITE_LOG(TFLITE_LOG_INFO, "Wrote serialized data for model %s (%zu B) to %s",
             model_token_.c_str(), size, path.c_str());
  return kTfLiteOk;
}

TfLiteStatus SerializationEntry::GetData(TfLiteContext* context, std::string* data) const {
  if (data == nullptr) return kTfLiteError;
  data->clear();
  if (cache_dir_.empty()) {
    TF_LITE_MAYBE_KERNEL_LOG(context, "There is no folder for serialized data.");
    return kTfLiteDelegateDataNotFound;
  }
  const std::string path = PathOf(cache_dir_, model_token_, fingerprint_);
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0) {
    TF_LITE_MAYBE_KERNEL_LOG(context, "File %s couldn't be opened for reading: %s", path.c_str(),
                             std::strerror(errno));
    return kTfLiteDelegateDataNotFound;
  }
  if (flock(file.fd(), LOCK_SH) != 0) {
    TF_LITE_MAYBE_KERNEL_LOG(context, "Could not flock %s: %s", path.c_str(), std::strerror(errno));
    return kTfLiteDelegateDataReadError;
  }
  if (!ReadAll(file.fd(), data)) {
    TF_LITE_MAYBE_KERNEL_LOG(context, "Error reading %s: %s", path.c_str(), std::strerror(errno));
    data->clear();
    return kTfLiteDelegateDataReadError;
  }
  if (data->empty()) {
    TF_LITE_MAYBE_KERNEL_LOG(context, "No serialized data found: %s", path.c_str());
    return kTfLiteDelegateDataNotFound;
  }
  TFLITE_LOG_PROD(TFLITE_LOG_INFO, "Found serialized data for model %s (%zu B) at %s",
                  model_token_.c_str(), data->size(), path.c_str());
  return kTfLiteOk;
}

#else

TfLiteStatus SerializationEntry::SetData(TfLiteContext* context, const char*, size_t) const {
  TF_LITE_MAYBE_KERNEL_LOG(context, "This system has no files for serialized data.");
  return kTfLiteDelegateDataWriteError;
}

TfLiteStatus SerializationEntry::GetData(TfLiteContext* context, std::string*) const {
  TF_LITE_MAYBE_KERNEL_LOG(context, "This system has no files for serialized data.");
  return kTfLiteDelegateDataNotFound;
}

#endif

Serialization::Serialization(const SerializationParams& params)
    : model_token_(TextOrEmpty(params.model_token)), cache_dir_(TextOrEmpty(params.cache_dir)) {}

uint64_t Serialization::GetFingerprint(const std::string& model_token,
                                       const std::string& custom_key, TfLiteContext* context,
                                       const TfLiteDelegateParams* delegate_params) {
  uint64_t hash = tern::CombineHash(tern::HashText(model_token), tern::HashText(custom_key));
  if (context == nullptr) return hash;
  std::vector<int32_t> sizes = {static_cast<int32_t>(context->tensors_size)};
  for (size_t i = 0; i < std::min(kTensorsInFingerprint, context->tensors_size); ++i) {
    sizes.push_back(static_cast<int32_t>(context->tensors[i].bytes));
  }
  hash = tern::CombineHash(hash, HashSizes(sizes));
  if (delegate_params == nullptr) return hash;
  sizes.clear();
  if (const TfLiteIntArray* nodes = delegate_params->nodes_to_replace; nodes != nullptr) {
    sizes.assign(nodes->data, nodes->data + nodes->size);
  }
  AppendBytes(*context, delegate_params->input_tensors, &sizes);
  AppendBytes(*context, delegate_params->output_tensors, &sizes);
  return tern::CombineHash(hash, HashSizes(sizes));
}

SerializationEntry Serialization::GetEntryForKernel(const std::string& custom_key,
                                                    TfLiteContext* context,
                                                    const TfLiteDelegateParams* delegate_params) {
  return SerializationEntry(cache_dir_, model_token_,
                            GetFingerprint(model_token_, custom_key, context, delegate_params));
}

SerializationEntry Serialization::GetEntryForDelegate(const std::string& custom_key,
                                                      TfLiteContext* context) {
  return GetEntryForKernel(custom_key, context, nullptr);
}

// ---- Chosen nodes: their count, then their ids, as int32.

TfLiteStatus SaveDelegatedNodes(TfLiteContext* context, Serialization* serialization,
                                const std::string& delegate_id, const TfLiteIntArray* node_ids) {
  if (serialization == nullptr || node_ids == nullptr) return kTfLiteError;
  std::vector<int32_t> words = {node_ids->size};
  words.insert(words.end(), node_ids->data, node_ids->data + node_ids->size);
  return serialization->GetEntryForDelegate(delegate_id + "_dnodes", context)
      .SetData(context, reinterpret_cast<const char*>(words.data()),
               words.size() * sizeof(int32_t));
}

TfLiteStatus GetDelegatedNodes(TfLiteContext* context, Serialization* serialization,
                               const std::string& delegate_id, TfLiteIntArray** node_ids) {
  if (serialization == nullptr || node_ids == nullptr) return kTfLiteError;
  *node_ids = nullptr;
  std::string data;
  TF_LITE_ENSURE_STATUS(
      serialization->GetEntryForDelegate(delegate_id + "_dnodes", context).GetData(context, &data));
  std::vector<int32_t> words(data.size() / sizeof(int32_t));
  if (!words.empty()) std::memcpy(words.data(), data.data(), words.size() * sizeof(int32_t));
  const bool whole = data.size() % sizeof(int32_t) == 0 && !words.empty() && words[0] >= 0 &&
                     static_cast<size_t>(words[0]) == words.size() - 1;
  if (!whole) {
    TF_LITE_MAYBE_KERNEL_LOG(context, "The saved list of delegated nodes is damaged.");
    return kTfLiteDelegateDataReadError;
  }
  *node_ids = TfLiteIntArrayCreate(words[0]);
  if (*node_ids == nullptr) return kTfLiteError;
  std::copy(words.begin() + 1, words.end(), (*node_ids)->data);
  return kTfLiteOk;
}

}  // namespace delegates
}  // namespace tflite
