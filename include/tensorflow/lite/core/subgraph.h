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
#include <utility>
#include <vector>

#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/experimental/resource/initialization_status.h"
#include "tensorflow/lite/experimental/resource/resource_base.h"
#include "tensorflow/lite/graph_info.h"
#include "tensorflow/lite/interpreter_options.h"
#include "tensorflow/lite/util.h"

namespace tern {
class ArenaPlanner;
class DelegateRecord;
class DelegateRecords;
class OwnedConstants;
class SubgraphProfiler;
}  // namespace tern

namespace tflite {

class Subgraph;

// All that a subgraph holds.
struct SubgraphParts {
  SubgraphParts();
  SubgraphParts(SubgraphParts&&);
  ~SubgraphParts();

  enum State { kUninvokable, kInvokable, kInvokableAndImmutable };
  // Positions in the execution plan at which work goes on.
  struct Progress {
    int to_prepare = 0;
    int to_prepare_original = 0;
  };

  TfLiteContext context_ = {};
  ErrorReporter* error_reporter_ = nullptr;
  TfLiteExternalContext** external_contexts_ = nullptr;
  std::vector<std::unique_ptr<Subgraph>>* subgraphs_ = nullptr;
  resource::ResourceMap* resources_ = nullptr;
  resource::ResourceIDMap* resource_ids_ = nullptr;
  resource::InitializationStatusMap* initialization_status_map_ = nullptr;
  int subgraph_index_ = -1;
  std::string name_;

  std::vector<TfLiteTensor> tensors_;
  std::vector<std::pair<TfLiteNode, TfLiteRegistration>> nodes_and_registration_;
  std::vector<int> inputs_;
  std::vector<int> outputs_;
  std::vector<int> variables_;
  std::vector<int> execution_plan_;
  const std::map<std::string, std::string>* metadata_ = nullptr;
  std::unique_ptr<ControlEdges> control_edges_;
  const Allocation* allocation_ = nullptr;
  bool model_pages_released_ = false;
  std::unordered_map<size_t, size_t> tensor_buffer_identifiers_;
  std::unique_ptr<tern::OwnedConstants> owned_constants_;

  State state_ = kUninvokable;
  bool consistent_ = true;
  bool plan_stale_ = false;  // memory must be planned again though the graph did not change
  bool has_dynamic_tensors_ = false;
  bool tensor_resized_ = false;  // since the current node's invoke began
  bool invoking_ = false;
  bool preparing_ = false;
  int dynamic_tensor_ = -1;
  Progress progress_;
  // By tensor: the position in this plan of the first node that writes or reads it, -1 for a value
  // from outside.
  std::vector<int> first_use_;
  const std::vector<int>* first_use_plan_ = nullptr;
  std::vector<bool> shape_unknown_;  // by node id: prepare left the output shape open
  std::vector<bool> large_tensors_;  // by tensor: taken out of the arena for its size
  std::unique_ptr<tern::ArenaPlanner> planner_;
  std::map<int, TfLiteCustomAllocation> custom_allocations_;
  // Tensors of inlined composites that go when delegates are undone, and those that have gone.
  std::vector<int> inlined_tensors_, spare_tensors_;
  std::vector<bool> borrowed_;  // by tensor: an input in the memory of a caller's argument
  TfLiteAllocator* allocator_ = nullptr;

  std::vector<int> pre_delegation_execution_plan_;
  size_t pre_delegation_node_count_ = 0;
  bool plan_saved_ = false;  // the two members above hold the state before delegation
  std::vector<TfLiteDelegate*> delegates_applied_;
  bool delegates_undone_ = false;
  bool is_delegation_skippable_ = false;
  int delegate_context_depth_ = 0;
  std::unique_ptr<tern::DelegateRecords> delegate_records_;
  std::vector<TfLiteOperator*> kernel_operators_;  // of delegate kernels; owned
  std::vector<TfLiteDelegateParams> preview_;
  TfLiteIntArray* plan_array_ = nullptr;

  std::unique_ptr<tern::SubgraphProfiler> profiler_;
  void* cancellation_data_ = nullptr;
  bool (*check_cancelled_func_)(void*) = nullptr;
  std::atomic_flag* continue_invocation_ = nullptr;
  InterpreterOptions* options_ = nullptr;
  std::unique_ptr<InterpreterOptions> own_options_;  // of a graph that was given none
};

class Subgraph : private SubgraphParts {
 public:
  using NodeAndRegistration = std::pair<TfLiteNode, TfLiteRegistration>;

  // Capacity of the tensor array at the start, and the number of tensors that a kernel may add in
  // one call without moving the others.
  static constexpr int kTensorsReservedCapacity = 128;
  static constexpr int kTensorsCapacityHeadroom = 16;

  // Nothing passed in is owned; `external_contexts` has kTfLiteMaxExternalContexts entries.
  Subgraph(ErrorReporter* error_reporter, TfLiteExternalContext** external_contexts,
           std::vector<std::unique_ptr<Subgraph>>* subgraphs, resource::ResourceMap* resources,
           resource::ResourceIDMap* resource_ids,
           resource::InitializationStatusMap* initialization_status_map,
           int subgraph_index = kInvalidSubgraphIndex);
  ~Subgraph();
  // The new graph has to be allocated. Kernels of the old one that keep its TfLiteContext must not
  // be there.
  Subgraph(Subgraph&& other);
  Subgraph(const Subgraph&) = delete;
  Subgraph& operator=(const Subgraph&) = delete;

  static constexpr int kInvalidSubgraphIndex = -1;

  // ---- Building. Out of range tensor indices give kTfLiteError.
  TfLiteStatus SetInputs(std::vector<int> inputs);
  TfLiteStatus SetOutputs(std::vector<int> outputs);
  TfLiteStatus SetVariables(std::vector<int> variables);
  TfLiteStatus AddTensors(int tensors_to_add, int* first_new_tensor_index = nullptr);

  // Appends a node and runs its `init`. Takes ownership of `builtin_data` (malloc), also when it
  // fails. `init_data` must stay valid; `registration` is copied.
  TfLiteStatus AddNodeWithParameters(const std::vector<int>& inputs,
                                     const std::vector<int>& outputs,
                                     const std::vector<int>& intermediates, const char* init_data,
                                     size_t init_data_size, void* builtin_data,
                                     const TfLiteRegistration* registration,
                                     int* node_index = nullptr);

  // A constant that lives in caller memory. `buffer` must outlive the subgraph; it is copied only
  // if it is not aligned for its element type. Takes ownership of `quantization` and `sparsity`.
  TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                           size_t ndims, const int* dims,
                                           TfLiteQuantization quantization, const char* buffer,
                                           size_t bytes, const Allocation* allocation = nullptr,
                                           TfLiteSparsity* sparsity = nullptr,
                                           size_t buffer_identifier = kTfLiteNoBufferIdentifier);
  TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                           const std::vector<int>& dims,
                                           TfLiteQuantization quantization, const char* buffer,
                                           size_t bytes, const Allocation* allocation = nullptr,
                                           TfLiteSparsity* sparsity = nullptr,
                                           size_t buffer_identifier = kTfLiteNoBufferIdentifier) {
    return SetTensorParametersReadOnly(tensor_index, type, name, dims.size(), dims.data(),
                                       quantization, buffer, bytes, allocation, sparsity,
                                       buffer_identifier);
  }

  // A tensor that the runtime allocates. Takes ownership of `quantization`.
  TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                            size_t ndims, const int* dims,
                                            TfLiteQuantization quantization,
                                            bool is_variable = false, size_t ndims_signature = 0,
                                            const int* dims_signature = nullptr);
  TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                            const std::vector<int>& dims,
                                            TfLiteQuantization quantization,
                                            bool is_variable = false,
                                            const std::vector<int>& dims_signature = {}) {
    return SetTensorParametersReadWrite(tensor_index, type, name, dims.size(), dims.data(),
                                        quantization, is_variable, dims_signature.size(),
                                        dims_signature.data());
  }

  // Ids must be in range and unique. A graph that is ready to run stays so; tensor data may move.
  TfLiteStatus SetExecutionPlan(const std::vector<int>& new_plan);
  // Payloads by name; not owned. `control_edges` may be null.
  TfLiteStatus SetMetadata(const std::map<std::string, std::string>* metadata,
                           const ControlEdges* control_edges = nullptr);
  // The file that constants and custom options point into; not owned, may be null.
  void SetAllocation(const Allocation* allocation) { allocation_ = allocation; }
  void SetName(const char* name);

  // ---- Inspection.
  TfLiteTensor* tensor(int tensor_index);
  const TfLiteTensor* tensor(int tensor_index) const;
  TfLiteTensor* tensors() { return context_.tensors; }
  size_t tensors_size() const { return tensors_.size(); }
  std::vector<int>& inputs() { return inputs_; }
  const std::vector<int>& inputs() const { return inputs_; }
  std::vector<int>& outputs() { return outputs_; }
  const std::vector<int>& outputs() const { return outputs_; }
  std::vector<int>& variables() { return variables_; }
  const std::vector<int>& variables() const { return variables_; }
  std::vector<int>& execution_plan() { return execution_plan_; }
  const std::vector<int>& execution_plan() const { return execution_plan_; }
  const std::vector<int>& pre_delegation_execution_plan() const {
    return pre_delegation_execution_plan_;
  }
  size_t nodes_size() const { return nodes_and_registration_.size(); }
  const std::vector<NodeAndRegistration>& nodes_and_registration() const {
    return nodes_and_registration_;
  }
  std::vector<NodeAndRegistration>& nodes_and_registration() { return nodes_and_registration_; }
  const NodeAndRegistration* node_and_registration(int node_index) const;
  TfLiteContext* context() { return &context_; }
  const TfLiteContext* context() const { return &context_; }
  const std::string& GetName() const { return name_; }
  int GetSubgraphIndex() const { return subgraph_index_; }
  bool IsPrimarySubgraph() const { return subgraph_index_ == 0; }
  std::vector<std::unique_ptr<Subgraph>>* GetSubgraphs() const { return subgraphs_; }
  ErrorReporter* error_reporter() const { return error_reporter_; }
  resource::ResourceMap& resources() { return *resources_; }
  resource::ResourceIDMap& resource_ids() { return *resource_ids_; }
  resource::InitializationStatusMap& initialization_status_map() {
    return *initialization_status_map_;
  }
  const std::unordered_map<size_t, size_t>& GetTensorBufferIdentifiers() const {
    return tensor_buffer_identifiers_;
  }
  // Per tensor: how often nodes of the plan and the graph's outputs use it.
  std::vector<int> GetInputTensorsCount();
  // Where the custom options of `node` lie in an mmapped model; -1 for a node without any.
  TfLiteStatus GetNodeInitDataMmapInfo(const TfLiteNode* node, int* fd, int64_t* offset_in_file,
                                       int64_t* size) const;
  const char* OpProfilingString(const TfLiteRegistration& registration,
                                const TfLiteNode* node) const;

  struct SubgraphAllocInfo {
    size_t arena_size = 0;
    size_t arena_persist_size = 0;
    size_t dynamic_size = 0;
    size_t resource_size = 0;
    // The largest sum of tensors of the arena that are alive at one node; no plan needs less than
    // that. An extension of this library.
    size_t arena_lower_bound = 0;
  };
  void GetMemoryAllocInfo(SubgraphAllocInfo* info) const;
  void DumpMemoryPlannerDebugInfo() const;

  // ---- Shapes and memory.
  TfLiteStatus ResizeInputTensor(int tensor_index, const std::vector<int>& dims);
  // `rank` sizes; null only for rank 0.
  TfLiteStatus ResizeInputTensor(int tensor_index, const int* dims, int rank) {
    if (rank < 0 || (dims == nullptr && rank > 0)) return kTfLiteError;
    return ResizeInputTensor(tensor_index, std::vector<int>(dims, dims + rank));
  }
  TfLiteStatus ResizeInputTensorStrict(int tensor_index, const std::vector<int>& dims);
  TfLiteStatus AllocateTensors();
  // Another type for a graph input, before AllocateTensors.
  TfLiteStatus SetInputType(int tensor_index, TfLiteType type);
  // For an operator that runs this graph: the input gets no memory of its own, the caller points it
  // to the argument before each run. Only tensors of known size, in the arena, can borrow. The next
  // AllocateTensors by an application ends that, AllocateForCaller does not.
  void BorrowInput(int tensor_index);
  bool IsBorrowed(int tensor_index) const;
  TfLiteStatus AllocateForCaller();
  // Whether Invoke may follow without another AllocateTensors.
  bool IsReady() const;
  TfLiteStatus ReleaseNonPersistentMemory();
  // Also drops dynamic tensors. AllocateTensors is needed afterwards.
  TfLiteStatus ReleaseMemory();
  TfLiteStatus ResetVariableTensors();
  // Marks inputs that nothing consumes with -1.
  TfLiteStatus RemoveUnusedInputs();
  bool HasDynamicTensors() const { return has_dynamic_tensors_; }
  TfLiteStatus SetCustomAllocationForTensor(int tensor_index,
                                            const TfLiteCustomAllocation& allocation,
                                            int64_t flags = kTfLiteCustomAllocationFlagsNone);
  // The tensor gets memory of the runtime again, with the next AllocateTensors.
  TfLiteStatus ClearCustomAllocationForTensor(int tensor_index);
  // Memory source for everything allocated later; not owned, null for the system's.
  TfLiteStatus SetAllocator(TfLiteAllocator* allocator);

  // ---- Running.
  TfLiteStatus Invoke();
  // Polled before each node and in graphs without nodes; a true answer ends Invoke with
  // kTfLiteError.
  void SetCancellationFunction(void* data, bool (*check_cancelled_func)(void*));
  // `continue_invocation` is cleared by another thread to end Invoke with kTfLiteCancelled.
  void EnableCancellation(std::atomic_flag* continue_invocation) {
    continue_invocation_ = continue_invocation;
  }
  void SetProfiler(Profiler* profiler, int associated_subgraph_index);
  Profiler* GetProfiler();
  void ReportError(const char* format, ...);
  void ReportErrorImpl(const char* format, va_list args);

  // ---- Delegates and their buffers.
  TfLiteStatus ModifyGraphWithDelegate(TfLiteDelegate* delegate);
  // Back to the plan before delegation; delegates stay known and return with the next allocation.
  TfLiteStatus UndoAllDelegates();
  // Undo for good; memory is planned again and the graph can be invoked.
  TfLiteStatus RemoveAllDelegates();
  TfLiteStatus RedoAllDelegates();
  bool HasDelegates() { return !delegates_applied_.empty(); }
  bool IsFullyDelegated() const;
  TfLiteStatus EnsureTensorDataIsReadable(int tensor_index);
  TfLiteStatus SetBufferHandle(int tensor_index, TfLiteBufferHandle buffer_handle,
                               TfLiteDelegate* delegate, bool release_existing = true);
  TfLiteStatus SetBufferHandle(TfLiteTensor* tensor, TfLiteBufferHandle buffer_handle,
                               TfLiteDelegate* delegate, bool release_existing = true);
  TfLiteStatus GetBufferHandle(int tensor_index, TfLiteBufferHandle* buffer_handle,
                               TfLiteDelegate** delegate);
  bool IsDelegationSkippable() const { return is_delegation_skippable_; }
  void MarkAsDelegationSkippable() { is_delegation_skippable_ = true; }
  TfLiteStatus MarkSubgraphAsDelegationSkippable(int subgraph_index);
  // Opens another graph of the interpreter as to a delegate that is being applied, and closes it.
  TfLiteStatus AcquireSubgraphContext(int subgraph_index, TfLiteContext** context);
  TfLiteStatus ReleaseSubgraphContext(int subgraph_index);
  static TfLiteStatus AcquireSubgraphContext(TfLiteContext* context, int subgraph_index,
                                             TfLiteContext** acquired_context);
  static TfLiteStatus ReleaseSubgraphContext(TfLiteContext* context, int subgraph_index);

  // Not owned; out of range types are ignored.
  void SetExternalContext(TfLiteExternalContextType type, TfLiteExternalContext* external_context) {
    context_.SetExternalContext(&context_, type, external_context);
  }
  bool GetAllowFp16PrecisionForFp32() const { return context_.allow_fp32_relax_to_fp16; }

  // ---- Options; not owned.
  void SetOptions(InterpreterOptions* options) { options_ = options; }
  const InterpreterOptions* GetOptions() const { return options_; }
  bool ShouldPreserveAllTensors() const { return options_ && options_->GetPreserveAllTensors(); }
  bool ShouldReleaseDynamicTensors() const {
    return options_ && options_->GetEnsureDynamicTensorsAreReleased();
  }
  bool ShouldOptimizeMemoryForLargeTensors() const {
    return options_ && options_->GetDynamicAllocationForLargeTensors() > 0;
  }
  // As the option of this name, for all graphs that share these options; before AllocateTensors.
  void OptimizeMemoryForLargeTensors(int large_tensors_thresholds_in_bytes) {
    if (options_ == nullptr) {
      own_options_ = std::make_unique<InterpreterOptions>();
      options_ = own_options_.get();
    }
    options_->OptimizeMemoryForLargeTensors(large_tensors_thresholds_in_bytes);
  }
  bool DisableDelegateClustering() const {
    return options_ && options_->GetDisableDelegateClustering();
  }
  bool DisableDelegateNodeFusion() const {
    return ShouldPreserveAllTensors() || (options_ && options_->GetDisableDelegateNodeFusion());
  }

 private:
  friend class SubgraphContextCalls;  // the C callbacks of TfLiteContext
  friend class InterpreterBuilder;    // asks whether the graph is consistent

  // abi_context.cc
  void SetUpContext();
  void SwitchToDelegateContext();
  void SwitchToKernelContext();
  TfLiteStatus GetExecutionPlanArray(TfLiteIntArray** plan);
  TfLiteStatus GetNodeAndRegistration(int node_index, TfLiteNode** node,
                                      TfLiteRegistration** registration);
  TfLiteStatus GetModelMetadata(const char* name, const char** data, size_t* bytes) const;

  // subgraph.cc
  TfLiteStatus AddNode(const std::vector<int>& inputs, const std::vector<int>& outputs,
                       const std::vector<int>& intermediates, const char* init_data,
                       size_t init_data_size, void* builtin_data,
                       const TfLiteRegistration& registration, int* node_index);
  void UpdateTensorsPointer();
  void EnsureTensorsCapacity();
  void CleanupNode(int node_index);
  TfLiteStatus CheckTensorIndices(const char* label, const int* indices, size_t count);
  TfLiteStatus CheckOverlap(const std::vector<int>& inputs, const std::vector<int>& outputs);
  bool MayHaveSideEffect(const TfLiteNode& node, const TfLiteRegistration& registration) const;

  // tensors.cc, prepare.cc
  TfLiteStatus ResizeTensor(TfLiteTensor* tensor, TfLiteIntArray* new_size);
  // Another tensor with the same memory: programs may point a tensor to the data of another.
  const TfLiteTensor* SharerOf(const TfLiteTensor& tensor) const;
  // Frees the memory that the tensor owns, unless it shares it.
  void FreeData(TfLiteTensor* tensor);
  // Leaves each block of memory to one tensor that frees it, or to the arena.
  void DisownSharedMemory();
  TfLiteStatus PrepareFrom(int first, const std::vector<int>& plan, int* end);
  void FindFirstUses(const std::vector<int>& plan);
  TfLiteStatus PrepareNode(int position, int node_index);
  TfLiteStatus PrepareOpsAndTensors();
  // Allocate, Run and AddDelegate are what the public functions do before they tell the
  // profilers how it ended.
  TfLiteStatus Allocate();
  TfLiteStatus PlanAndAllocate();
  TfLiteStatus PlanAndPrepare();
  bool HasDynamicTensor(const int* indices, size_t count, int* dynamic_tensor) const;
  bool IsLargeDynamic(int tensor_index) const;
  void ChooseLargeTensors(int first, int end);
  TfLiteStatus UseCustomAllocations();
  TfLiteStatus CheckCustomAllocation(int tensor_index);
  bool HasLaterCustomAllocation(int tensor_index) const;
  void ReturnBorrowedInputs();
  void ReleaseTemporariesOfReplacedNodes();
  void ReleaseModelPages();
  TfLiteStatus ReportNodeError(const TfLiteRegistration& registration, int node_index,
                               const char* what);

  // inline_composites.cc
  TfLiteStatus InlineComposites();
  TfLiteStatus AppendInlined(const std::vector<int>& nodes, std::vector<const Subgraph*>* callers,
                             std::vector<int>* plan);
  // The graph whose nodes may take the place of this node, or null.
  Subgraph* DecompositionOf(int node_index);
  bool CanReplaceComposite() const;
  TfLiteStatus CopyNodes(int composite, const Subgraph& decomposition, std::vector<int>* copies);
  TfLiteStatus AddCopyOf(const TfLiteTensor& from, int* index);
  void ReplaceInControlEdges(int composite, const Subgraph& decomposition,
                             const std::vector<int>& copies);

  // invoke.cc
  TfLiteStatus Run();
  TfLiteStatus InvokeNode(int position);
  Profiler* ProfilerFor(const TfLiteNode& node);
  TfLiteStatus CheckNodeInputs(const TfLiteNode& node, const TfLiteRegistration& registration);
  TfLiteStatus CheckCancelled();
  // Those that were released after their last use get their size back.
  TfLiteStatus AllocateDynamicOutputs(const TfLiteNode& node);
  void NoteResizedOutputs(int position, const TfLiteNode& node);
  void ReleaseFinishedDynamicTensors(int position, const TfLiteNode& node);

  // apply_delegate.cc, delegate_kernels.cc
  TfLiteStatus AddDelegate(TfLiteDelegate* delegate);
  TfLiteStatus ApplyDelegate(TfLiteDelegate* delegate);
  TfLiteStatus TryPrepare();
  TfLiteStatus CheckShapesAreStatic();
  TfLiteStatus FinishDelegation(int64_t flags, State state_before);
  TfLiteStatus DropPartialDelegation();
  TfLiteStatus RestoreAfterFailure();
  void ForgetDelegateNodes(size_t first_node);
  TfLiteStatus ReplaceNodeSubsets(TfLiteRegistration registration,
                                  const TfLiteIntArray* nodes_to_replace, TfLiteDelegate* delegate);
  TfLiteStatus AddDelegateNode(const NodeSubset& subset, const TfLiteRegistration& registration,
                               TfLiteDelegate* delegate);
  TfLiteStatus PreviewPartitioning(const TfLiteIntArray* nodes_to_replace,
                                   TfLiteDelegateParams** partitions, int* num_partitions);
  TfLiteStatus Partition(const TfLiteIntArray* nodes_to_replace, std::vector<NodeSubset>* subsets);
  ControlEdges CurrentControlEdges() const;
  void FreePreview();
  void RestoreHalfInputs();
  // buffer_handles.cc
  const tern::DelegateRecord* FindDelegateRecord(const TfLiteDelegate* delegate) const;
  void FreeBufferHandle(TfLiteTensor* tensor);
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_SUBGRAPH_H_
