// SPDX-License-Identifier: Apache-2.0
//
// One graph of a model: its tensors, its nodes, the order in which they run, the memory they use
// and the delegates that replaced some of them. The Interpreter owns one or more of these.
#ifndef TERN_TENSORFLOW_LITE_CORE_SUBGRAPH_H_
#define TERN_TENSORFLOW_LITE_CORE_SUBGRAPH_H_

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/experimental/resource/initialization_status.h"
#include "tensorflow/lite/graph_info.h"
#include "tensorflow/lite/interpreter_options.h"
#include "tensorflow/lite/util.h"

namespace tern {
struct SubgraphParts;
}

namespace tflite {

class Subgraph {
 public:
  using NodeAndRegistration = std::pair<TfLiteNode, TfLiteRegistration>;
  using Indices = std::vector<int>;  // or sizes
  static constexpr int kInvalidSubgraphIndex = -1;
  static constexpr int kTensorsReservedCapacity = 128;  // of a new graph
  static constexpr int kTensorsCapacityHeadroom = 16;   // a kernel may add so many; none moves

  // Nothing passed in is owned; `external_contexts` has kTfLiteMaxExternalContexts entries.
  Subgraph(ErrorReporter* error_reporter, TfLiteExternalContext** external_contexts,
           std::vector<std::unique_ptr<Subgraph>>* subgraphs, resource::ResourceMap* resources,
           resource::ResourceIDMap* resource_ids,
           resource::InitializationStatusMap* initialization_status_map,
           int subgraph_index = kInvalidSubgraphIndex);
  ~Subgraph();
  // The new graph needs AllocateTensors. The old one may only be destroyed.
  Subgraph(Subgraph&& other);

  // ---- Building. Out of range tensor indices give kTfLiteError.
  TfLiteStatus SetInputs(Indices inputs);
  TfLiteStatus SetOutputs(Indices outputs);
  TfLiteStatus SetVariables(Indices variables);
  TfLiteStatus AddTensors(int tensors_to_add, int* first_new_tensor_index = nullptr);
  // Appends a node and runs its `init`. Takes ownership of `builtin_data` (malloc), also when it
  // fails. `init_data` must stay valid; `op` is copied.
  TfLiteStatus AddNodeWithParameters(const Indices& inputs, const Indices& outputs,
                                     const Indices& intermediates, const char* init_data,
                                     size_t init_data_size, void* builtin_data,
                                     const TfLiteRegistration* op, int* node_index = nullptr);
  // A constant in caller memory, which must outlive the subgraph; it is copied only if it is not
  // aligned for its element type. Takes ownership of `quantization` and `sparsity`.
  TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                           size_t ndims, const int* dims,
                                           TfLiteQuantization quantization, const char* buffer,
                                           size_t bytes, const Allocation* allocation = nullptr,
                                           TfLiteSparsity* sparsity = nullptr,
                                           size_t buffer_identifier = kTfLiteNoBufferIdentifier);
  TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                           const Indices& dims, TfLiteQuantization quantization,
                                           const char* buffer, size_t bytes,
                                           const Allocation* allocation = nullptr,
                                           TfLiteSparsity* sparsity = nullptr,
                                           size_t buffer_identifier = kTfLiteNoBufferIdentifier);
  // A tensor that the runtime allocates. Takes ownership of `quantization`.
  TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                            size_t ndims, const int* dims,
                                            TfLiteQuantization quantization,
                                            bool is_variable = false, size_t ndims_signature = 0,
                                            const int* dims_signature = nullptr);
  TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                            const Indices& dims, TfLiteQuantization quantization,
                                            bool is_variable = false,
                                            const Indices& dims_signature = {});
  // Ids must be in range and unique. A graph that is ready to run stays so; tensor data may move.
  TfLiteStatus SetExecutionPlan(const Indices& new_plan);
  TfLiteStatus SetMetadata(const std::map<std::string, std::string>* metadata,  // by name
                           const ControlEdges* control_edges = nullptr);
  void SetAllocation(const Allocation* allocation);  // the file of constants; not owned, or null
  void SetName(const char* name);
  void SetExternalContext(TfLiteExternalContextType type, TfLiteExternalContext* external_context);

  // ---- Inspection.
  TfLiteTensor* tensor(int tensor_index);
  const TfLiteTensor* tensor(int tensor_index) const;
  TfLiteTensor* tensors();
  size_t tensors_size() const;
  Indices& inputs();
  const Indices& inputs() const;
  Indices& outputs();
  const Indices& outputs() const;
  Indices& variables();
  const Indices& variables() const;
  Indices& execution_plan();
  const Indices& execution_plan() const;
  const Indices& pre_delegation_execution_plan() const;
  size_t nodes_size() const;
  std::vector<NodeAndRegistration>& nodes_and_registration();
  const std::vector<NodeAndRegistration>& nodes_and_registration() const;
  const NodeAndRegistration* node_and_registration(int node_index) const;
  TfLiteContext* context();
  const TfLiteContext* context() const;
  const std::string& GetName() const;
  int GetSubgraphIndex() const;
  bool IsPrimarySubgraph() const { return GetSubgraphIndex() == 0; }
  std::vector<std::unique_ptr<Subgraph>>* GetSubgraphs() const;
  ErrorReporter* error_reporter() const;
  resource::ResourceMap& resources();
  resource::ResourceIDMap& resource_ids();
  resource::InitializationStatusMap& initialization_status_map();
  const std::unordered_map<size_t, size_t>& GetTensorBufferIdentifiers() const;
  bool GetAllowFp16PrecisionForFp32() const { return context()->allow_fp32_relax_to_fp16; }
  Indices GetInputTensorsCount();  // by tensor: how often the plan and the outputs use it
  // Where the custom options of `node` lie in an mmapped model; -1 for a node without any.
  TfLiteStatus GetNodeInitDataMmapInfo(const TfLiteNode* node, int* fd, int64_t* offset_in_file,
                                       int64_t* size) const;
  const char* OpProfilingString(const TfLiteRegistration& op, const TfLiteNode* node) const;
  struct SubgraphAllocInfo {
    size_t arena_size = 0, arena_persist_size = 0, dynamic_size = 0, resource_size = 0;
    size_t arena_lower_bound = 0;  // of arena_size, by any plan; an extension of this library
  };
  void GetMemoryAllocInfo(SubgraphAllocInfo* info) const;
  void DumpMemoryPlannerDebugInfo() const;

  // ---- Shapes and memory.
  TfLiteStatus ResizeInputTensor(int tensor_index, const Indices& dims);
  TfLiteStatus ResizeInputTensor(int tensor_index, const int* dims, int rank);
  TfLiteStatus ResizeInputTensorStrict(int tensor_index, const Indices& dims);
  TfLiteStatus AllocateTensors();
  TfLiteStatus ReleaseNonPersistentMemory();
  TfLiteStatus ReleaseMemory();  // dynamic tensors, too; AllocateTensors is needed afterwards
  TfLiteStatus ResetVariableTensors();
  TfLiteStatus RemoveUnusedInputs();  // marks inputs that nothing consumes with -1
  bool HasDynamicTensors() const;
  TfLiteStatus SetCustomAllocationForTensor(int index, const TfLiteCustomAllocation& allocation,
                                            int64_t flags = kTfLiteCustomAllocationFlagsNone);
  TfLiteStatus SetAllocator(TfLiteAllocator* allocator);  // not owned, null for the system's

  // ---- Running.
  TfLiteStatus Invoke();
  // Polled before each node and in graphs without nodes; true ends Invoke with kTfLiteError.
  void SetCancellationFunction(void* data, bool (*check_cancelled_func)(void*));
  void EnableCancellation(std::atomic_flag* continue_invocation);  // ends Invoke when cleared
  void SetProfiler(Profiler* profiler, int associated_subgraph_index);
  Profiler* GetProfiler();
  void ReportError(const char* format, ...);
  void ReportErrorImpl(const char* format, va_list args);

  // ---- Delegates and their buffers.
  TfLiteStatus ModifyGraphWithDelegate(TfLiteDelegate* delegate);
  // Back to the plan before delegation; memory is planned again and the graph can be invoked.
  TfLiteStatus RemoveAllDelegates();
  bool HasDelegates();
  bool IsFullyDelegated() const;
  TfLiteStatus EnsureTensorDataIsReadable(int tensor_index);
  TfLiteStatus SetBufferHandle(int tensor_index, TfLiteBufferHandle handle,
                               TfLiteDelegate* delegate, bool release_existing = true);
  TfLiteStatus SetBufferHandle(TfLiteTensor* tensor, TfLiteBufferHandle handle,
                               TfLiteDelegate* delegate, bool release_existing = true);
  TfLiteStatus GetBufferHandle(int index, TfLiteBufferHandle* handle, TfLiteDelegate** delegate);
  bool IsDelegationSkippable() const;
  void MarkAsDelegationSkippable();
  TfLiteStatus MarkSubgraphAsDelegationSkippable(int subgraph_index);
  // Gives another graph's context, open as to a delegate that is being applied; Release closes it.
  TfLiteStatus AcquireSubgraphContext(int subgraph_index, TfLiteContext** context);
  TfLiteStatus ReleaseSubgraphContext(int subgraph_index);
  static TfLiteStatus AcquireSubgraphContext(TfLiteContext* context, int subgraph_index,
                                             TfLiteContext** acquired_context);
  static TfLiteStatus ReleaseSubgraphContext(TfLiteContext* context, int subgraph_index);

  // ---- Options; not owned.
  void SetOptions(InterpreterOptions* options);
  const InterpreterOptions* GetOptions() const;
  bool ShouldPreserveAllTensors() const;
  bool ShouldReleaseDynamicTensors() const;
  bool ShouldOptimizeMemoryForLargeTensors() const;
  // As the option of this name, for all graphs that share these options; before AllocateTensors.
  void OptimizeMemoryForLargeTensors(int large_tensors_thresholds_in_bytes);
  bool DisableDelegateClustering() const;

 private:
  friend struct tern::SubgraphParts;
  std::unique_ptr<tern::SubgraphParts> parts_;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_SUBGRAPH_H_
