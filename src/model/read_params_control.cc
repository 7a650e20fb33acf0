// SPDX-License-Identifier: Apache-2.0
// Parameters of control flow, variables and tables.

#include <cstring>

#include "model/read_params_internal.h"

namespace tern {

Status Fill(const tflite::IfOptions& from, TfLiteIfParams& to) {
  to.then_subgraph_index = from.then_subgraph_index();
  to.else_subgraph_index = from.else_subgraph_index();
  return OkStatus();
}

Status Fill(const tflite::WhileOptions& from, TfLiteWhileParams& to) {
  to.cond_subgraph_index = from.cond_subgraph_index();
  to.body_subgraph_index = from.body_subgraph_index();
  return OkStatus();
}

Status Fill(const tflite::CallOnceOptions& from, TfLiteCallOnceParams& to) {
  to.init_subgraph_index = from.init_subgraph_index();
  return OkStatus();
}

Status Fill(const tflite::HashtableOptions& from, TfLiteHashtableParams& to) {
  to.table_id = from.table_id();
  TERN_RETURN_IF_ERROR(ReadType(from.key_dtype(), to.key_dtype));
  return ReadType(from.value_dtype(), to.value_dtype);
}

// The two names lie after the struct; an absent name is empty.
template <>
StatusOr<void*> Read<tflite::VarHandleOptions, TfLiteVarHandleParams>(const tflite::Operator& op) {
  const auto* options = op.builtin_options_as_VarHandleOptions();
  const auto* container = options != nullptr ? options->container() : nullptr;
  const auto* shared_name = options != nullptr ? options->shared_name() : nullptr;
  const size_t container_size = SizeOf(container);
  auto* params = NewParams<TfLiteVarHandleParams>(container_size + SizeOf(shared_name) + 2);
  if (params == nullptr) return NoParamsMemory();
  char* text = reinterpret_cast<char*>(params + 1);
  params->container = text;
  if (container != nullptr) std::memcpy(text, container->c_str(), container_size);
  text += container_size + 1;
  params->shared_name = text;
  if (shared_name != nullptr) std::memcpy(text, shared_name->c_str(), shared_name->size());
  return static_cast<void*>(params);
}

}  // namespace tern
