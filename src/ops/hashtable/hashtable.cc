// SPDX-License-Identifier: Apache-2.0
// HASHTABLE: -> handle. HASHTABLE_IMPORT: handle, keys, values ->. HASHTABLE_FIND: handle, keys,
// default -> values of the keys' shape. HASHTABLE_SIZE: handle -> INT64 [1].
#include "ops/cpu_kit/resource_handle.h"
#include "ops/cpu_registry.h"
#include "tensorflow/lite/experimental/resource/lookup_interfaces.h"

namespace tern {
namespace {

using tflite::resource::GetHashtableResource;
using tflite::resource::LookupInterface;

Status CheckTableHandle(const TfLiteTensor* handle) {
  if (handle->type == kTfLiteResource) return OkStatus();
  return Invalid("the handle must be of type RESOURCE (", TypeText(handle->type), ")");
}

StatusOr<LookupInterface*> TableOf(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const int32_t number, ReadHandle(call.input(0)));
  LookupInterface* table = GetHashtableResource(&ResourcesOf(call), number);
  if (table == nullptr) return Invalid("there is no table ", number);
  return table;
}

// The table's own words went to the error reporter.
Status Succeeded(TfLiteStatus status, const char* what) {
  return status == kTfLiteOk ? OkStatus() : Invalid(what);
}

bool Suits(TfLiteType key, TfLiteType value) {
  return (key == kTfLiteInt64 && value == kTfLiteString) ||
         (key == kTfLiteString && value == kTfLiteInt64);
}

class Hashtable : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "HASHTABLE"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(0, 0, 1));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckTableHandle(call.output(0)));
    const auto& params = call.params<TfLiteHashtableParams>();
    if (!Suits(params.key_dtype, params.value_dtype)) {
      return Unsupported("keys and values must be INT64 and STRING or STRING and INT64 (",
                         TypeText(params.key_dtype), ", ", TypeText(params.value_dtype), ")");
    }
    TERN_RETURN_IF_ERROR(MakeHandle(call, call.output(0), params.table_id));
    return call.SetShape(call.output(0), {1});
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "handle"));
    const auto& params = call.params<TfLiteHashtableParams>();
    *MutableData<int32_t>(call.output(0)) = params.table_id;
    return Succeeded(tflite::resource::CreateHashtableResourceIfNotAvailable(
                         &ResourcesOf(call), params.table_id, params.key_dtype, params.value_dtype),
                     "the number of the table belongs to another resource");
  }
};

class HashtableImport : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "HASHTABLE_IMPORT"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 0));
    TERN_RETURN_IF_ERROR(CheckTableHandle(call.input(0)));
    const TfLiteTensor *keys = call.input(1), *values = call.input(2);
    if (!Suits(keys->type, values->type)) {
      return Unsupported("keys and values must be INT64 and STRING or STRING and INT64 (",
                         TypeText(keys->type), ", ", TypeText(values->type), ")");
    }
    if (ShapeOf(keys) == ShapeOf(values)) return OkStatus();
    return Invalid("keys and values must have the same shape (", ShapeText(ShapeOf(keys)), ", ",
                   ShapeText(ShapeOf(values)), ")");
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(LookupInterface* const table, TableOf(call));
    TERN_RETURN_IF_ERROR(
        Succeeded(table->CheckKeyAndValueTypes(call.context(), call.input(1), call.input(2)),
                  "keys or values have another type than the table"));
    return Succeeded(table->Import(call.context(), call.input(1), call.input(2)),
                     "the table cannot be filled");
  }
};

class HashtableFind : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "HASHTABLE_FIND"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
    TERN_RETURN_IF_ERROR(CheckTableHandle(call.input(0)));
    const TfLiteTensor *keys = call.input(1), *preset = call.input(2);
    TfLiteTensor* values = call.output(0);
    TERN_RETURN_IF_ERROR(CheckSameType(preset, values, "default and output"));
    if (!Suits(keys->type, values->type)) {
      return Unsupported("keys and values must be INT64 and STRING or STRING and INT64 (",
                         TypeText(keys->type), ", ", TypeText(values->type), ")");
    }
    if (Elements(preset) != 1) {
      return Invalid("default must have one element (shape ", ShapeText(ShapeOf(preset)), ")");
    }
    return call.SetShape(values, ShapeOf(keys));
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(LookupInterface* const table, TableOf(call));
    TERN_RETURN_IF_ERROR(
        Succeeded(table->CheckKeyAndValueTypes(call.context(), call.input(1), call.output(0)),
                  "keys or values have another type than the table"));
    return Succeeded(table->Lookup(call.context(), call.input(1), call.output(0), call.input(2)),
                     "the table cannot be read");
  }
};

class HashtableSize : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "HASHTABLE_SIZE"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckTableHandle(call.input(0)));
    TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt64, "output"));
    return call.SetShape(call.output(0), {1});
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(LookupInterface* const table, TableOf(call));
    *MutableData<int64_t>(call.output(0)) = static_cast<int64_t>(table->Size());
    return OkStatus();
  }
};

}  // namespace

TfLiteRegistration HashtableRegistration(OpForm form) { return MakeRegistration<Hashtable>(form); }
TfLiteRegistration HashtableImportRegistration(OpForm form) {
  return MakeRegistration<HashtableImport>(form);
}
TfLiteRegistration HashtableFindRegistration(OpForm form) {
  return MakeRegistration<HashtableFind>(form);
}
TfLiteRegistration HashtableSizeRegistration(OpForm form) {
  return MakeRegistration<HashtableSize>(form);
}

}  // namespace tern
