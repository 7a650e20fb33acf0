// SPDX-License-Identifier: Apache-2.0
// Functions for operations and delegates that must not depend on struct layouts. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_CORE_C_C_API_OPAQUE_H_
#define TERN_TENSORFLOW_LITE_CORE_C_C_API_OPAQUE_H_

#include <stdarg.h>

#include "tensorflow/lite/core/c/c_api.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteOpaqueTensorBuilder TfLiteOpaqueTensorBuilder;

// ---- Tensors.
TFL_CAPI_EXPORT TfLiteType TfLiteOpaqueTensorType(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT int32_t TfLiteOpaqueTensorNumDims(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT int32_t TfLiteOpaqueTensorDim(const TfLiteOpaqueTensor* opaque_tensor,
                                              int32_t dim_index);

// -1 when the tensor has no signature.
TFL_CAPI_EXPORT TfLiteStatus
TfLiteOpaqueTensorGetNumDimsSignature(const TfLiteOpaqueTensor* opaque_tensor, int32_t* num_dims);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorGetDimSignature(
    const TfLiteOpaqueTensor* opaque_tensor, int32_t dim_index, int32_t* dim_length);

// 1 for a variable, else 0.
TFL_CAPI_EXPORT int TfLiteOpaqueTensorIsVariable(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT size_t TfLiteOpaqueTensorByteSize(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT void* TfLiteOpaqueTensorData(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT TfLiteAllocationType
TfLiteOpaqueTensorGetAllocationType(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT TfLiteAllocationStrategy
TfLiteOpaqueTensorGetAllocationStrategy(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT TfLiteRunStability
TfLiteOpaqueTensorGetBufferAddressStability(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT TfLiteRunStability TfLiteOpaqueTensorGetDataStability(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT TfLiteRunStep TfLiteOpaqueTensorGetDataKnownStep(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT TfLiteRunStep TfLiteOpaqueTensorGetShapeKnownStep(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT const char* TfLiteOpaqueTensorName(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT TfLiteQuantization
TfLiteOpaqueTensorGetQuantization(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT TfLiteQuantizationParams
TfLiteOpaqueTensorGetQuantizationParams(const TfLiteOpaqueTensor* opaque_tensor);

// Copies the whole tensor; Error when the sizes differ.
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueTensor* opaque_tensor,
                                                              const void* input_data,
                                                              size_t input_data_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorCopyToBuffer(const TfLiteOpaqueTensor* opaque_tensor,
                                                            void* output_data,
                                                            size_t output_data_size);

// Strings of a string tensor; -1 (Error) when it is none. GetString points into the tensor.
TFL_CAPI_EXPORT int TfLiteOpaqueTensorGetStringCount(const TfLiteOpaqueTensor* tensor);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorGetString(const TfLiteOpaqueTensor* tensor,
                                                         int index, const char** str, int* len);

// Gives the tensor a shape of one dimension with that many strings.
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorWriteStrings(TfLiteOpaqueTensor* tensor,
                                                            const char* const* str_array,
                                                            int str_array_len,
                                                            const int* str_n_len);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorWriteString(TfLiteOpaqueTensor* tensor,
                                                           const char* str, int len);

// ---- New tensors. The setters return the builder.
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderCreate(void);
TFL_CAPI_EXPORT void TfLiteOpaqueTensorBuilderDelete(TfLiteOpaqueTensorBuilder* builder);
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetType(
    TfLiteOpaqueTensorBuilder* builder, TfLiteType type);
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetData(
    TfLiteOpaqueTensorBuilder* builder, void* data);
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetAllocationType(
    TfLiteOpaqueTensorBuilder* builder, TfLiteAllocationType allocation_type);
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetQuantizationParams(
    TfLiteOpaqueTensorBuilder* builder, TfLiteQuantizationParams params);
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetQuantization(
    TfLiteOpaqueTensorBuilder* builder, TfLiteQuantization quantization);

// ---- Kinds of memory.
TFL_CAPI_EXPORT void TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueTensor* tensor);
TFL_CAPI_EXPORT void TfLiteOpaqueTensorSetNonCpuAllocation(TfLiteOpaqueTensor* tensor);

// ---- Nodes. NULL (Error, -1) for a bad position; arrays stay owned by the node.
TFL_CAPI_EXPORT const TfLiteOpaqueTensor* TfLiteOpaqueNodeGetInput(
    const TfLiteOpaqueContext* opaque_context, const TfLiteOpaqueNode* opaque_node, int index);
TFL_CAPI_EXPORT TfLiteOpaqueTensor* TfLiteOpaqueNodeGetOutput(TfLiteOpaqueContext* opaque_context,
                                                              const TfLiteOpaqueNode* opaque_node,
                                                              int index);
TFL_CAPI_EXPORT int TfLiteOpaqueNodeNumberOfInputs(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT int TfLiteOpaqueNodeNumberOfOutputs(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT void* TfLiteOpaqueNodeGetUserData(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT void* TfLiteOpaqueNodeGetBuiltinData(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeGetCustomInitialData(
    const TfLiteOpaqueNode* opaque_node, const void** init_data, int* size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeInputs(const TfLiteOpaqueNode* opaque_node,
                                                    const int** inputs, int* num_inputs);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeOutputs(const TfLiteOpaqueNode* opaque_node,
                                                     const int** outputs, int* num_outputs);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeSetTemporaries(TfLiteOpaqueNode* opaque_node,
                                                            const int* temporaries,
                                                            int num_temporaries);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeTemporaries(const TfLiteOpaqueNode* opaque_node,
                                                         const int** temporaries,
                                                         int* num_temporaries);
TFL_CAPI_EXPORT int TfLiteOpaqueNodeGetInputTensorIndex(const TfLiteOpaqueNode* opaque_node,
                                                        int index_of_input);
TFL_CAPI_EXPORT int TfLiteOpaqueNodeGetOutputTensorIndex(const TfLiteOpaqueNode* opaque_node,
                                                         int index_of_output);

// ---- The graph. The rules of TfLiteContext hold; most of these work in a delegate's Prepare only.
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetExecutionPlan(
    TfLiteOpaqueContext* opaque_context, TfLiteIntArray** execution_plan);

// Error when there is none of that type.
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetExternalContext(
    TfLiteOpaqueContext* opaque_context, void** external_context, TfLiteExternalContextType type);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetNodeAndRegistration(
    TfLiteOpaqueContext* opaque_context, int node_index, TfLiteOpaqueNode** node,
    TfLiteOperator** registration_external);

// The runtime takes ownership of registration_external.
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(
    TfLiteOpaqueContext* opaque_context, TfLiteOperator* registration_external,
    const TfLiteIntArray* nodes_to_replace, TfLiteOpaqueDelegate* opaque_delegate);
TFL_CAPI_EXPORT TfLiteOpaqueTensor* TfLiteOpaqueContextGetOpaqueTensor(
    const TfLiteOpaqueContext* opaque_context, int index);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetInputs(const TfLiteOpaqueContext* opaque_context,
                                                          const int** inputs, int* num_inputs);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetOutputs(
    const TfLiteOpaqueContext* opaque_context, const int** outputs, int* num_outputs);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetVariables(
    const TfLiteOpaqueContext* opaque_context, const int** variables, int* num_variables);
TFL_CAPI_EXPORT size_t TfLiteOpaqueContextGetNumNodes(const TfLiteOpaqueContext* opaque_context);
TFL_CAPI_EXPORT size_t TfLiteOpaqueContextGetNumTensors(const TfLiteOpaqueContext* opaque_context);
TFL_CAPI_EXPORT const char* TfLiteOpaqueContextGetName(const TfLiteOpaqueContext* opaque_context);

// Takes ownership of new_size.
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextResizeTensor(TfLiteOpaqueContext* context,
                                                             TfLiteOpaqueTensor* tensor,
                                                             TfLiteIntArray* new_size);
TFL_CAPI_EXPORT TfLiteStatus
TfLiteOpaqueContextAcquireSubgraphContext(TfLiteOpaqueContext* opaque_context, int subgraph_index,
                                          TfLiteOpaqueContext** acquired_opaque_context);
TFL_CAPI_EXPORT TfLiteStatus
TfLiteOpaqueContextReleaseSubgraphContext(TfLiteOpaqueContext* opaque_context, int subgraph_index);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(
    TfLiteOpaqueContext* opaque_context, int subgraph_index);

// Where the init data of a node lies in the file; Error unless the model is mapped, -1 without init
// data.
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetNodeInitDataMmapInfo(
    const TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, int* fd,
    int64_t* custom_initial_data_offset_in_file, int64_t* custom_initial_data_size);

// Dynamic tensors with data, or arena tensors without; Error for anything else.
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextAddTensor(TfLiteOpaqueContext* context,
                                                          TfLiteOpaqueTensorBuilder* builder,
                                                          int* new_tensor_index);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetSizeOfType(TfLiteOpaqueContext* context,
                                                              TfLiteType type, size_t* bytes);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetMetadata(TfLiteOpaqueContext* context,
                                                            const char* name, const char** ptr,
                                                            size_t* bytes);
TFL_CAPI_EXPORT void TfLiteOpaqueContextReportError(TfLiteOpaqueContext* opaque_context,
                                                    const char* format, ...);
TFL_CAPI_EXPORT void TfLiteOpaqueContextReportErrorVa(TfLiteOpaqueContext* opaque_context,
                                                      const char* format, va_list args);

// ---- Checks for code on opaque objects, as those without OPAQUE. The context may be NULL in the
// MAYBE form only.

#ifndef TF_LITE_STRIP_ERROR_STRINGS
#define TF_LITE_OPAQUE_KERNEL_LOG(opaque_context, ...)             \
  do {                                                             \
    TfLiteOpaqueContextReportError((opaque_context), __VA_ARGS__); \
  } while (false)
#else
#define TF_LITE_OPAQUE_KERNEL_LOG(opaque_context, ...) \
  do {                                                 \
    (void)(opaque_context);                            \
  } while (false)
#endif

#define TF_LITE_OPAQUE_MAYBE_KERNEL_LOG(opaque_context, ...)    \
  do {                                                          \
    if ((opaque_context) != NULL) {                             \
      TF_LITE_OPAQUE_KERNEL_LOG((opaque_context), __VA_ARGS__); \
    }                                                           \
  } while (false)

#define TERN_OPAQUE_ENSURE(opaque_context, value, ...)          \
  do {                                                          \
    if (!(value)) {                                             \
      TF_LITE_OPAQUE_KERNEL_LOG((opaque_context), __VA_ARGS__); \
      return kTfLiteError;                                      \
    }                                                           \
  } while (0)

#define TF_LITE_OPAQUE_ENSURE_MSG(opaque_context, value, msg) \
  TERN_OPAQUE_ENSURE(opaque_context, value, __FILE__ " " msg)

#define TF_LITE_OPAQUE_ENSURE(opaque_context, a) \
  TERN_OPAQUE_ENSURE(opaque_context, a, "%s:%d: %s was not true.", __FILE__, __LINE__, #a)

#define TF_LITE_OPAQUE_ENSURE_EQ(opaque_context, a, b)                                             \
  TERN_OPAQUE_ENSURE(opaque_context, (a) == (b), "%s:%d: %s != %s (%d != %d)", __FILE__, __LINE__, \
                     #a, #b, (int)(a), (int)(b))

#define TF_LITE_OPAQUE_ENSURE_TYPES_EQ(opaque_context, a, b)                                       \
  TERN_OPAQUE_ENSURE(opaque_context, (a) == (b), "%s:%d: %s != %s (%s != %s)", __FILE__, __LINE__, \
                     #a, #b, TfLiteTypeGetName(a), TfLiteTypeGetName(b))

#define TF_LITE_OPAQUE_ENSURE_NEAR(opaque_context, a, b, epsilon)                                  \
  do {                                                                                             \
    const double tf_lite_difference = (double)(a) - (double)(b);                                   \
    TERN_OPAQUE_ENSURE(                                                                            \
        opaque_context,                                                                            \
        tf_lite_difference <= (double)(epsilon) && -tf_lite_difference <= (double)(epsilon),       \
        "%s:%d: %s not near %s (%f != %f)", __FILE__, __LINE__, #a, #b, (double)(a), (double)(b)); \
  } while (0)

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_C_C_API_OPAQUE_H_
