// SPDX-License-Identifier: Apache-2.0
// Checks of a model file: those of loading, and those of an op resolver.
#include "tensorflow/lite/core/tools/verifier.h"

#include <set>
#include <span>
#include <string>

#include "api/interpreter/file_bytes.h"
#include "model/verify_model.h"
#include "tensorflow/lite/core/model_builder.h"
#include "tensorflow/lite/schema/schema_utils.h"
#include "tensorflow/lite/util.h"
#include "tensorflow/lite/version.h"

namespace tflite {
namespace {

// The loaded model, null when it is none. The reporter is not null.
FlatBufferModel::Ptr Load(const void* buf, size_t len, ErrorReporter* reporter) {
  FlatBufferModel::Ptr model =
      FlatBufferModel::BuildFromBuffer(static_cast<const char*>(buf), len, reporter);
  if (model == nullptr) return nullptr;
  if ((*model)->version() != TFLITE_SCHEMA_VERSION) {
    reporter->Report("Invalid model version %d", static_cast<int>((*model)->version()));
    return nullptr;
  }
  const std::span<const uint8_t> file = tern::FileBytes(model->allocation());
  const tern::Status status = tern::VerifyFormat(*model->GetModel(), file);
  if (!status.ok()) {
    reporter->Report("%s", std::string(tern::Message(status)).c_str());
    return nullptr;
  }
  return model;
}

std::set<uint32_t> OpCodesThatRun(const Model& model) {
  std::set<uint32_t> used;
  for (const SubGraph* subgraph : *model.subgraphs()) {
    if (subgraph->operators() == nullptr) continue;
    if (subgraph->name() != nullptr && IsValidationSubgraph(subgraph->name()->c_str())) continue;
    for (const Operator* op : *subgraph->operators()) used.insert(op->opcode_index());
  }
  return used;
}

bool IsKnown(const OperatorCode& code, const OpResolver& resolver, ErrorReporter* reporter) {
  const BuiltinOperator builtin = GetBuiltinCode(&code);
  if (builtin == BuiltinOperator_CUSTOM) {
    const char* name = code.custom_code()->c_str();
    if (resolver.FindOp(name, code.version()) != nullptr) return true;
    if (*name == '\0') {
      reporter->Report("Invalid custom op name, cannot be null/empty.");
      return false;
    }
    reporter->Report("Unsupported custom op: %s, version: %d", name, code.version());
    return false;
  }
  if (resolver.FindOp(builtin, code.version()) != nullptr) return true;
  reporter->Report("Unsupported builtin op: %s, version: %d", EnumNameBuiltinOperator(builtin),
                   code.version());
  return false;
}

ErrorReporter* OrDefault(ErrorReporter* reporter) {
  return reporter != nullptr ? reporter : DefaultErrorReporter();
}

}  // namespace

bool Verify(const void* buf, size_t len, ErrorReporter* error_reporter) {
  return Load(buf, len, OrDefault(error_reporter)) != nullptr;
}

bool Verify(const void* buf, size_t len, const OpResolver& resolver,
            ErrorReporter* error_reporter) {
  error_reporter = OrDefault(error_reporter);
  const FlatBufferModel::Ptr model = Load(buf, len, error_reporter);
  if (model == nullptr) return false;
  for (uint32_t index : OpCodesThatRun(*model->GetModel())) {
    if (!IsKnown(*(*model)->operator_codes()->Get(index), resolver, error_reporter)) return false;
  }
  return true;
}

}  // namespace tflite
