// SPDX-License-Identifier: Apache-2.0
// FlatBufferModel: bytes in, checked model out.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "base/mapped_file.h"
#include "model/metadata.h"
#include "model/tensor_data.h"
#include "model/verify_model.h"
#include "tensorflow/lite/core/model_builder.h"

namespace tflite {
namespace {

constexpr size_t kAlignment = 8;

ErrorReporter* OrDefault(ErrorReporter* reporter) {
  return reporter != nullptr ? reporter : DefaultErrorReporter();
}

std::span<const uint8_t> BytesOf(const Allocation& allocation) {
  return {static_cast<const uint8_t*>(allocation.base()), allocation.bytes()};
}

// An aligned copy of bytes that cannot be read in place.
class AlignedCopy : public Allocation {
 public:
  AlignedCopy(std::span<const uint8_t> from, ErrorReporter* reporter)
      : Allocation(reporter, Type::kMemory), bytes_(from.size()) {
    const size_t words = (from.size() + tern::MappedFile::kSlack) / sizeof(uint64_t) + 1;
    buffer_.reset(new (std::nothrow) uint64_t[words]());
    if (buffer_ != nullptr) std::memcpy(buffer_.get(), from.data(), from.size());
  }
  const void* base() const override { return buffer_.get(); }
  size_t bytes() const override { return bytes_; }
  bool valid() const override { return buffer_ != nullptr; }

 private:
  std::unique_ptr<uint64_t[]> buffer_;
  size_t bytes_;
};

bool RunExtraVerifier(TfLiteVerifier* verifier, std::span<const uint8_t> bytes,
                      ErrorReporter* reporter) {
  if (verifier == nullptr) return true;
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) {
    reporter->Report("The model is too large for an extra verifier (%zu bytes).", bytes.size());
    return false;
  }
  return verifier->Verify(reinterpret_cast<const char*>(bytes.data()),
                          static_cast<int>(bytes.size()), reporter);
}

}  // namespace

FlatBufferModel::FlatBufferModel(const Model* model, std::unique_ptr<Allocation> allocation,
                                 ErrorReporter* error_reporter)
    : model_(model), allocation_(std::move(allocation)), error_reporter_(error_reporter) {}

FlatBufferModel::~FlatBufferModel() = default;

std::unique_ptr<FlatBufferModel> FlatBufferModel::BuildFromFile(const char* filename,
                                                                ErrorReporter* error_reporter) {
  return VerifyAndBuildFromFile(filename, nullptr, error_reporter);
}

std::unique_ptr<FlatBufferModel> FlatBufferModel::VerifyAndBuildFromFile(
    const char* filename, TfLiteVerifier* extra_verifier, ErrorReporter* error_reporter) {
  error_reporter = OrDefault(error_reporter);
  std::unique_ptr<Allocation> allocation = GetAllocationFromFile(filename, error_reporter);
  if (!allocation->valid()) return nullptr;
  return VerifyAndBuildFromAllocation(std::move(allocation), extra_verifier, error_reporter);
}

std::unique_ptr<FlatBufferModel> FlatBufferModel::BuildFromFileDescriptor(
    int fd, ErrorReporter* error_reporter) {
  return VerifyAndBuildFromFileDescriptor(fd, nullptr, error_reporter);
}

std::unique_ptr<FlatBufferModel> FlatBufferModel::VerifyAndBuildFromFileDescriptor(
    int fd, TfLiteVerifier* extra_verifier, ErrorReporter* error_reporter) {
  error_reporter = OrDefault(error_reporter);
  std::unique_ptr<Allocation> allocation = GetAllocationFromFile(fd, error_reporter);
  if (!allocation->valid()) return nullptr;
  return VerifyAndBuildFromAllocation(std::move(allocation), extra_verifier, error_reporter);
}

std::unique_ptr<FlatBufferModel> FlatBufferModel::BuildFromBuffer(const char* caller_owned_buffer,
                                                                  size_t buffer_size,
                                                                  ErrorReporter* error_reporter) {
  return VerifyAndBuildFromBuffer(caller_owned_buffer, buffer_size, nullptr, error_reporter);
}

std::unique_ptr<FlatBufferModel> FlatBufferModel::VerifyAndBuildFromBuffer(
    const char* caller_owned_buffer, size_t buffer_size, TfLiteVerifier* extra_verifier,
    ErrorReporter* error_reporter) {
  error_reporter = OrDefault(error_reporter);
  return VerifyAndBuildFromAllocation(
      std::make_unique<MemoryAllocation>(caller_owned_buffer, buffer_size, error_reporter),
      extra_verifier, error_reporter);
}

std::unique_ptr<FlatBufferModel> FlatBufferModel::BuildFromAllocation(
    std::unique_ptr<Allocation> allocation, ErrorReporter* error_reporter) {
  return VerifyAndBuildFromAllocation(std::move(allocation), nullptr, error_reporter);
}

std::unique_ptr<FlatBufferModel> FlatBufferModel::VerifyAndBuildFromAllocation(
    std::unique_ptr<Allocation> allocation, TfLiteVerifier* extra_verifier,
    ErrorReporter* error_reporter) {
  error_reporter = OrDefault(error_reporter);
  if (allocation == nullptr || !allocation->valid() || allocation->bytes() == 0) {
    error_reporter->Report("The model allocation is null/empty");
    return nullptr;
  }
  if (reinterpret_cast<uintptr_t>(allocation->base()) % kAlignment != 0) {
    allocation = std::make_unique<AlignedCopy>(BytesOf(*allocation), error_reporter);
    if (!allocation->valid()) {
      error_reporter->Report("No memory for an aligned copy of the model.");
      return nullptr;
    }
  }
  const tern::Status status = tern::VerifyContainer(BytesOf(*allocation));
  if (!status.ok()) {
    error_reporter->Report("%s", std::string(tern::Message(status)).c_str());
    return nullptr;
  }
  if (!RunExtraVerifier(extra_verifier, BytesOf(*allocation), error_reporter)) return nullptr;
  const Model* model = ::tflite::GetModel(allocation->base());
  std::unique_ptr<FlatBufferModel> result(
      new FlatBufferModel(model, std::move(allocation), error_reporter));
  result->ValidateModelBuffers(error_reporter);
  return result;
}

std::unique_ptr<FlatBufferModel> FlatBufferModel::BuildFromModel(
    const Model* caller_owned_model_spec, ErrorReporter* error_reporter) {
  error_reporter = OrDefault(error_reporter);
  if (caller_owned_model_spec == nullptr) {
    error_reporter->Report("The model is null.");
    return nullptr;
  }
  if (!tern::FindMetadata(*caller_owned_model_spec, tern::kBufferLocationKey).empty()) {
    error_reporter->Report(
        "The model keeps data outside its flatbuffer: build it from the file's bytes.");
    return nullptr;
  }
  std::unique_ptr<FlatBufferModel> result(
      new FlatBufferModel(caller_owned_model_spec, nullptr, error_reporter));
  result->ValidateModelBuffers(error_reporter);
  return result;
}

std::string FlatBufferModel::GetMinimumRuntime() const {
  return model_ != nullptr ? tern::MinRuntimeVersion(*model_) : std::string();
}

std::map<std::string, std::string> FlatBufferModel::ReadAllMetadata() const {
  return ReadAllMetadata(model_);
}

std::map<std::string, std::string> FlatBufferModel::ReadAllMetadata(const Model* model) {
  if (model == nullptr) return {};
  return tern::ReadAllMetadata(*model);
}

bool FlatBufferModel::CheckBufferOutsideModel(const tflite::Model* model) {
  if (model == nullptr) return false;
  if (model->external_buffers() != nullptr && model->external_buffers()->size() > 0) return true;
  if (model->buffers() == nullptr) return false;
  return std::any_of(model->buffers()->begin(), model->buffers()->end(),
                     [](const tflite::Buffer* buffer) {
                       return buffer->data() == nullptr && buffer->offset() > tern::kUnsetOffset;
                     });
}

bool FlatBufferModel::CheckModelIdentifier() const {
  if (allocation_ == nullptr) return model_ != nullptr;
  return allocation_->bytes() >= 8 && ModelBufferHasIdentifier(allocation_->base());
}

void FlatBufferModel::ValidateModelBuffers(ErrorReporter* error_reporter) {
  const auto* buffers = model_ != nullptr ? model_->buffers() : nullptr;
  if (buffers == nullptr || buffers->size() == 0) return;
  const auto* data = buffers->Get(0)->data();
  if (data != nullptr && data->size() != 0) {
    OrDefault(error_reporter)->Report("The 0th entry of the model buffer must be an empty buffer.");
  }
}

}  // namespace tflite
