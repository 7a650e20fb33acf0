// SPDX-License-Identifier: Apache-2.0
//
// Runs one signature of a model; inputs and outputs are found by name.
#ifndef TERN_TENSORFLOW_LITE_CORE_SIGNATURE_RUNNER_H_
#define TERN_TENSORFLOW_LITE_CORE_SIGNATURE_RUNNER_H_

#include <stddef.h>
#include <stdint.h>

#include <string>
#include <vector>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/internal/signature_def.h"

namespace tflite {

class Interpreter;

// Owned by the interpreter that gave it out; not thread-safe except Cancel. Unknown names are
// reported and give null or kTfLiteError.
class SignatureRunner {
 public:
  const std::string& signature_key() const { return signature_def_->signature_key; }
  size_t input_size() const { return input_names_.size(); }
  size_t output_size() const { return output_names_.size(); }

  // Sorted by name.
  const std::vector<const char*>& input_names() const { return input_names_; }
  const std::vector<const char*>& output_names() const { return output_names_; }
  // In the order of the subgraph's inputs and outputs.
  const std::vector<const char*>& subgraph_input_names() const { return subgraph_input_names_; }
  const std::vector<const char*>& subgraph_output_names() const { return subgraph_output_names_; }

  // Valid until the next allocation, resize or delegation.
  TfLiteTensor* input_tensor(const char* input_name);
  const TfLiteTensor* output_tensor(const char* output_name) const;

  TfLiteStatus ResizeInputTensor(const char* input_name, const std::vector<int>& new_size);
  TfLiteStatus ResizeInputTensorStrict(const char* input_name, const std::vector<int>& new_size);
  TfLiteStatus AllocateTensors() { return subgraph_->AllocateTensors(); }
  TfLiteStatus Invoke();
  // May be called from another thread; needs Interpreter::EnableCancellation.
  TfLiteStatus Cancel();

  // The memory must outlive the runner; AllocateTensors is needed afterwards.
  TfLiteStatus SetCustomAllocationForInputTensor(const char* input_name,
                                                 const TfLiteCustomAllocation& allocation,
                                                 int64_t flags = kTfLiteCustomAllocationFlagsNone);
  TfLiteStatus SetCustomAllocationForOutputTensor(const char* output_name,
                                                  const TfLiteCustomAllocation& allocation,
                                                  int64_t flags = kTfLiteCustomAllocationFlagsNone);
  // Inputs and outputs get memory of the runtime again.
  TfLiteStatus ClearCustomAllocations();

  // Whether outputs may stay in buffers of a delegate after Invoke.
  void SetAllowBufferHandleOutput(bool allow_buffer_handle_output) {
    allow_buffer_handle_output_ = allow_buffer_handle_output;
  }
  TfLiteStatus SetInputBufferHandle(const char* input_name, TfLiteBufferHandle buffer_handle,
                                    TfLiteDelegate* delegate,
                                    bool release_existing_buffer_handle = true);
  TfLiteStatus SetOutputBufferHandle(const char* output_name, TfLiteBufferHandle buffer_handle,
                                     TfLiteDelegate* delegate,
                                     bool release_existing_buffer_handle = true);

 private:
  friend class Interpreter;

  SignatureRunner(const internal::SignatureDef* signature_def, Subgraph* subgraph,
                  Interpreter* interpreter);

  // Tensor index, or -1 with a report.
  int FindInput(const char* name) const;
  int FindOutput(const char* name) const;

  const internal::SignatureDef* signature_def_;
  Subgraph* subgraph_;
  Interpreter* interpreter_;
  std::vector<const char*> input_names_;
  std::vector<const char*> output_names_;
  std::vector<const char*> subgraph_input_names_;
  std::vector<const char*> subgraph_output_names_;
  bool allow_buffer_handle_output_ = false;
};

namespace impl {
using SignatureRunner = ::tflite::SignatureRunner;
}  // namespace impl

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_SIGNATURE_RUNNER_H_
