// SPDX-License-Identifier: Apache-2.0
// The order of the checks: container, op codes, each subgraph's tensors and graph, signatures.

#include "model/verify_model.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "model/file_kind.h"
#include "model/metadata.h"
#include "model/signatures.h"
#include "model/vectors.h"
#include "model/verify_context.h"
#include "tensorflow/lite/schema/schema_utils.h"

namespace tern {
namespace {

constexpr size_t kHeaderSize = 8;  // root offset and identifier
constexpr uint32_t kMaxDepth = 64;
constexpr uint64_t kMaxTables = 1000000;

constexpr size_t kMaxOfName = 60;

std::string NameText(const flatbuffers::String& name) {
  return Printable(name.string_view(), kMaxOfName);
}

// Completes a complaint about the front of a file.
std::string WhatItIs(std::span<const uint8_t> file) {
  const std::string kind = DescribeForeignFile(file);
  return kind.empty() ? "" : StrCat(" The file is ", kind, ".");
}

// The schema's checks are thousands of tiny functions in a row; inlined, they take two thirds of
// the time.
[[gnu::flatten]] bool IsSoundBuffer(flatbuffers::Verifier& verifier) {
  return tflite::VerifyModelBuffer(verifier);
}

Status VerifyOpCodes(VerifyContext& context) {
  const auto* entries = context.model().operator_codes();
  context.codes().reserve(SizeOf(entries));
  for (uint32_t i = 0; i < SizeOf(entries); ++i) {
    const tflite::OperatorCode* entry = entries->Get(i);
    const tflite::BuiltinOperator code = tflite::GetBuiltinCode(entry);
    if (code < 0 || code > tflite::BuiltinOperator_MAX) {
      return Invalid("Op builtin_code out of range: ", static_cast<int>(code), " (operator code #",
                     i, "). The model may need a newer runtime.");
    }
    if (code == tflite::BuiltinOperator_CUSTOM && entry->custom_code() == nullptr) {
      return Invalid("Operator with CUSTOM builtin_code has no custom_code (operator code #", i,
                     ").");
    }
    context.codes().push_back(code);
  }
  return OkStatus();
}

// `flags` is memory that the subgraphs share.
Status VerifySubgraph(VerifyContext& context, uint32_t index, TensorFlags& flags) {
  TERN_RETURN_IF_ERROR(VerifyTensors(context, index, flags));
  return VerifyGraph(context, index, flags);
}

// Names of a file may overlap, and whoever reads signatures copies them.
Status SpendNames(VerifyContext& context,
                  const flatbuffers::Vector<flatbuffers::Offset<tflite::TensorMap>>* maps) {
  for (uint32_t i = 0; i < SizeOf(maps); ++i) {
    TERN_RETURN_IF_ERROR(context.Spend(uint64_t{1} + SizeOf(maps->Get(i)->name())));
  }
  return OkStatus();
}

Status VerifySignatures(VerifyContext& context) {
  const auto* defs = context.model().signature_defs();
  for (uint32_t i = 0; i < SizeOf(defs); ++i) {
    TERN_RETURN_IF_ERROR(context.Spend(SizeOf(defs->Get(i)->signature_key())));
    TERN_RETURN_IF_ERROR(SpendNames(context, defs->Get(i)->inputs()));
    TERN_RETURN_IF_ERROR(SpendNames(context, defs->Get(i)->outputs()));
  }
  return CheckSignatures(context.model());
}

}  // namespace

std::string OpLabel(const VerifyContext& context, uint32_t subgraph, uint32_t index) {
  const tflite::Model& model = context.model();
  const tflite::Operator& op = *model.subgraphs()->Get(subgraph)->operators()->Get(index);
  std::string name = "operator";
  if (op.opcode_index() < SizeOf(model.operator_codes())) {
    name = tflite::EnumNameBuiltinOperator(context.CodeOf(op));
    const auto* custom = model.operator_codes()->Get(op.opcode_index())->custom_code();
    if (context.CodeOf(op) == tflite::BuiltinOperator_CUSTOM && custom != nullptr) {
      name += " " + NameText(*custom);
    }
  }
  const std::string where = subgraph == 0 ? "" : StrCat("subgraph ", subgraph, ": ");
  return StrCat(where, name, " #", index);
}

std::string TensorLabel(const tflite::SubGraph& subgraph, uint32_t subgraph_index, uint32_t index) {
  const std::string where = subgraph_index == 0 ? "" : StrCat("subgraph ", subgraph_index, ": ");
  const auto* name = subgraph.tensors()->Get(index)->name();
  std::string label = StrCat(where, "tensor #", index);
  if (SizeOf(name) == 0) return label;
  return StrCat(label, " (", NameText(*name), ")");
}

std::string NamedTensor(const tflite::Tensor& tensor) {
  const bool strings = tensor.type() == tflite::TensorType_STRING;
  return StrCat(strings ? "String tensor" : "Tensor", " ",
                SizeOf(tensor.name()) == 0 ? "" : NameText(*tensor.name()));
}

Status VerifyContainer(std::span<const uint8_t> file) {
  if (file.size() < kHeaderSize) {
    return Invalid("Model provided must have at least 7 bytes to hold identifier.", WhatItIs(file));
  }
  if (!tflite::ModelBufferHasIdentifier(file.data())) {
    const std::string_view found(reinterpret_cast<const char*>(file.data()) + 4, 4);
    const std::string what = WhatItIs(file);
    return Invalid("Model provided has model identifier '", Printable(found, 4), "', should be '",
                   tflite::ModelIdentifier(), what.empty() ? "'" : "'.", what);
  }
  const auto size = std::min<uint64_t>(file.size(), FLATBUFFERS_MAX_BUFFER_SIZE - 1);
  flatbuffers::Verifier::Options options;
  options.max_depth = kMaxDepth;
  // A table and the reference to it take 8 bytes, so a sound file cannot have more.
  options.max_tables = static_cast<uint32_t>(std::min<uint64_t>(kMaxTables, size / 4 + 16));
  flatbuffers::Verifier verifier(file.data(), static_cast<size_t>(size), options);
  if (!IsSoundBuffer(verifier)) {
    return Invalid("The model is not a valid Flatbuffer buffer: ", DescribeDamage(file));
  }
  return OkStatus();
}

Status VerifyModel(const tflite::Model& model, std::span<const uint8_t> file) {
  VerifyContext context(model, file);
  TERN_RETURN_IF_ERROR(VerifyOpCodes(context));
  TensorFlags flags;
  for (uint32_t i = 0; i < SizeOf(model.subgraphs()); ++i) {
    TERN_RETURN_IF_ERROR(VerifySubgraph(context, i, flags));
  }
  return VerifySignatures(context);
}

Status VerifyModelFile(std::span<const uint8_t> file) {
  TERN_RETURN_IF_ERROR(VerifyContainer(file));
  return VerifyModel(*tflite::GetModel(file.data()), file);
}

}  // namespace tern
