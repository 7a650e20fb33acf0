// SPDX-License-Identifier: Apache-2.0
// Opaque view of nodes, graphs and delegates.
#include <cstdarg>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "api/c_api/handles.h"
#include "api/c_api/opaque_handles.h"
#include "tensorflow/lite/array.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/util.h"

using tern::c_api::AnyIsNull;
using tern::c_api::GraphOf;
using tern::c_api::IsNull;
using tern::c_api::Plain;

namespace {

TfLiteStatus View(const TfLiteIntArray* array, const int** data, int* size) {
  static constexpr int kNothing = 0;
  *size = array == nullptr ? 0 : array->size;
  *data = array == nullptr ? &kNothing : array->data;
  return kTfLiteOk;
}

TfLiteStatus View(const std::vector<int>& values, const int** data, int* size) {
  *data = values.data();
  *size = static_cast<int>(values.size());
  return kTfLiteOk;
}

int EntryAt(const TfLiteIntArray* array, int position) {
  return array == nullptr || position < 0 || position >= array->size ? -1 : array->data[position];
}

// The operator that describes a plain registration: one per code, name and version, kept for the
// process, because callers get it without owning it.
TfLiteOperator* DescriptionOf(const TfLiteRegistration& registration) {
  using Key = std::tuple<int, std::string, int>;
  static std::mutex* const mutex = new std::mutex;
  static auto* const known = new std::map<Key, TfLiteOperator*>;
  const std::lock_guard<std::mutex> lock(*mutex);
  const char* name = registration.custom_name;
  TfLiteOperator*& op =
      (*known)[Key(registration.builtin_code, name == nullptr ? "" : name, registration.version)];
  if (op == nullptr) {
    op = TfLiteOperatorCreate(static_cast<TfLiteBuiltinOperator>(registration.builtin_code), name,
                              registration.version, /*user_data=*/nullptr);
  }
  return op;
}

}  // namespace

const TfLiteOpaqueTensor* TfLiteOpaqueNodeGetInput(const TfLiteOpaqueContext* opaque_context,
                                                   const TfLiteOpaqueNode* opaque_node, int index) {
  if (AnyIsNull(__func__, opaque_context, opaque_node)) return nullptr;
  return reinterpret_cast<const TfLiteOpaqueTensor*>(
      tflite::GetOptionalInputTensor(Plain(opaque_context), Plain(opaque_node), index));
}

TfLiteOpaqueTensor* TfLiteOpaqueNodeGetOutput(TfLiteOpaqueContext* opaque_context,
                                              const TfLiteOpaqueNode* opaque_node, int index) {
  if (AnyIsNull(__func__, opaque_context, opaque_node)) return nullptr;
  return reinterpret_cast<TfLiteOpaqueTensor*>(
      tflite::GetOutput(Plain(opaque_context), Plain(opaque_node), index));
}

int TfLiteOpaqueNodeNumberOfInputs(const TfLiteOpaqueNode* opaque_node) {
  if (IsNull(opaque_node, __func__)) return 0;
  return tflite::NumInputs(Plain(opaque_node));
}

int TfLiteOpaqueNodeNumberOfOutputs(const TfLiteOpaqueNode* opaque_node) {
  if (IsNull(opaque_node, __func__)) return 0;
  return tflite::NumOutputs(Plain(opaque_node));
}

void* TfLiteOpaqueNodeGetUserData(const TfLiteOpaqueNode* opaque_node) {
  if (IsNull(opaque_node, __func__)) return nullptr;
  return Plain(opaque_node)->user_data;
}

void* TfLiteOpaqueNodeGetBuiltinData(const TfLiteOpaqueNode* opaque_node) {
  if (IsNull(opaque_node, __func__)) return nullptr;
  return Plain(opaque_node)->builtin_data;
}

TfLiteStatus TfLiteOpaqueNodeGetCustomInitialData(const TfLiteOpaqueNode* opaque_node,
                                                  const void** init_data, int* size) {
  if (AnyIsNull(__func__, opaque_node, init_data, size)) return kTfLiteError;
  *init_data = Plain(opaque_node)->custom_initial_data;
  *size = Plain(opaque_node)->custom_initial_data_size;
  return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueNodeInputs(const TfLiteOpaqueNode* opaque_node, const int** inputs,
                                    int* num_inputs) {
  if (AnyIsNull(__func__, opaque_node, inputs, num_inputs)) return kTfLiteError;
  return View(Plain(opaque_node)->inputs, inputs, num_inputs);
}

TfLiteStatus TfLiteOpaqueNodeOutputs(const TfLiteOpaqueNode* opaque_node, const int** outputs,
                                     int* num_outputs) {
  if (AnyIsNull(__func__, opaque_node, outputs, num_outputs)) return kTfLiteError;
  return View(Plain(opaque_node)->outputs, outputs, num_outputs);
}

TfLiteStatus TfLiteOpaqueNodeSetTemporaries(TfLiteOpaqueNode* opaque_node, const int* temporaries,
                                            int num_temporaries) {
  if (IsNull(opaque_node, __func__)) return kTfLiteError;
  if (num_temporaries < 0 || (num_temporaries > 0 && IsNull(temporaries, __func__))) {
    return kTfLiteError;
  }
  tflite::IntArrayUniquePtr fresh = tflite::BuildTfLiteArray(num_temporaries, temporaries);
  if (fresh == nullptr) {
    return kTfLiteError;
  }
  TfLiteIntArrayFree(Plain(opaque_node)->temporaries);
  Plain(opaque_node)->temporaries = fresh.release();
  return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueNodeTemporaries(const TfLiteOpaqueNode* opaque_node,
                                         const int** temporaries, int* num_temporaries) {
  if (AnyIsNull(__func__, opaque_node, temporaries, num_temporaries)) return kTfLiteError;
  return View(Plain(opaque_node)->temporaries, temporaries, num_temporaries);
}

int TfLiteOpaqueNodeGetInputTensorIndex(const TfLiteOpaqueNode* opaque_node, int index_of_input) {
  if (IsNull(opaque_node, __func__)) return -1;
  return EntryAt(Plain(opaque_node)->inputs, index_of_input);
}

int TfLiteOpaqueNodeGetOutputTensorIndex(const TfLiteOpaqueNode* opaque_node, int index_of_output) {
  if (IsNull(opaque_node, __func__)) return -1;
  return EntryAt(Plain(opaque_node)->outputs, index_of_output);
}

TfLiteStatus TfLiteOpaqueContextGetExecutionPlan(TfLiteOpaqueContext* opaque_context,
                                                 TfLiteIntArray** execution_plan) {
  if (AnyIsNull(__func__, opaque_context, execution_plan)) return kTfLiteError;
  return Plain(opaque_context)->GetExecutionPlan(Plain(opaque_context), execution_plan);
}

TfLiteStatus TfLiteOpaqueContextGetExternalContext(TfLiteOpaqueContext* opaque_context,
                                                   void** external_context,
                                                   TfLiteExternalContextType type) {
  if (AnyIsNull(__func__, opaque_context, external_context)) return kTfLiteError;
  *external_context = Plain(opaque_context)->GetExternalContext(Plain(opaque_context), type);
  return *external_context == nullptr ? kTfLiteError : kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueContextGetNodeAndRegistration(TfLiteOpaqueContext* opaque_context,
                                                       int node_index, TfLiteOpaqueNode** node,
                                                       TfLiteOperator** registration_external) {
  if (AnyIsNull(__func__, opaque_context, node, registration_external)) return kTfLiteError;
  TfLiteNode* plain_node = nullptr;
  TfLiteRegistration* registration = nullptr;
  TF_LITE_ENSURE_STATUS(
      Plain(opaque_context)
          ->GetNodeAndRegistration(Plain(opaque_context), node_index, &plain_node, &registration));
  *node = reinterpret_cast<TfLiteOpaqueNode*>(plain_node);
  *registration_external = registration->registration_external != nullptr
                               ? registration->registration_external
                               : DescriptionOf(*registration);
  return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(
    TfLiteOpaqueContext* opaque_context, TfLiteOperator* registration_external,
    const TfLiteIntArray* nodes_to_replace, TfLiteOpaqueDelegate* opaque_delegate) {
  if (AnyIsNull(__func__, opaque_context, registration_external)) return kTfLiteError;
  TfLiteRegistration registration = {};
  registration.builtin_code = TfLiteOperatorGetBuiltInCode(registration_external);
  registration.custom_name = TfLiteOperatorGetCustomName(registration_external);
  registration.version = TfLiteOperatorGetVersion(registration_external);
  registration.registration_external = registration_external;
  return Plain(opaque_context)
      ->ReplaceNodeSubsetsWithDelegateKernels(Plain(opaque_context), registration, nodes_to_replace,
                                              reinterpret_cast<TfLiteDelegate*>(opaque_delegate));
}

TfLiteOpaqueTensor* TfLiteOpaqueContextGetOpaqueTensor(const TfLiteOpaqueContext* opaque_context,
                                                       int index) {
  if (IsNull(opaque_context, __func__)) return nullptr;
  const TfLiteContext* context = Plain(opaque_context);
  if (index < 0 || static_cast<size_t>(index) >= context->tensors_size) {
    return nullptr;
  }
  return reinterpret_cast<TfLiteOpaqueTensor*>(&context->tensors[index]);
}

TfLiteStatus TfLiteOpaqueContextGetInputs(const TfLiteOpaqueContext* opaque_context,
                                          const int** inputs, int* num_inputs) {
  if (AnyIsNull(__func__, opaque_context, inputs, num_inputs)) return kTfLiteError;
  return View(GraphOf(opaque_context)->inputs(), inputs, num_inputs);
}

TfLiteStatus TfLiteOpaqueContextGetOutputs(const TfLiteOpaqueContext* opaque_context,
                                           const int** outputs, int* num_outputs) {
  if (AnyIsNull(__func__, opaque_context, outputs, num_outputs)) return kTfLiteError;
  return View(GraphOf(opaque_context)->outputs(), outputs, num_outputs);
}

TfLiteStatus TfLiteOpaqueContextGetVariables(const TfLiteOpaqueContext* opaque_context,
                                             const int** variables, int* num_variables) {
  if (AnyIsNull(__func__, opaque_context, variables, num_variables)) return kTfLiteError;
  return View(GraphOf(opaque_context)->variables(), variables, num_variables);
}

size_t TfLiteOpaqueContextGetNumNodes(const TfLiteOpaqueContext* opaque_context) {
  if (IsNull(opaque_context, __func__)) return 0;
  return GraphOf(opaque_context)->nodes_size();
}

size_t TfLiteOpaqueContextGetNumTensors(const TfLiteOpaqueContext* opaque_context) {
  if (IsNull(opaque_context, __func__)) return 0;
  return Plain(opaque_context)->tensors_size;
}

const char* TfLiteOpaqueContextGetName(const TfLiteOpaqueContext* opaque_context) {
  if (IsNull(opaque_context, __func__)) return nullptr;
  return GraphOf(opaque_context)->GetName().c_str();
}

TfLiteStatus TfLiteOpaqueContextResizeTensor(TfLiteOpaqueContext* context,
                                             TfLiteOpaqueTensor* tensor, TfLiteIntArray* new_size) {
  if (AnyIsNull(__func__, context, tensor, new_size)) {
    TfLiteIntArrayFree(new_size);
    return kTfLiteError;
  }
  return Plain(context)->ResizeTensor(Plain(context), Plain(tensor), new_size);
}

TfLiteStatus TfLiteOpaqueContextAcquireSubgraphContext(
    TfLiteOpaqueContext* opaque_context, int subgraph_index,
    TfLiteOpaqueContext** acquired_opaque_context) {
  if (AnyIsNull(__func__, opaque_context, acquired_opaque_context)) return kTfLiteError;
  return Plain(opaque_context)
      ->AcquireSubgraphContext(Plain(opaque_context), subgraph_index,
                               reinterpret_cast<TfLiteContext**>(acquired_opaque_context));
}

TfLiteStatus TfLiteOpaqueContextReleaseSubgraphContext(TfLiteOpaqueContext* opaque_context,
                                                       int subgraph_index) {
  if (IsNull(opaque_context, __func__)) return kTfLiteError;
  return Plain(opaque_context)->ReleaseSubgraphContext(Plain(opaque_context), subgraph_index);
}

TfLiteStatus TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(
    TfLiteOpaqueContext* opaque_context, int subgraph_index) {
  if (IsNull(opaque_context, __func__)) return kTfLiteError;
  return GraphOf(opaque_context)->MarkSubgraphAsDelegationSkippable(subgraph_index);
}

TfLiteStatus TfLiteOpaqueContextGetNodeInitDataMmapInfo(const TfLiteOpaqueContext* context,
                                                        const TfLiteOpaqueNode* node, int* fd,
                                                        int64_t* custom_initial_data_offset_in_file,
                                                        int64_t* custom_initial_data_size) {
  if (AnyIsNull(__func__, context, node, fd, custom_initial_data_offset_in_file,
                custom_initial_data_size))
    return kTfLiteError;
  return GraphOf(context)->GetNodeInitDataMmapInfo(
      Plain(node), fd, custom_initial_data_offset_in_file, custom_initial_data_size);
}

TfLiteStatus TfLiteOpaqueContextAddTensor(TfLiteOpaqueContext* context,
                                          TfLiteOpaqueTensorBuilder* builder,
                                          int* new_tensor_index) {
  if (AnyIsNull(__func__, context, builder)) return kTfLiteError;
  const bool is_dynamic = builder->allocation_type == kTfLiteDynamic;
  const bool is_arena = builder->allocation_type == kTfLiteArenaRw ||
                        builder->allocation_type == kTfLiteArenaRwPersistent;
  if (!(is_dynamic && builder->data != nullptr) && !(is_arena && builder->data == nullptr)) {
    TfLiteOpaqueContextReportError(
        context, "A new tensor is dynamic with data or in the arena without (allocation type %d).",
        static_cast<int>(builder->allocation_type));
    return kTfLiteError;
  }
  int index = -1;
  TF_LITE_ENSURE_STATUS(Plain(context)->AddTensors(Plain(context), 1, &index));
  TfLiteTensor& tensor = Plain(context)->tensors[index];
  tensor.type = builder->type;
  tensor.data.data = builder->data;
  tensor.allocation_type = builder->allocation_type;
  tensor.params = builder->params;
  tensor.quantization = TfLiteQuantizationClone(builder->quantization);
  tensor.name = "";
  if (new_tensor_index != nullptr) {
    *new_tensor_index = index;
  }
  return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueContextGetSizeOfType(TfLiteOpaqueContext* context, TfLiteType type,
                                              size_t* bytes) {
  if (AnyIsNull(__func__, context, bytes)) return kTfLiteError;
  return tflite::GetSizeOfType(Plain(context), type, bytes);
}

TfLiteStatus TfLiteOpaqueContextGetMetadata(TfLiteOpaqueContext* context, const char* name,
                                            const char** ptr, size_t* bytes) {
  if (AnyIsNull(__func__, context, ptr, bytes)) return kTfLiteError;
  return Plain(context)->GetModelMetadata(Plain(context), name, ptr, bytes);
}

void TfLiteOpaqueContextReportError(TfLiteOpaqueContext* opaque_context, const char* format, ...) {
  va_list args;
  va_start(args, format);
  TfLiteOpaqueContextReportErrorVa(opaque_context, format, args);
  va_end(args);
}

void TfLiteOpaqueContextReportErrorVa(TfLiteOpaqueContext* opaque_context, const char* format,
                                      va_list args) {
  if (AnyIsNull(__func__, opaque_context, format)) return;
  GraphOf(opaque_context)->ReportErrorImpl(format, args);
}

TfLiteOpaqueDelegate* TfLiteOpaqueDelegateCreate(
    const TfLiteOpaqueDelegateBuilder* opaque_delegate_builder) {
  if (opaque_delegate_builder == nullptr) {
    return nullptr;
  }
  auto* delegate = new TfLiteDelegate{};
  delegate->opaque_delegate_builder = new TfLiteOpaqueDelegateBuilder(*opaque_delegate_builder);
  return reinterpret_cast<TfLiteOpaqueDelegate*>(delegate);
}

void TfLiteOpaqueDelegateDelete(TfLiteOpaqueDelegate* delegate) {
  auto* plain = reinterpret_cast<TfLiteDelegate*>(delegate);
  if (plain != nullptr) {
    delete plain->opaque_delegate_builder;
    delete plain;
  }
}

void* TfLiteOpaqueDelegateGetData(const TfLiteOpaqueDelegate* delegate) {
  const auto* plain = reinterpret_cast<const TfLiteDelegate*>(delegate);
  if (plain == nullptr) {
    return nullptr;
  }
  const bool is_opaque = plain->Prepare == nullptr && plain->opaque_delegate_builder != nullptr;
  return is_opaque ? plain->opaque_delegate_builder->data : plain->data_;
}
