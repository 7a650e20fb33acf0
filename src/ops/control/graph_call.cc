// SPDX-License-Identifier: Apache-2.0
// Results are copied out of the graph's outputs, which live in its memory.
#include "ops/control/graph_call.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "abi/called_graph.h"

namespace tern {
namespace {

bool SameShape(const TfLiteTensor* a, const TfLiteTensor* b) {
  return a->dims != nullptr && b->dims != nullptr && TfLiteIntArrayEqual(a->dims, b->dims);
}

// Whether the bytes of a tensor do not follow from its shape.
bool HasOpenSize(const TfLiteTensor* t) {
  return t->type == kTfLiteString || t->type == kTfLiteResource || t->type == kTfLiteVariant;
}

Status CheckSameTypes(const TfLiteTensor* a, const TfLiteTensor* b, const char* what, int i) {
  if (a->type == b->type) return OkStatus();
  return Invalid(what, " ", i, " has another type (", TypeText(a->type), ", ", TypeText(b->type),
                 ")");
}

}  // namespace

Status CopyTensor(const OpCall& call, const TfLiteTensor* from, TfLiteTensor* to) {
  if (from == to) return OkStatus();
  if (IsDynamic(to) && !SameShape(from, to)) {
    TERN_RETURN_IF_ERROR(call.SetShape(to, ShapeOf(from)));
  }
  if (from->allocation_type == kTfLiteVariantObject) {
    to->bytes = from->bytes;
    return TfLiteTensorCopy(from, to) == kTfLiteOk ? OkStatus() : Invalid("a variant is no copy");
  }
  if (IsDynamic(to) && (to->bytes != from->bytes || to->data.raw == nullptr) &&
      TfLiteTensorRealloc(from->bytes, to) != kTfLiteOk) {
    return TooLarge("no memory for a tensor of ", from->bytes, " bytes");
  }
  if (to->bytes != from->bytes) {
    return Invalid("a tensor has another size than its argument (", to->bytes, ", ", from->bytes,
                   " bytes)");
  }
  if (from->bytes == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(from, "argument"));
  if (to->data.raw == nullptr) return Invalid("a tensor has no memory");
  std::memcpy(to->data.raw, from->data.raw_const, from->bytes);
  return OkStatus();
}

std::string GraphCall::Text() const {
  return StrCat(name_, " (subgraph ", graph_->GetSubgraphIndex(), ")");
}

Status GraphCall::Find(const OpCall& call, int index, const char* name, int inputs, int outputs) {
  const auto& graphs = *static_cast<tflite::Subgraph*>(call.context()->impl_)->GetSubgraphs();
  name_ = name;
  if (index < 0 || static_cast<size_t>(index) >= graphs.size()) {
    return Invalid("the subgraph of ", name, " is out of range (", index, ", ", graphs.size(), ")");
  }
  graph_ = graphs[static_cast<size_t>(index)].get();
  if (graph_->inputs().size() != static_cast<size_t>(inputs) ||
      graph_->outputs().size() != static_cast<size_t>(outputs)) {
    return Invalid(Text(), " has ", graph_->inputs().size(), " inputs and ",
                   graph_->outputs().size(), " outputs (", inputs, " and ", outputs, " needed)");
  }
  for (int i = 0; i < outputs; ++i) {
    if (result(i) == nullptr) return Invalid("output ", i, " of ", Text(), " is missing");
  }
  ReadUses();
  return OkStatus();
}

void GraphCall::ReadUses() {
  const std::vector<int> counts = graph_->GetInputTensorsCount();
  std::vector<bool> written(counts.size(), false);
  for (const int node : graph_->execution_plan()) {
    const TfLiteIntArray* outputs = graph_->node_and_registration(node)->first.outputs;
    for (int o = 0; o < outputs->size; ++o) {
      if (outputs->data[o] != kTfLiteOptionalTensor) written[outputs->data[o]] = true;
    }
  }
  used_.clear();
  written_.clear();
  for (const int input : graph_->inputs()) {
    const bool present = input != kTfLiteOptionalTensor;
    used_.push_back(present && counts[static_cast<size_t>(input)] > 0);
    written_.push_back(present && written[static_cast<size_t>(input)]);
  }
}

int GraphCall::InputOfResult(int i) const {
  const std::vector<int>& inputs = graph_->inputs();
  const auto found = std::find(inputs.begin(), inputs.end(), graph_->outputs()[i]);
  if (found == inputs.end() || written_[found - inputs.begin()]) return -1;
  return static_cast<int>(found - inputs.begin());
}

Status GraphCall::PrepareInput(int i, const TfLiteTensor& argument) {
  const int index = graph_->inputs()[i];
  if (input(i)->type != argument.type && SetInputType(graph_, index, argument.type) != kTfLiteOk) {
    return Invalid("input ", i, " of ", Text(), " cannot get the type ", TypeText(argument.type));
  }
  if (!SameShape(&argument, input(i))) {
    const std::vector<int> dims(argument.dims->data, argument.dims->data + argument.dims->size);
    if (graph_->ResizeInputTensor(index, dims) != kTfLiteOk) {
      return Invalid("input ", i, " of ", Text(), " cannot get the shape ",
                     ShapeText(ShapeOf(&argument)));
    }
  }
  if (!written_[i]) BorrowInput(graph_, index);
  return OkStatus();
}

Status GraphCall::Prepare(const Arguments& arguments) {
  for (int i = 0; i < static_cast<int>(used_.size()); ++i) {
    if (!used_[i]) continue;
    const TfLiteTensor* from = arguments(i);
    if (from == nullptr || from->dims == nullptr) {
      return Invalid("argument ", i, " of ", Text(), " is missing");
    }
    TERN_RETURN_IF_ERROR(PrepareInput(i, *from));
  }
  if (!IsReady(*graph_) && AllocateForCaller(graph_) != kTfLiteOk) {
    return Invalid(Text(), " cannot be prepared");
  }
  return OkStatus();
}

Status GraphCall::Run(const OpCall& call, const Arguments& arguments) {
  TERN_RETURN_IF_ERROR(Prepare(arguments));
  for (int i = 0; i < static_cast<int>(used_.size()); ++i) {
    if (!used_[i]) continue;
    const TfLiteTensor* from = arguments(i);
    if (IsBorrowed(*graph_, graph_->inputs()[i])) {
      TERN_RETURN_IF_ERROR(WithPrefix(CheckData(from, "argument"), Text()));
      input(i)->data.raw = from->data.raw;
    } else {
      TERN_RETURN_IF_ERROR(WithPrefix(CopyTensor(call, from, input(i)), Text()));
    }
  }
  const TfLiteStatus status = graph_->Invoke();
  if (status == kTfLiteCancelled) return Cancelled(Text(), " was cancelled");
  if (status != kTfLiteOk) return Invalid(Text(), " failed");
  for (const int output : graph_->outputs()) {
    if (graph_->EnsureTensorDataIsReadable(output) != kTfLiteOk) {
      return Invalid("a result of ", Text(), " cannot be read");
    }
  }
  return OkStatus();
}

void GraphCall::ProfileAllocation() {
  if (!IsReady(*graph_)) return;
  TFLITE_SCOPED_TAGGED_DEFAULT_PROFILE(graph_->GetProfiler(), "AllocateTensors");
}

bool GraphCall::HasUnknownResults() const {
  if (graph_->HasDynamicTensors()) return true;
  for (int i = 0; i < results(); ++i) {
    if (IsDynamic(result(i)) || HasOpenSize(result(i))) return true;
  }
  return false;
}

Status SetOutputsTo(const OpCall& call, const std::vector<const GraphCall*>& graphs) {
  bool unknown = false;
  for (const GraphCall* graph : graphs) {
    unknown = unknown || graph->HasUnknownResults();
    for (int i = 0; i < call.outputs(); ++i) {
      if (call.output(i) == nullptr) return Invalid("output ", i, " is missing");
      TERN_RETURN_IF_ERROR(
          CheckSameTypes(graphs.front()->result(i), graph->result(i), "result", i));
      unknown = unknown || !SameShape(graph->result(i), graphs.front()->result(i));
    }
  }
  for (int i = 0; i < call.outputs(); ++i) {
    TfLiteTensor* output = call.output(i);
    SetOutputType(static_cast<tflite::Subgraph*>(call.context()->impl_), output,
                  graphs.front()->result(i)->type);
    if (unknown) {
      MakeDynamic(output);
    } else {
      TERN_RETURN_IF_ERROR(call.SetShape(output, ShapeOf(graphs.front()->result(i))));
    }
  }
  return OkStatus();
}

Status CopyToOutputs(const OpCall& call, const Arguments& values) {
  for (int i = 0; i < call.outputs(); ++i) {
    TERN_RETURN_IF_ERROR(
        WithPrefix(CopyTensor(call, values(i), call.output(i)), StrCat("output ", i)));
  }
  return OkStatus();
}

}  // namespace tern
