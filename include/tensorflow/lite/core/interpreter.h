// SPDX-License-Identifier: Apache-2.0
//
// The interpreter: runs a model. Built by InterpreterBuilder, or by hand from tensors and nodes.
#ifndef TERN_TENSORFLOW_LITE_CORE_INTERPRETER_H_
#define TERN_TENSORFLOW_LITE_CORE_INTERPRETER_H_

#include <stddef.h>
#include <stdint.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/api/op_resolver.h"
#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/core/async/async_signature_runner.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/signature_runner.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/internal/signature_def.h"
#include "tensorflow/lite/interpreter_options.h"
#include "tensorflow/lite/portable_type_to_tflitetype.h"
#include "tensorflow/lite/stderr_reporter.h"
#include "tensorflow/lite/string_type.h"
#include "tensorflow/lite/type_to_tflitetype.h"

namespace tflite {

class ExternalCpuBackendContext;
class InterpreterTest;
class SingleOpModel;
namespace delegates {
class InterpreterUtils;
namespace test_utils {
class TestDelegation;
}  // namespace test_utils
}  // namespace delegates
namespace interpreter_wrapper {
class InterpreterWrapper;
}  // namespace interpreter_wrapper
namespace profiling {
class RootProfiler;
}  // namespace profiling
namespace model_builder {
class ModelBuilder;
}  // namespace model_builder

// One thread at a time may use an interpreter; only Cancel may come from another. Tensor pointers
// and their data are valid until the next allocation, resize, delegation or change of options.
// Every index is checked: a bad one gives null or kTfLiteError.
class Interpreter {
 public:
  using Ptr = std::unique_ptr<Interpreter>;
  using TfLiteDelegatePtr = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;

  // An interpreter with one empty graph. The reporter must outlive it; null: the default one.
  explicit Interpreter(ErrorReporter* error_reporter = DefaultErrorReporter());
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // ---- Building the primary graph by hand.
  TfLiteStatus SetInputs(std::vector<int> inputs);
  TfLiteStatus SetOutputs(std::vector<int> outputs);
  TfLiteStatus SetVariables(std::vector<int> variables);
  TfLiteStatus AddTensors(int tensors_to_add, int* first_new_tensor_index = nullptr);
  // Takes ownership of `builtin_data`, which comes from malloc.
  TfLiteStatus AddNodeWithParameters(const std::vector<int>& inputs,
                                     const std::vector<int>& outputs, const char* init_data,
                                     size_t init_data_size, void* builtin_data,
                                     const TfLiteRegistration* registration,
                                     int* node_index = nullptr);

  // Constants; `buffer` must outlive the interpreter.
  TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                           const std::vector<int>& dims,
                                           TfLiteQuantization quantization, const char* buffer,
                                           size_t bytes, const Allocation* allocation = nullptr);
  TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                           const std::vector<int>& dims,
                                           TfLiteQuantizationParams quantization,
                                           const char* buffer, size_t bytes,
                                           const Allocation* allocation = nullptr) {
    return SetTensorParametersReadOnly(tensor_index, type, name, dims.size(), dims.data(),
                                       quantization, buffer, bytes, allocation);
  }
  TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                           size_t rank, const int* dims,
                                           TfLiteQuantizationParams quantization,
                                           const char* buffer, size_t bytes,
                                           const Allocation* allocation = nullptr);

  // Tensors that the interpreter allocates.
  TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                            const std::vector<int>& dims,
                                            TfLiteQuantization quantization,
                                            bool is_variable = false);
  TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                            const std::vector<int>& dims,
                                            TfLiteQuantizationParams quantization,
                                            bool is_variable = false,
                                            const std::vector<int>* dims_signature = nullptr) {
    return SetTensorParametersReadWrite(
        tensor_index, type, name, dims.size(), dims.data(), quantization, is_variable,
        dims_signature != nullptr ? dims_signature->size() : 0,
        dims_signature != nullptr ? dims_signature->data() : nullptr);
  }
  TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                            size_t rank, const int* dims,
                                            TfLiteQuantizationParams quantization,
                                            bool is_variable = false, size_t rank_signature = 0,
                                            const int* dims_signature = nullptr);

  // ---- Inspection. Tensor and node indices refer to the primary graph.
  const std::vector<int>& inputs() const { return primary_subgraph().inputs(); }
  const std::vector<int>& outputs() const { return primary_subgraph().outputs(); }
  const std::vector<int>& variables() const { return primary_subgraph().variables(); }
  // Null for a bad position.
  const char* GetInputName(int index) const;
  const char* GetOutputName(int index) const;
  size_t tensors_size() const { return primary_subgraph().tensors_size(); }
  size_t nodes_size() const { return primary_subgraph().nodes_size(); }
  const std::vector<int>& execution_plan() const { return primary_subgraph().execution_plan(); }
  TfLiteTensor* tensor(int tensor_index) { return primary_subgraph().tensor(tensor_index); }
  const TfLiteTensor* tensor(int tensor_index) const {
    return primary_subgraph().tensor(tensor_index);
  }
  const std::pair<TfLiteNode, TfLiteRegistration>* node_and_registration(int node_index) const {
    return primary_subgraph().node_and_registration(node_index);
  }
  const std::pair<TfLiteNode, TfLiteRegistration>* node_and_registration(int subgraph_index,
                                                                         int node_index) const;
  TfLiteTensor* input_tensor(size_t index) { return PositionalTensor(inputs(), index); }
  const TfLiteTensor* input_tensor(size_t index) const { return PositionalTensor(inputs(), index); }
  TfLiteTensor* output_tensor(size_t index) { return PositionalTensor(outputs(), index); }
  const TfLiteTensor* output_tensor(size_t index) const {
    return PositionalTensor(outputs(), index);
  }

  // The data of a tensor, by tensor index or by position; null if its element type is not T.
  template <class T>
  T* typed_tensor(int tensor_index) {
    return DataOf<T>(tensor(tensor_index));
  }
  template <class T>
  const T* typed_tensor(int tensor_index) const {
    return DataOf<T>(tensor(tensor_index));
  }
  template <class T>
  T* typed_input_tensor(int index) {
    return DataOf<T>(PositionalTensor(inputs(), static_cast<size_t>(index)));
  }
  template <class T>
  const T* typed_input_tensor(int index) const {
    return DataOf<T>(PositionalTensor(inputs(), static_cast<size_t>(index)));
  }
  template <class T>
  T* typed_output_tensor(int index) {
    return DataOf<T>(PositionalTensor(outputs(), static_cast<size_t>(index)));
  }
  template <class T>
  const T* typed_output_tensor(int index) const {
    return DataOf<T>(PositionalTensor(outputs(), static_cast<size_t>(index)));
  }

  size_t subgraphs_size() const { return subgraphs_.size(); }
  Subgraph* subgraph(int subgraph_index);
  const Subgraph* subgraph(int subgraph_index) const;
  Subgraph& primary_subgraph() { return *subgraphs_.front(); }
  const Subgraph& primary_subgraph() const { return *subgraphs_.front(); }
  ErrorReporter* error_reporter() const { return error_reporter_; }

  // Capacity rule of the tensor array: adding up to the headroom in one kernel call moves nothing.
  static const int& kTensorsReservedCapacity;
  static const int& kTensorsCapacityHeadroom;

  // ---- Signatures.
  std::vector<const std::string*> signature_keys() const;
  std::vector<const std::string*> signature_def_names() const { return signature_keys(); }
  // Tensor index by name; empty for an unknown key.
  const std::map<std::string, uint32_t>& signature_inputs(const char* signature_key) const;
  const std::map<std::string, uint32_t>& signature_outputs(const char* signature_key) const;
  TfLiteTensor* input_tensor_by_signature(const char* signature_input_name,
                                          const char* signature_key);
  const TfLiteTensor* output_tensor_by_signature(const char* signature_output_name,
                                                 const char* signature_key) const;
  int GetSubgraphIndexFromSignature(const char* signature_key) const;  // -1 if unknown
  // A runner owned by the interpreter, always the same per key; null for an unknown key. A null
  // key means the primary graph: its first signature or, in a model without signatures, tensor
  // names as they are.
  SignatureRunner* GetSignatureRunner(const char* signature_key);
  // A runner for the asynchronous kernel of the delegate that took the signature's graph. Apply the
  // delegate first: each call looks for a kernel as long as there is none.
  async::AsyncSignatureRunner* GetAsyncSignatureRunner(const char* signature_key);

  // ---- Running.
  TfLiteStatus AllocateTensors();
  // By tensor index (not position). AllocateTensors is needed afterwards if the shape changed.
  TfLiteStatus ResizeInputTensor(int tensor_index, const std::vector<int>& dims);
  // Only dimensions that the model leaves open (-1 in dims_signature) may change.
  TfLiteStatus ResizeInputTensorStrict(int tensor_index, const std::vector<int>& dims);
  TfLiteStatus Invoke();
  // AllocateTensors is needed before the next Invoke.
  TfLiteStatus ReleaseNonPersistentMemory();
  TfLiteStatus ResetVariableTensors();
  // -1: the runtime decides; 0 counts as 1.
  TfLiteStatus SetNumThreads(int num_threads);
  void SetAllowFp16PrecisionForFp32(bool allow);
  bool GetAllowFp16PrecisionForFp32() const;
  // `check_cancelled_func` is polled before every node; true ends Invoke with kTfLiteError.
  void SetCancellationFunction(void* data, bool (*check_cancelled_func)(void*));
  // Needed once before Cancel can be used.
  TfLiteStatus EnableCancellation();
  // Ends a running Invoke with kTfLiteCancelled. Thread-safe.
  TfLiteStatus Cancel();

  // ---- Delegates. A delegate must stay alive while the interpreter is invoked; deleting it before
  // the interpreter is fine.
  TfLiteStatus ModifyGraphWithDelegate(TfLiteDelegate* delegate);
  TfLiteStatus ModifyGraphWithDelegate(TfLiteOpaqueDelegateStruct* delegate);
  // Only the given subgraphs.
  TfLiteStatus ModifyGraphWithDelegate(TfLiteDelegate* delegate,
                                       const std::vector<int>& active_subgraph_indices);
  TfLiteStatus ModifyGraphWithDelegate(TfLiteOpaqueDelegateStruct* delegate,
                                       const std::vector<int>& active_subgraph_indices);
  // Takes ownership, also when it fails.
  template <typename Delegate, typename Deleter>
  TfLiteStatus ModifyGraphWithDelegate(std::unique_ptr<Delegate, Deleter> delegate) {
    Delegate* raw = delegate.get();
    owned_delegates_.push_back(std::shared_ptr<void>(std::move(delegate)));
    return ModifyGraphWithDelegate(raw);
  }
  TfLiteStatus ModifyGraphWithDelegate(std::unique_ptr<TfLiteDelegate> delegate) = delete;

  // Copies the tensor's data out of a delegate's buffer if only that is up to date.
  TfLiteStatus EnsureTensorDataIsReadable(int tensor_index);
  TfLiteStatus SetBufferHandle(int tensor_index, TfLiteBufferHandle buffer_handle,
                               TfLiteDelegate* delegate);
  TfLiteStatus SetBufferHandle(TfLiteTensor* tensor, TfLiteBufferHandle buffer_handle,
                               TfLiteDelegate* delegate);
  TfLiteStatus GetBufferHandle(int tensor_index, TfLiteBufferHandle* buffer_handle,
                               TfLiteDelegate** delegate);
  // Whether outputs may stay in buffers of a delegate after Invoke; false by default.
  void SetAllowBufferHandleOutput(bool allow_buffer_handle_output) {
    allow_buffer_handle_output_ = allow_buffer_handle_output;
  }

  // ---- Memory and options.
  // The memory must outlive the interpreter; AllocateTensors is needed afterwards.
  TfLiteStatus SetCustomAllocationForTensor(int tensor_index,
                                            const TfLiteCustomAllocation& allocation,
                                            int64_t flags = kTfLiteCustomAllocationFlagsNone);
  // Before the first allocation; must outlive the interpreter. Serves tensors whose size follows
  // from type and shape: ops make the blocks of strings, resources and variants with malloc.
  TfLiteStatus SetAllocator(TfLiteAllocator* allocator);
  TfLiteStatus ApplyOptions(InterpreterOptions* options);
  // Not owned; must outlive the interpreter, which clears the caches of a CPU backend's context
  // when it ends. Without one the interpreter has a CPU backend's context of its own.
  void SetExternalContext(TfLiteExternalContextType type, TfLiteExternalContext* context);

  // ---- Profiling. Set replaces all profilers, Add adds one; null is ignored by Add.
  void SetProfiler(Profiler* profiler);
  void SetProfiler(std::unique_ptr<Profiler> profiler);
  void AddProfiler(Profiler* profiler);
  void AddProfiler(std::unique_ptr<Profiler> profiler);
  // Receives what all profilers receive; null if there is none.
  Profiler* GetProfiler();
  const char* OpProfilingString(const TfLiteRegistration& op_reg, const TfLiteNode* node) const {
    return primary_subgraph().OpProfilingString(op_reg, node);
  }

  // ---- For the library's own parts and for tests.
  using TfLiteDelegateCreators = OpResolver::TfLiteDelegateCreators;
  void AddSubgraphs(int subgraphs_to_add, int* first_new_subgraph_index = nullptr);
  // A graph that is ready to run stays so; tensor data may move.
  TfLiteStatus SetExecutionPlan(const std::vector<int>& new_plan);
  TfLiteStatus RemoveAllDelegates();
  bool HasDelegates();
  bool IsFullyDelegated() const;
  TfLiteStatus SetMetadata(const std::map<std::string, std::string>& metadata);
  void SetSignatureDef(std::vector<internal::SignatureDef> signature_defs);
  static void SetExternalContext(TfLiteContext* context, TfLiteExternalContextType type,
                                 TfLiteExternalContext* external_context);

 private:
  friend class InterpreterBuilder;
  friend class InterpreterTest;
  friend class SignatureRunner;
  friend class SingleOpModel;
  friend class delegates::InterpreterUtils;
  friend class delegates::test_utils::TestDelegation;
  friend class interpreter_wrapper::InterpreterWrapper;
  friend class model_builder::ModelBuilder;

  TfLiteTensor* PositionalTensor(const std::vector<int>& indices, size_t position) const;

  template <class T, class Tensor>
  static T* DataOf(Tensor* tensor) {
    if (tensor == nullptr || tensor->type != typeToTfLiteType<std::decay_t<T>>()) return nullptr;
    return reinterpret_cast<T*>(tensor->data.raw);
  }
  template <class T>
  static const T* DataOf(const TfLiteTensor* tensor) {
    return DataOf<T>(const_cast<TfLiteTensor*>(tensor));
  }

  TfLiteStatus ApplyToSubgraphs(TfLiteDelegate* delegate, const std::vector<int>& indices);
  TfLiteStatus ApplyLazyDelegateProviders();
  const internal::SignatureDef* FindSignature(const char* signature_key) const;
  const internal::SignatureDef* PrimarySignature();
  // Returns the signature and subgraph for a runner of `signature_key`; both null, or none.
  std::pair<const internal::SignatureDef*, Subgraph*> SignatureToRun(const char* signature_key);
  TfLiteStatus InvokeSubgraph(Subgraph* subgraph, bool allow_buffer_handle_output);
  void UpdateProfilers();
  void ReportError(const char* format, ...) const;

  // Delegates and profilers outlive the subgraphs, which may call them while they end.
  std::vector<std::shared_ptr<void>> owned_delegates_;
  std::unique_ptr<profiling::RootProfiler> profilers_;

  TfLiteContext* context_ = nullptr;
  ErrorReporter* error_reporter_;
  std::unique_ptr<ExternalCpuBackendContext> own_cpu_backend_;
  TfLiteExternalContext* external_contexts_[kTfLiteMaxExternalContexts] = {};
  resource::ResourceMap resources_;
  resource::ResourceIDMap resource_ids_;
  resource::InitializationStatusMap initialization_status_map_;
  std::map<std::string, std::string> metadata_;
  std::unique_ptr<InterpreterOptions> options_;
  std::vector<std::unique_ptr<Subgraph>> subgraphs_;

  std::vector<internal::SignatureDef> signature_defs_;
  std::unique_ptr<internal::SignatureDef> placeholder_signature_;
  std::map<const internal::SignatureDef*, std::unique_ptr<SignatureRunner>> signature_runners_;
  std::map<const internal::SignatureDef*, std::unique_ptr<async::AsyncSignatureRunner>>
      async_signature_runners_;

  TfLiteDelegateCreators lazy_delegate_providers_;
  bool allow_buffer_handle_output_ = false;
  bool cancellation_enabled_ = false;
  std::atomic_flag continue_invocation_{};  // EnableCancellation sets it
};

namespace impl {
using Interpreter = ::tflite::Interpreter;
}  // namespace impl

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_INTERPRETER_H_
