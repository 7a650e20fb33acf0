// SPDX-License-Identifier: Apache-2.0
// FlatBufferModel: a .tflite model, checked and ready for any number of interpreters.
#ifndef TERN_TENSORFLOW_LITE_CORE_MODEL_BUILDER_H_
#define TERN_TENSORFLOW_LITE_CORE_MODEL_BUILDER_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/api/verifier.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tensorflow/lite/stderr_reporter.h"

namespace tflite {

// A model in memory, read-only once built: interpreters on several threads may share it. It must
// outlive them.
//
// All builders return null on failure and tell one reason through the error reporter (null: the
// default reporter), which must outlive the model. Every builder checks the whole model; the
// VerifyAndBuild forms run the application's `extra_verifier` as well.
class FlatBufferModel {
 public:
  using Ptr = std::unique_ptr<FlatBufferModel>;

  static std::unique_ptr<FlatBufferModel> BuildFromFile(
      const char* filename, ErrorReporter* error_reporter = DefaultErrorReporter());
  static std::unique_ptr<FlatBufferModel> VerifyAndBuildFromFile(
      const char* filename, TfLiteVerifier* extra_verifier = nullptr,
      ErrorReporter* error_reporter = DefaultErrorReporter());

  // The descriptor is duplicated; the caller still closes its own.
  static std::unique_ptr<FlatBufferModel> BuildFromFileDescriptor(
      int fd, ErrorReporter* error_reporter = DefaultErrorReporter());
  static std::unique_ptr<FlatBufferModel> VerifyAndBuildFromFileDescriptor(
      int fd, TfLiteVerifier* extra_verifier = nullptr,
      ErrorReporter* error_reporter = DefaultErrorReporter());

  // The caller keeps the buffer alive and unchanged until the model and all its interpreters are
  // gone. A buffer whose address is no multiple of 8 is copied once.
  static std::unique_ptr<FlatBufferModel> BuildFromBuffer(
      const char* caller_owned_buffer, size_t buffer_size,
      ErrorReporter* error_reporter = DefaultErrorReporter());
  static std::unique_ptr<FlatBufferModel> VerifyAndBuildFromBuffer(
      const char* caller_owned_buffer, size_t buffer_size, TfLiteVerifier* extra_verifier = nullptr,
      ErrorReporter* error_reporter = DefaultErrorReporter());

  static std::unique_ptr<FlatBufferModel> BuildFromAllocation(
      std::unique_ptr<Allocation> allocation,
      ErrorReporter* error_reporter = DefaultErrorReporter());
  static std::unique_ptr<FlatBufferModel> VerifyAndBuildFromAllocation(
      std::unique_ptr<Allocation> allocation, TfLiteVerifier* extra_verifier = nullptr,
      ErrorReporter* error_reporter = DefaultErrorReporter());

  // From a model table that the caller owns and vouches for: its extent in memory is unknown, so
  // only what the tables say is checked. Refuses models with data outside the flatbuffer.
  static std::unique_ptr<FlatBufferModel> BuildFromModel(
      const tflite::Model* caller_owned_model_spec,
      ErrorReporter* error_reporter = DefaultErrorReporter());

  FlatBufferModel(const FlatBufferModel&) = delete;
  FlatBufferModel& operator=(const FlatBufferModel&) = delete;
  ~FlatBufferModel();

  bool initialized() const { return model_ != nullptr; }
  const tflite::Model* operator->() const { return model_; }
  const tflite::Model* GetModel() const { return model_; }
  ErrorReporter* error_reporter() const { return error_reporter_; }
  // Null for BuildFromModel.
  const Allocation* allocation() const { return allocation_.get(); }

  // The lowest runtime version that the model's writer asks for; empty when it does not say.
  std::string GetMinimumRuntime() const;
  // Metadata name -> payload.
  std::map<std::string, std::string> ReadAllMetadata() const;
  static std::map<std::string, std::string> ReadAllMetadata(const tflite::Model* model);

  // Whether a model has constants that do not lie in its flatbuffer, but behind it in the file or
  // in another file.
  static bool CheckBufferOutsideModel(const tflite::Model* model);
  // Whether the bytes carry the file identifier of the format.
  bool CheckModelIdentifier() const;
  // Reports a non-empty buffer 0, which well-formed models do not have. Nothing fails.
  void ValidateModelBuffers(ErrorReporter* error_reporter);

  static ErrorReporter* GetDefaultErrorReporter() { return DefaultErrorReporter(); }

 private:
  FlatBufferModel(const tflite::Model* model, std::unique_ptr<Allocation> allocation,
                  ErrorReporter* error_reporter);

  const tflite::Model* model_;
  std::unique_ptr<Allocation> allocation_;
  ErrorReporter* error_reporter_;
};

namespace impl {
using FlatBufferModel = ::tflite::FlatBufferModel;
// Where the builders above are looked up by the model's class.
template <class Model>
using FlatBufferModelBase = Model;
}  // namespace impl

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_MODEL_BUILDER_H_
