// SPDX-License-Identifier: Apache-2.0
// Preparations on the way through, and shapes from the file where they end.
#include "cli/engine/stand_ins.h"

#include <algorithm>
#include <deque>

#include "absl/strings/str_cat.h"
#include "cli/engine/engine.h"
#include "model/file_kind.h"
#include "tensorflow/lite/array.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::cli {
namespace {

TfLiteStatus FailToRun(TfLiteContext* context) {
  context->ReportError(context, "An operation that only stands in for another cannot run.");
  return kTfLiteError;
}
// Of an unknown custom operation, and of a version that is unknown; different functions.
TfLiteStatus InvokeCustom(TfLiteContext* context, TfLiteNode*) { return FailToRun(context); }
TfLiteStatus InvokeVersion(TfLiteContext* context, TfLiteNode* node) {
  (void)node->outputs;
  return FailToRun(context);
}

std::string NameOf(const TfLiteRegistration& op) {
  if (op.builtin_code == kTfLiteBuiltinCustom)
    return op.custom_name == nullptr ? "" : op.custom_name;
  return tflite::EnumNameBuiltinOperator(static_cast<tflite::BuiltinOperator>(op.builtin_code));
}

// Whether its memory is the runtime's to place, so that it has a shape before the run.
bool IsPlain(const TfLiteTensor& tensor) {
  return tensor.type != kTfLiteString && tensor.type != kTfLiteResource &&
         tensor.type != kTfLiteVariant && tensor.allocation_type != kTfLiteMmapRo;
}

std::vector<int> DimsOf(const TfLiteIntArray* dims) {
  return dims == nullptr ? std::vector<int>()
                         : std::vector<int>(dims->data, dims->data + dims->size);
}

}  // namespace

// Registrations of what it is asked for, for good: interpreters keep the names.
class AnyOpResolver::Others : public tflite::OpResolver {
 public:
  const TfLiteRegistration* FindOp(tflite::BuiltinOperator op, int version) const override {
    return Make(tflite::EnumNameBuiltinOperator(op), version, InvokeVersion);
  }
  const TfLiteRegistration* FindOp(const char* op, int version) const override {
    return Make(op, version, InvokeCustom);
  }

 private:
  using Invoke = TfLiteStatus (*)(TfLiteContext*, TfLiteNode*);
  static const TfLiteRegistration* Make(const char* name, int version, Invoke invoke) {
    static auto* const names = new std::deque<std::string>;
    static auto* const made = new std::deque<TfLiteRegistration>;
    TfLiteRegistration one{};
    one.invoke = invoke;
    one.builtin_code = kTfLiteBuiltinCustom;
    one.custom_name = names->emplace_back(name == nullptr ? "" : name).c_str();
    one.version = version;
    return &made->emplace_back(one);
  }
};

AnyOpResolver::AnyOpResolver() : others_(std::make_shared<const Others>()) {
  ChainOpResolver(others_.get());
}

struct StandIns::Node {
  StandIns* owner = nullptr;
  TfLiteRegistration* registration = nullptr;
  TfLiteStatus (*prepare)(TfLiteContext*, TfLiteNode*) = nullptr;  // of the operation
  std::vector<std::pair<int, std::vector<int>>> outputs;           // with their shapes in the file
  StandIn reported;
  bool replaced = false;
};

std::map<const TfLiteIntArray*, StandIns::Node*>& StandIns::Known() {
  static auto* const nodes = new std::map<const TfLiteIntArray*, Node*>;
  return *nodes;
}

StandIns::StandIns(tflite::Interpreter* interpreter, ErrorLog* log) : log_(log) {
  for (const int input : interpreter->inputs()) {
    const std::vector<int> dims = DimsOf(interpreter->tensor(input)->dims_signature);
    open_inputs_ = open_inputs_ || std::count(dims.begin(), dims.end(), -1) != 0;
  }
  for (size_t g = 0; g < interpreter->subgraphs_size(); ++g) {
    tflite::Subgraph& graph = *interpreter->subgraph(static_cast<int>(g));
    for (const int index : graph.execution_plan()) {
      auto& [node, registration] = graph.nodes_and_registration()[static_cast<size_t>(index)];
      if (registration.registration_external != nullptr) continue;
      auto own = std::make_unique<Node>();
      own->owner = this;
      own->registration = &registration;
      own->prepare = registration.prepare;
      own->reported.subgraph = static_cast<int>(g);
      own->reported.node = index;
      own->reported.op = NameOf(registration);
      for (const int id : DimsOf(node.outputs)) {
        if (id >= 0) own->outputs.emplace_back(id, DimsOf(graph.tensor(id)->dims));
      }
      const bool version = registration.invoke == InvokeVersion;
      if (version || registration.invoke == InvokeCustom) {
        Replace(version ? StandIn::Why::kUnknownVersion : StandIn::Why::kUnknownOp, -1, "",
                own.get());
      }
      registration.prepare = Prepare;
      Known()[node.outputs] = own.get();
      nodes_.push_back(std::move(own));
    }
  }
}

StandIns::~StandIns() {
  std::erase_if(Known(), [this](const auto& known) { return known.second->owner == this; });
}

TfLiteStatus StandIns::Prepare(TfLiteContext* context, TfLiteNode* node) {
  const auto known = Known().find(node->outputs);
  if (known == Known().end()) return kTfLiteError;
  return known->second->owner->PrepareNode(context, node, known->second);
}

TfLiteStatus StandIns::PrepareNode(TfLiteContext* context, TfLiteNode* node, Node* own) {
  if (own->replaced) return GiveShapesOfFile(context, *own);
  for (const int id : DimsOf(node->inputs)) {
    if (unknown_.count({own->reported.subgraph, id}) == 0) continue;
    Replace(StandIn::Why::kUnknownShape, id, "", own);
    return GiveShapesOfFile(context, *own);
  }
  if (own->prepare == nullptr) return kTfLiteOk;
  const std::string before = log_->Take();
  const TfLiteStatus status = own->prepare(context, node);
  std::string text = log_->Take();
  if (!before.empty()) log_->Report("%s", before.c_str());
  if (status == kTfLiteOk || status == kTfLiteOutputShapeNotKnown) return status;
  Replace(StandIn::Why::kFails, -1, std::move(text), own);
  return GiveShapesOfFile(context, *own);
}

void StandIns::Replace(StandIn::Why why, int tensor, std::string text, Node* own) {
  own->replaced = true;
  own->reported.why = why;
  own->reported.tensor = tensor;
  own->reported.text = std::move(text);
  // A delegate takes no operation of this name.
  own->registration->builtin_code = kTfLiteBuiltinCustom;
  own->registration->custom_name = own->reported.op.c_str();
}

bool StandIns::HasShape(const TfLiteTensor& tensor) const {
  const std::vector<int> open = DimsOf(tensor.dims_signature);
  return tensor.dims != nullptr && tensor.dims->size > 0 &&
         (open_inputs_ || std::count(open.begin(), open.end(), -1) == 0);
}

TfLiteStatus StandIns::GiveShapesOfFile(TfLiteContext* context, const Node& own) {
  for (const auto& [id, dims] : own.outputs) {
    TfLiteTensor& tensor = context->tensors[id];
    if (!IsPlain(tensor)) continue;
    if (tensor.allocation_type == kTfLiteDynamic) tensor.allocation_type = kTfLiteArenaRw;
    const TfLiteStatus status =
        context->ResizeTensor(context, &tensor, tflite::BuildTfLiteArray<int>(dims).release());
    if (status != kTfLiteOk) return status;
    if (!HasShape(tensor)) unknown_.emplace(own.reported.subgraph, id);
  }
  return kTfLiteOk;
}

std::vector<StandIn> StandIns::All() const {
  std::vector<StandIn> all;
  for (const std::unique_ptr<Node>& node : nodes_) {
    if (node->replaced) all.push_back(node->reported);
  }
  return all;
}

std::vector<std::string> NeedsOf(const std::vector<StandIn>& stand_ins) {
  std::vector<std::string> lines;
  for (const StandIn& one : stand_ins) {
    std::string text;
    switch (one.why) {
      case StandIn::Why::kUnknownOp:
        text = absl::StrCat(": ", WhatOpNeeds(one.op));
        break;
      case StandIn::Why::kUnknownVersion:
        text = absl::StrCat(" #", one.node, ": its version is newer than this runtime");
        break;
      case StandIn::Why::kFails:
        text = absl::StrCat(" #", one.node, ": it cannot run as it is: ", one.text);
        break;
      case StandIn::Why::kUnknownShape:
        break;
    }
    const std::string line = absl::StrCat(one.op, text);
    const bool reported = std::find(lines.begin(), lines.end(), line) != lines.end();
    if (!text.empty() && !reported) lines.push_back(line);
  }
  return lines;
}

}  // namespace tern::cli
