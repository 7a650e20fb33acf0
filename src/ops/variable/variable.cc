// SPDX-License-Identifier: Apache-2.0
// VAR_HANDLE: -> handle. ASSIGN_VARIABLE: handle, value ->. READ_VARIABLE: handle -> value. A
// handle is a number; all graphs of an interpreter have the same variables.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "ops/cpu_kit/resource_handle.h"
#include "ops/cpu_registry.h"
#include "tensorflow/lite/experimental/resource/resource_variable.h"

namespace tern {
namespace {

using tflite::resource::GetResourceVariable;
using tflite::resource::ResourceVariable;

Status CheckVariableHandle(const TfLiteTensor* handle) {
  if (handle->type != kTfLiteResource && handle->type != kTfLiteInt32) {
    return Invalid("the handle must be of type RESOURCE (", TypeText(handle->type), ")");
  }
  return OkStatus();
}

class VarHandle : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "VAR_HANDLE"; }

  // Numbers are given in the order in which names first appear.
  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(0, 0, 1));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckVariableHandle(call.output(0)));
    const auto& params = call.params<TfLiteVarHandleParams>();
    const auto text = [](const char* name) { return std::string(name == nullptr ? "" : name); };
    auto& ids = static_cast<tflite::Subgraph*>(call.context()->impl_)->resource_ids();
    const auto key = std::make_pair(text(params.container), text(params.shared_name));
    id_ = ids.emplace(key, static_cast<int>(ids.size())).first->second;
    return MakeHandle(call, call.output(0), id_);
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "handle"));
    *MutableData<int32_t>(call.output(0)) = id_;
    return OkStatus();
  }

 private:
  int32_t id_ = 0;
};

class AssignVariable : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "ASSIGN_VARIABLE"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 0));
    return CheckVariableHandle(call.input(0));
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const int32_t id, ReadHandle(call.input(0)));
    auto& resources = ResourcesOf(call);
    if (tflite::resource::CreateResourceVariableIfNotAvailable(&resources, id) != kTfLiteOk) {
      return Invalid("resource ", id, " is not a variable");
    }
    ResourceVariable* variable = GetResourceVariable(&resources, id);
    if (variable->AssignFrom(call.input(1)) == kTfLiteOk) return OkStatus();
    return Invalid("variable ", id, " cannot take the value");
  }
};

// Whether the model says of which shape values are, which a run then need not find out. It states
// [] where it does not know.
bool HasStatedShape(const TfLiteTensor* output) {
  if (IsDynamic(output) || output->dims->size == 0) return false;
  const TfLiteIntArray* open = output->dims_signature;
  return open == nullptr || std::count(open->data, open->data + open->size, -1) == 0;
}

class ReadVariable : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "READ_VARIABLE"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckVariableHandle(call.input(0)));
    if (!HasStatedShape(call.output(0))) MakeDynamic(call.output(0));
    return OkStatus();
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const int32_t id, ReadHandle(call.input(0)));
    ResourceVariable* variable = GetResourceVariable(&ResourcesOf(call), id);
    if (variable == nullptr || !variable->IsInitialized()) {
      return Invalid("variable ", id, " has no value yet");
    }
    const TfLiteTensor* value = variable->GetTensor();
    TfLiteTensor* output = call.output(0);
    if (value->type != output->type) {
      return Invalid("variable ", id, " has another type (", TypeText(value->type), ", ",
                     TypeText(output->type), ")");
    }
    // The runtime then prepares the later nodes again.
    if (ShapeOf(value) != ShapeOf(output)) MakeDynamic(output);
    TERN_RETURN_IF_ERROR(call.SetShape(output, ShapeOf(value)));
    if ((output->bytes != value->bytes || output->data.raw == nullptr) &&
        TfLiteTensorRealloc(value->bytes, output) != kTfLiteOk) {
      return TooLarge("no memory for a value of ", value->bytes, " bytes");
    }
    if (value->bytes > 0) std::memcpy(output->data.raw, value->data.raw_const, value->bytes);
    return OkStatus();
  }
};

}  // namespace

TfLiteRegistration VarHandleRegistration(OpForm form) { return MakeRegistration<VarHandle>(form); }
TfLiteRegistration AssignVariableRegistration(OpForm form) {
  return MakeRegistration<AssignVariable>(form);
}
TfLiteRegistration ReadVariableRegistration(OpForm form) {
  return MakeRegistration<ReadVariable>(form);
}

}  // namespace tern
