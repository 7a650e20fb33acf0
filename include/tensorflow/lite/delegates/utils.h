// SPDX-License-Identifier: Apache-2.0
// Helpers for authors of delegates: choose nodes, preview the groups they form, handle
// half-precision weights.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_UTILS_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_UTILS_H_

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tensorflow/lite/array.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/util.h"

namespace tflite {
namespace delegates {

// Adds an arena tensor with the name and the shape of another one and a type of its own.
TfLiteStatus CreateNewTensorWithDifferentType(TfLiteContext* context,
                                              const int original_tensor_index, TfLiteType new_type,
                                              TfLiteTensor** new_tensor, int* new_tensor_index);

// The context of another graph of the model; each acquired one is released again.
TfLiteStatus AcquireSubgraphContext(const TfLiteContext* context, int subgraph_index,
                                    TfLiteContext** acquired_context);
TfLiteStatus ReleaseSubgraphContext(const TfLiteContext* context, int subgraph_index);

// Whether a delegate takes a node; the reason for a refusal goes to `unsupported_details` (may be
// null).
using IsNodeSupportedFn = std::function<bool(TfLiteContext*, TfLiteNode*, TfLiteRegistration*,
                                             std::string* unsupported_details)>;

// Finds out which nodes a delegate takes and which groups the runtime makes of them. Use it in the
// delegate's Prepare.
class GraphPartitionHelper {
 public:
  GraphPartitionHelper(TfLiteContext* context, IsNodeSupportedFn is_node_supported_fn)
      : context_(context), is_node_supported_fn_(std::move(is_node_supported_fn)) {}

  // The nodes that may be taken are given; none is asked about.
  GraphPartitionHelper(TfLiteContext* context, const std::vector<int>& supported_node_indices)
      : context_(context),
        num_total_nodes_(static_cast<int>(supported_node_indices.size())),
        num_supported_nodes_(num_total_nodes_),
        supported_nodes_(supported_node_indices) {}

  virtual ~GraphPartitionHelper() = default;

  // Asks about every node of the execution plan with start <= index <= end and previews the groups.
  // Refusals are collected as "<op name>: <reason>" unless `unsupported_nodes_info` is null.
  virtual TfLiteStatus Partition(std::set<std::string>* unsupported_nodes_info,
                                 int start_node_index = 0,
                                 int end_node_index = std::numeric_limits<int>::max());

  // The groups by descending size, at most n, none below `min_nodes_per_partition`. They belong to
  // the context and are valid during the delegate's Prepare.
  std::vector<TfLiteDelegateParams*> GetFirstNLargestPartitions(
      int n = std::numeric_limits<int>::max(), int min_nodes_per_partition = 0) const;

  // The nodes of those groups.
  std::vector<int> GetNodesOfFirstNLargestPartitions(int n = std::numeric_limits<int>::max(),
                                                     int min_nodes_per_partition = 0) {
    return GetNodesOfFirstNLargestPartitionsImpl(n, min_nodes_per_partition);
  }

  int num_total_nodes() const { return num_total_nodes_; }
  int num_supported_nodes() const { return num_supported_nodes_; }
  int num_partitions() const { return static_cast<int>(partitions_.size()); }

 protected:
  virtual bool IsNodeSupported(TfLiteContext* context, TfLiteNode* node,
                               TfLiteRegistration* registration, int node_id,
                               std::string* unsupported_details) {
    (void)node_id;
    return is_node_supported_fn_(context, node, registration, unsupported_details);
  }
  virtual std::vector<int> GetNodesOfFirstNLargestPartitionsImpl(int n,
                                                                 int min_nodes_per_partition);

  TfLiteContext* const context_;
  std::vector<TfLiteDelegateParams*> partitions_;
  int num_total_nodes_ = 0;
  int num_supported_nodes_ = 0;
  std::vector<int> supported_nodes_;
  IntArrayUniquePtr execution_plan_;  // as it was when Partition began

 private:
  TfLiteStatus CollectSupportedNodes(std::set<std::string>* unsupported_nodes_info, int start,
                                     int end);

  const IsNodeSupportedFn is_node_supported_fn_;
};

// The same for models with half-precision weights: a DEQUANTIZE of a constant float16 tensor is
// seen through, so the delegate is asked about (and finally gets) nodes that read the float16
// constant itself.
class FP16GraphPartitionHelper : public GraphPartitionHelper {
 public:
  FP16GraphPartitionHelper(TfLiteContext* context, IsNodeSupportedFn is_node_supported_fn)
      : GraphPartitionHelper(context, std::move(is_node_supported_fn)) {}

 protected:
  bool IsNodeSupported(TfLiteContext* context, TfLiteNode* node, TfLiteRegistration* registration,
                       int node_id, std::string* unsupported_details) override;
  // When nothing but such DEQUANTIZE nodes stays behind, the whole plan, whatever the limits.
  std::vector<int> GetNodesOfFirstNLargestPartitionsImpl(int n,
                                                         int min_nodes_per_partition) override;

 private:
  // Makes the inputs of the nodes read the constants.
  void RemapFp16InputTensors(const std::vector<int>& nodes) const;
  bool IsConstantFp16Dequantize(const TfLiteNode* node,
                                const TfLiteRegistration* registration) const;

  std::unordered_map<int, int> constant_dequant_map_;  // float32 output tensor -> float16 constant
  std::unordered_map<int, int> constant_dequant_nodes_;  // node -> float32 output tensor
};

// Forbids delegation of another graph of the model.
TfLiteStatus MarkSubgraphAsDelegationSkippable(const TfLiteContext* context, int subgraph_index);

}  // namespace delegates
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_UTILS_H_
