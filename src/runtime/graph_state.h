// SPDX-License-Identifier: Apache-2.0
//
// The data of a subgraph: its tensors and nodes, and how far it is ready to run. The other parts of
// a subgraph work on it.
#ifndef TERN_RUNTIME_GRAPH_STATE_H_
#define TERN_RUNTIME_GRAPH_STATE_H_

#include <cstdarg>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/delegate_records.h"
#include "runtime/owned_constants.h"
#include "runtime/subgraph_profiler.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tern {

struct GraphState {
  using Node = tflite::Subgraph::NodeAndRegistration;
  enum Readiness { kUninvokable, kInvokable, kInvokableAndImmutable };

  GraphState() = default;
  GraphState(const GraphState&) = delete;
  GraphState& operator=(const GraphState&) = delete;
  static GraphState& Of(tflite::Subgraph& subgraph);
  // A graph of the interpreter; null if there is none with this index.
  tflite::Subgraph* OtherGraph(int index) const;

  void ReportError(const char* format, ...) const;
  TfLiteStatus ReportNodeError(const TfLiteRegistration& registration, int node_index,
                               const char* what) const;

  // ---- Nodes, in graph_state.cc.
  TfLiteStatus CheckTensorIndices(const char* label, const int* indices, size_t count);
  TfLiteStatus CheckOverlap(const std::vector<int>& read, const std::vector<int>& written);
  // Makes these the inputs or outputs.
  TfLiteStatus SetOperands(const char* label, std::vector<int> indices, std::vector<int>* operands);
  bool MayHaveSideEffect(const TfLiteNode& node, const TfLiteRegistration& registration) const;
  // Takes ownership of `builtin_data`, also when it fails.
  TfLiteStatus AddNode(const std::vector<int>& read, const std::vector<int>& written,
                       const std::vector<int>& intermediates, const char* init_data,
                       size_t init_data_size, void* builtin_data,
                       const TfLiteRegistration& registration, int* node_index);
  void CleanupNode(int node_index);

  // ---- Tensors, in tensors.cc.
  TfLiteTensor* tensor(int index);
  const TfLiteTensor* tensor(int index) const;
  TfLiteStatus AddTensors(int count, int* first_new_index);
  void UpdateTensorsPointer();
  void EnsureTensorsCapacity();
  TfLiteStatus ResizeTensor(TfLiteTensor* tensor, TfLiteIntArray* new_size);
  // Another tensor with the same memory: programs may point a tensor to the data of another.
  const TfLiteTensor* SharerOf(const TfLiteTensor& tensor) const;
  // Frees the memory that the tensor owns, unless it shares it.
  void FreeData(TfLiteTensor* tensor);
  // Leaves each block of memory to one tensor that frees it, or to the arena.
  void DisownSharedMemory();
  void FreeTensors();

  // ---- Tensors whose data a delegate holds, in buffer_handles.cc.
  TfLiteStatus EnsureTensorDataIsReadable(int tensor_index);
  void FreeBufferHandle(TfLiteTensor* tensor);
  // The record of this graph or, for a tensor copied from another graph, of that one.
  const DelegateRecord* FindDelegateRecord(const TfLiteDelegate* delegate) const;

  // ---- The graph.
  TfLiteContext context = {};
  tflite::ErrorReporter* error_reporter = nullptr;
  TfLiteExternalContext** external_contexts = nullptr;
  std::vector<std::unique_ptr<tflite::Subgraph>>* subgraphs = nullptr;
  tflite::resource::ResourceMap* resources = nullptr;
  tflite::resource::ResourceIDMap* resource_ids = nullptr;
  tflite::resource::InitializationStatusMap* initialization_status_map = nullptr;
  int subgraph_index = -1;
  std::string name;
  std::vector<TfLiteTensor> tensors;
  std::vector<Node> nodes;
  std::vector<int> inputs, outputs, variables, execution_plan;
  const std::map<std::string, std::string>* metadata = nullptr;
  std::unique_ptr<tflite::ControlEdges> control_edges;
  const tflite::Allocation* allocation = nullptr;
  std::unordered_map<size_t, size_t> tensor_buffer_identifiers;
  OwnedConstants owned_constants;
  TfLiteAllocator* allocator = nullptr;
  tflite::InterpreterOptions own_options;  // of a graph that was given none
  tflite::InterpreterOptions* options = &own_options;
  std::unique_ptr<SubgraphProfiler> profiler;
  DelegateRecords delegate_records;
  std::vector<TfLiteDelegate*> delegates_applied;
  bool is_delegation_skippable = false;

  // ---- How far it is ready.
  Readiness readiness = kUninvokable;
  bool consistent = true;
  bool plan_stale = false;  // memory must be planned again though the graph did not change
  bool has_dynamic_tensors = false;
  bool tensor_resized = false;  // since the current node's invoke began
  bool invoking = false;
  bool preparing = false;

  // ---- Before delegation, while `plan_saved`.
  std::vector<int> pre_delegation_execution_plan;
  size_t pre_delegation_node_count = 0;
  bool plan_saved = false;
};

}  // namespace tern

#endif  // TERN_RUNTIME_GRAPH_STATE_H_
