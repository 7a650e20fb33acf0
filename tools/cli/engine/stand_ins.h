// SPDX-License-Identifier: Apache-2.0
// Stand-ins take the place of operations that this program cannot prepare, so a delegate can be
// asked about all the others: custom operations of an application, versions that are newer than the
// runtime, nodes whose preparation fails. Their results have the shapes of the file. None of them
// runs.
#ifndef TERN_TOOLS_CLI_ENGINE_STAND_INS_H_
#define TERN_TOOLS_CLI_ENGINE_STAND_INS_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"

namespace tern::cli {

class ErrorLog;

// A node that has a stand-in, and why.
struct StandIn {
  enum class Why {
    kUnknownOp,       // a custom operation that no resolver knows
    kUnknownVersion,  // a version of an operation that the runtime does not know
    kFails,           // its preparation fails
    kUnknownShape,    // a tensor that it reads has no shape in the file
  };
  Why why = Why::kUnknownOp;
  int subgraph = 0;
  int node = 0;
  std::string op;
  std::string text;  // kFails: of the failure
  int tensor = -1;   // kUnknownShape: which
};

// The operations of the runtime, and a stand-in for every other one.
class AnyOpResolver : public tflite::ops::builtin::BuiltinOpResolver {
 public:
  AnyOpResolver();

 private:
  class Others;
  std::shared_ptr<const Others> others_;
};

// Stands between an interpreter that AnyOpResolver gave its operations and the preparation of its
// nodes, from now on. The log that the interpreter reports to gets nothing of what fails here.
class StandIns {
 public:
  StandIns(tflite::Interpreter* interpreter, ErrorLog* log);
  ~StandIns();
  StandIns(const StandIns&) = delete;
  StandIns& operator=(const StandIns&) = delete;

  // The stand-ins that the preparations so far needed, by subgraph and node.
  std::vector<StandIn> All() const;

 private:
  struct Node;

  // Preparations know their node by the list of its outputs, which stays where it is.
  static std::map<const TfLiteIntArray*, Node*>& Known();
  static TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node);
  TfLiteStatus PrepareNode(TfLiteContext* context, TfLiteNode* node, Node* own);
  void Replace(StandIn::Why why, int tensor, std::string text, Node* own);
  TfLiteStatus GiveShapesOfFile(TfLiteContext* context, const Node& own);
  bool HasShape(const TfLiteTensor& tensor) const;

  ErrorLog* const log_;
  bool open_inputs_ = false;  // the file leaves dimensions of the model's inputs open
  std::vector<std::unique_ptr<Node>> nodes_;
  std::set<std::pair<int, int>> unknown_;  // subgraph, tensor: there is no shape
};

// A line for each operation that keeps the model from running as it is: what the application has to
// register, or what else helps.
std::vector<std::string> NeedsOf(const std::vector<StandIn>& stand_ins);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ENGINE_STAND_INS_H_
