// SPDX-License-Identifier: Apache-2.0
// VAR_HANDLE: -> handle. ASSIGN_VARIABLE: handle, value ->. READ_VARIABLE: handle -> value. A
// handle is a number; all graphs of an interpreter have the same variables.
#include <cstring>
#include <string>
#include <utility>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/experimental/resource/resource_variable.h"

namespace tern {
namespace {

using tflite::resource::GetResourceVariable;
using tflite::resource::ResourceVariable;

tflite::Subgraph& GraphOf(const OpCall& call) {
  return *static_cast<tflite::Subgraph*>(call.context()->impl_);
}

Status CheckHandle(const TfLiteTensor* handle) {
  if (handle->type != kTfLiteResource && handle->type != kTfLiteInt32) {
    return Invalid("the handle must be of type RESOURCE (", TypeText(handle->type), ")");
  }
  return OkStatus();
}

// The number in a handle.
StatusOr<int32_t> ReadHandle(const OpCall& call) {
  const TfLiteTensor* handle = call.input(0);
  if (handle->data.raw == nullptr || handle->bytes < sizeof(int32_t)) {
    return Invalid("the handle has no value");
  }
  return *Data<int32_t>(handle);
}

class VarHandle : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "VAR_HANDLE"; }

  // Numbers are given in the order in which names first appear.
  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(0, 0, 1));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckHandle(call.output(0)));
    const auto& params = call.params<TfLiteVarHandleParams>();
    const auto text = [](const char* name) { return std::string(name == nullptr ? "" : name); };
    auto& ids = GraphOf(call).resource_ids();
    const auto key = std::make_pair(text(params.container), text(params.shared_name));
    id_ = ids.emplace(key, static_cast<int>(ids.size())).first->second;
    TfLiteTensor* handle = call.output(0);
    MakeDynamic(handle);
    if (TfLiteTensorRealloc(sizeof(int32_t), handle) != kTfLiteOk) {
      return TooLarge("no memory for a handle");
    }
    handle->bytes = sizeof(int32_t);
    *MutableData<int32_t>(handle) = id_;
    return OkStatus();
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
    return CheckHandle(call.input(0));
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const int32_t id, ReadHandle(call));
    auto& resources = GraphOf(call).resources();
    tflite::resource::CreateResourceVariableIfNotAvailable(&resources, id);
    ResourceVariable* variable = GetResourceVariable(&resources, id);
    if (variable == nullptr) return Invalid("resource ", id, " is not a variable");
    if (variable->AssignFrom(call.input(1)) == kTfLiteOk) return OkStatus();
    return Invalid("variable ", id, " cannot take the value");
  }
};

class ReadVariable : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "READ_VARIABLE"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckHandle(call.input(0)));
    MakeDynamic(call.output(0));
    return OkStatus();
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const int32_t id, ReadHandle(call));
    ResourceVariable* variable = GetResourceVariable(&GraphOf(call).resources(), id);
    if (variable == nullptr || !variable->IsInitialized()) {
      return Invalid("variable ", id, " has no value yet");
    }
    const TfLiteTensor* value = variable->GetTensor();
    TfLiteTensor* output = call.output(0);
    if (value->type != output->type) {
      return Invalid("variable ", id, " has another type (", TypeText(value->type), ", ",
                     TypeText(output->type), ")");
    }
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
