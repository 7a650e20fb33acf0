// SPDX-License-Identifier: Apache-2.0
// Where each node of a graph runs, why, and what crosses between the processors. Made from the
// compiled graph alone, so that a planned graph has the report of one that runs.
#ifndef TERN_DELEGATE_EXPLAIN_H_
#define TERN_DELEGATE_EXPLAIN_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "delegate/snapshot.h"
#include "delegate/supported_nodes.h"
#include "gpu/desc/reason.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/delegates/gpu/decisions.h"

namespace tern::delegate {

// A row of docs/reasons.md.
struct ReasonRow {
  const char* name;  // of the enumerator, without its prefix
  const char* code;
  TfLiteGpuDecision decision;
  const char* meaning;     // of a sentence about a node: what follows «because»
  const char* suggestion;  // what to change; empty where nothing has to be
};
const ReasonRow& RowOf(Reason reason);
const ReasonRow* FindRow(int reason);  // null for a number that is none
const std::vector<ReasonRow>& ReasonRows();

struct Decision {
  int index = -1;  // of the node
  std::string op;
  int version = 1;
  RefusalReason refusal_reason;
  std::string text;  // empty where the code says all
  std::string tensor_name;
  TfLiteType tensor_type = kTfLiteNoType;
  std::vector<int> tensor_shape;
  int partition = -1;          // on the GPU: the number of its part
  int64_t bytes_crossing = 0;  // of its tensors that cross because of a cut, each way once
  int64_t multiply_adds = 0;
  int64_t bytes = 0;

  const ReasonRow& row() const { return RowOf(refusal_reason.reason); }
};

// A tensor that goes from one processor to the other in each run.
struct Crossing {
  int tensor = -1;
  std::string name;
  int64_t bytes = 0;
  bool to_gpu = false;
  int writer = -1;           // a node; -1: it is an input of the graph, or a variable
  std::vector<int> readers;  // nodes; none: it is an output of the graph, or a variable

  // Whether the cut moves the tensor: a node writes it, and nodes read it.
  bool is_cut() const { return writer >= 0 && !readers.empty(); }
};

struct Explanation {
  int subgraph = -1;                // its number in the interpreter; -1: the runtime does not tell
  std::vector<Decision> decisions;  // in order of execution
  std::vector<Crossing> crossings;
};

// The facts about a part on the GPU that an explanation needs.
struct PlannedPart {
  gpu::Partition partition;
  std::vector<int> inputs, outputs;  // tensors that cross
  std::set<int> launched;            // nodes with a launch of their own
  std::set<std::string> views;       // labels of nodes whose output is their input's memory
};

// `partitions` has the number of parts that the graph falls into, and how many may be taken.
Explanation Explain(const Snapshot& snapshot, const std::vector<Refusal>& refused,
                    const std::vector<const PlannedPart*>& parts, const Bound& partitions);

// A node's decision as the C API shows it; pointers are into `decision`, which must outlive it.
TfLiteGpuNodeDecision ToC(int subgraph, const Decision& decision);

// "decisions": [...], "crossings": [...] of all graphs, two members of a JSON object.
std::string ExplanationJson(const std::vector<const Explanation*>& graphs);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_EXPLAIN_H_
