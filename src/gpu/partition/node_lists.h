// SPDX-License-Identifier: Apache-2.0
// Nodes that the user wants on the GPU, or does not.
#ifndef TERN_GPU_PARTITION_NODE_LISTS_H_
#define TERN_GPU_PARTITION_NODE_LISTS_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/graph/graph.h"

namespace tern::gpu {

// "12,3-7,op:CONV_2D,name:block_1/*"; the public header explains the entries.
class NodeList {
 public:
  // An error has `field`, the entry and the forms that there are.
  static absl::StatusOr<NodeList> Parse(std::string_view field, std::string_view text);

  bool empty() const { return entries_.empty(); }
  const std::string& field() const { return field_; }
  // The first entry that names the node, as it was written; empty when none does.
  std::string_view Naming(const std::vector<GraphTensor>& tensors, const Node& node) const;
  // A line for each entry that names none of the nodes.
  std::vector<std::string> NamingNothing(const std::vector<GraphTensor>& tensors,
                                         const std::vector<Node>& nodes) const;

 private:
  enum class Kind { kRange, kOp, kName };
  struct Entry {
    Kind kind = Kind::kRange;
    std::string text;         // as it was written
    int first = 0, last = 0;  // kRange
    std::string pattern;      // kOp, kName
  };
  static bool ParseEntry(std::string_view text, Entry* entry);
  static bool Names(const Entry& entry, const std::vector<GraphTensor>& tensors, const Node& node);

  std::string field_;
  std::vector<Entry> entries_;
};

struct NodeLists {
  NodeList allow, deny;
  std::set<int> slower;  // nodes of the main graph that were measured

  // An error with its reason where a node is denied, «denied by tern_deny 'op:CONV_2D'».
  absl::Status Check(const std::vector<GraphTensor>& tensors, const Node& node) const;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_NODE_LISTS_H_
