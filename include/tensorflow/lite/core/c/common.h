// SPDX-License-Identifier: Apache-2.0
// The C ABI between runtime, operations and delegates: tensors, nodes, registrations, the context,
// delegates. Field order and sizes are fixed; src/abi/layout_test.cc guards them. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_CORE_C_COMMON_H_
#define TERN_TENSORFLOW_LITE_CORE_C_COMMON_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/kernel_checks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct TfLiteContext;
struct TfLiteDelegate;
struct TfLiteRegistration;
struct TfLiteOperator;
struct TfLiteAsyncKernel;
struct TfLiteOpaqueDelegateBuilder;

// ---- External contexts: state shared by several interpreters, owned by the application.

typedef enum TfLiteExternalContextType {
  kTfLiteEigenContext = 0,
  kTfLiteGemmLowpContext = 1,
  kTfLiteEdgeTpuContext = 2,
  kTfLiteCpuBackendContext = 3,
  kTfLiteLiteRtBufferContext = 4,
  kTfLiteMaxExternalContexts = 5
} TfLiteExternalContextType;

typedef struct TfLiteExternalContext {
  TfLiteExternalContextType type;
  // Called when the recommended number of threads changes.
  TfLiteStatus (*Refresh)(struct TfLiteContext* context);
} TfLiteExternalContext;

// Index of an input that a node leaves out.
#define kTfLiteOptionalTensor (-1)

// ---- Arrays: one malloc block each; the entries follow the size.

typedef struct TfLiteIntArray {
  int size;
#if defined(_MSC_VER)
  int data[1];
#else
  int data[];
#endif
} TfLiteIntArray;

typedef struct TfLiteFloatArray {
  int size;
#if defined(_MSC_VER)
  float data[1];
#else
  float data[];
#endif
} TfLiteFloatArray;

// Bytes of an array with `size` entries, head included; 0 for a negative size.
TFL_CAPI_EXPORT size_t TfLiteIntArrayGetSizeInBytes(int size);

#ifndef TF_LITE_STATIC_MEMORY
// Array with `size` uninitialised entries; NULL when out of memory or size < 0. The caller frees
// it.
TFL_CAPI_EXPORT TfLiteIntArray* TfLiteIntArrayCreate(int size);
#endif

// 1 when sizes and entries agree; two NULLs agree, one NULL does not.
TFL_CAPI_EXPORT int TfLiteIntArrayEqual(const TfLiteIntArray* a, const TfLiteIntArray* b);

// As above against plain data; NULL agrees with an empty array.
TFL_CAPI_EXPORT int TfLiteIntArrayEqualsArray(const TfLiteIntArray* a, int b_size,
                                              const int b_data[]);

#ifndef TF_LITE_STATIC_MEMORY
// Copy that the caller frees; NULL for NULL.
TFL_CAPI_EXPORT TfLiteIntArray* TfLiteIntArrayCopy(const TfLiteIntArray* src);

// Accepts NULL.
TFL_CAPI_EXPORT void TfLiteIntArrayFree(TfLiteIntArray* a);

TFL_CAPI_EXPORT TfLiteFloatArray* TfLiteFloatArrayCreate(int size);
TFL_CAPI_EXPORT TfLiteFloatArray* TfLiteFloatArrayCopy(const TfLiteFloatArray* src);
TFL_CAPI_EXPORT void TfLiteFloatArrayFree(TfLiteFloatArray* a);
#endif

TFL_CAPI_EXPORT int TfLiteFloatArrayGetSizeInBytes(int size);

// ---- Scalars of tensors.

typedef struct TfLiteComplex64 {
  float re, im;
} TfLiteComplex64;

typedef struct TfLiteComplex128 {
  double re, im;
} TfLiteComplex128;

typedef struct TfLiteFloat16 {
  uint16_t data;
} TfLiteFloat16;

typedef struct TfLiteBFloat16 {
  uint16_t data;
} TfLiteBFloat16;

// Upper-case name, "Unknown type" for a foreign value. Static storage.
TFL_CAPI_EXPORT const char* TfLiteTypeGetName(TfLiteType type);

// ---- Quantization and sparsity.

#ifdef __cplusplus
typedef enum TfLiteQuantizationType : int {
#else
typedef enum TfLiteQuantizationType {
#endif
  kTfLiteNoQuantization = 0,
  kTfLiteAffineQuantization = 1,
  kTfLiteBlockwiseQuantization = 2,
  kTfLiteMultiAxisQuantization = 3,
} TfLiteQuantizationType;

// `params` points to the struct that `type` names; both are owned by the tensor and made with
// malloc.
typedef struct TfLiteQuantization {
  TfLiteQuantizationType type;
  void* params;
} TfLiteQuantization;

// One scale and zero point per tensor, or one per index of dimension `quantized_dimension`.
typedef struct TfLiteAffineQuantization {
  TfLiteFloatArray* scale;
  TfLiteIntArray* zero_point;
  int32_t quantized_dimension;
} TfLiteAffineQuantization;

// `scale` and `zero_point` are tensor indices; zero_point is -1 when absent.
typedef struct TfLiteBlockwiseQuantization {
  int32_t scale;
  int32_t zero_point;
  int32_t blocksize;
  int32_t quantized_dimension;
} TfLiteBlockwiseQuantization;

typedef struct TfLiteMultiAxisQuantization {
  int32_t scales;
  int32_t zero_points;
  int32_t blocksize;
  TfLiteIntArray* quantized_dimensions;
} TfLiteMultiAxisQuantization;

typedef enum TfLiteDimensionType {
  kTfLiteDimDense = 0,
  kTfLiteDimSparseCSR = 1,
} TfLiteDimensionType;

typedef struct TfLiteDimensionMetadata {
  TfLiteDimensionType format;
  int dense_size;
  TfLiteIntArray* array_segments;
  TfLiteIntArray* array_indices;
} TfLiteDimensionMetadata;

typedef struct TfLiteSparsity {
  TfLiteIntArray* traversal_order;
  TfLiteIntArray* block_map;
  TfLiteDimensionMetadata* dim_metadata;
  int dim_metadata_size;
} TfLiteSparsity;

// ---- Tensors.

typedef union TfLitePtrUnion {
  int32_t* i32;
  uint32_t* u32;
  int64_t* i64;
  uint64_t* u64;
  float* f;
  TfLiteFloat16* f16;
  TfLiteBFloat16* bf16;
  double* f64;
  char* raw;
  const char* raw_const;
  uint8_t* uint8;
  bool* b;
  int16_t* i16;
  uint16_t* ui16;
  TfLiteComplex64* c64;
  TfLiteComplex128* c128;
  int8_t* int8;
  void* data;
} TfLitePtrUnion;

// Where a tensor's bytes live.
typedef enum TfLiteAllocationType {
  kTfLiteMemNone = 0,            // nowhere (yet)
  kTfLiteMmapRo = 1,             // in the model, read only
  kTfLiteArenaRw = 2,            // in the arena, valid during a run
  kTfLiteArenaRwPersistent = 3,  // in the arena, kept between runs
  kTfLiteDynamic = 4,            // malloc block of the tensor, may change while running
  kTfLitePersistentRo = 5,       // malloc block, computed in prepare
  kTfLiteCustom = 6,             // given by the application
  kTfLiteVariantObject = 7,      // data points to a C++ VariantData
  kTfLiteNonCpu = 8,             // only behind a buffer handle
} TfLiteAllocationType;

typedef enum TfLiteAllocationStrategy {
  kTfLiteAllocationStrategyUnknown,
  kTfLiteAllocationStrategyNone,
  kTfLiteAllocationStrategyMMap,
  kTfLiteAllocationStrategyArena,
  kTfLiteAllocationStrategyMalloc,
  kTfLiteAllocationStrategyNew,
} TfLiteAllocationStrategy;

typedef enum TfLiteRunStability {
  kTfLiteRunStabilityUnknown,
  kTfLiteRunStabilityUnstable,
  kTfLiteRunStabilitySingleRun,
  kTfLiteRunStabilityAcrossRuns,
} TfLiteRunStability;

typedef enum TfLiteRunStep {
  kTfLiteRunStepUnknown,
  kTfLiteRunStepInit,
  kTfLiteRunStepPrepare,
  kTfLiteRunStepEval,
} TfLiteRunStep;

// Name for memory of a delegate; the delegate gives it its meaning.
typedef int TfLiteBufferHandle;

enum {
  kTfLiteNullBufferHandle = -1,
};

#define kTfLiteNoBufferIdentifier SIZE_MAX

// Memory of the application for one tensor; it must outlive the interpreter.
typedef struct TfLiteCustomAllocation {
  void* data;
  size_t bytes;
} TfLiteCustomAllocation;

typedef enum TfLiteCustomAllocationFlags {
  kTfLiteCustomAllocationFlagsNone = 0,
  kTfLiteCustomAllocationFlagsSkipAlignCheck = 1,
} TfLiteCustomAllocationFlags;

// The application's allocator for malloc-kind tensors. `reallocate` may be NULL.
typedef struct TfLiteAllocator {
  void* data;
  void* (*allocate)(void* data, size_t bytes, size_t alignment);
  void* (*reallocate)(void* data, void* ptr, size_t old_bytes, size_t new_bytes, size_t alignment);
  void (*deallocate)(void* data, void* ptr, size_t bytes, size_t alignment);
} TfLiteAllocator;

typedef struct TfLiteTensor {
  TfLiteType type;
  TfLitePtrUnion data;              // NULL until allocated; may move on every allocation
  TfLiteIntArray* dims;             // owned
  TfLiteQuantizationParams params;  // {0, 0} unless affine with exactly one scale
  TfLiteAllocationType allocation_type;
  size_t bytes;                     // bytes of data
  const void* allocation;           // tflite::Allocation that holds a constant
  const char* name;                 // not owned, never NULL in a built graph
  struct TfLiteDelegate* delegate;  // whose buffer_handle this is
  TfLiteBufferHandle buffer_handle;
  bool data_is_stale;  // true: only the buffer of the delegate is up to date
  bool is_variable;
  TfLiteQuantization quantization;  // owned
  TfLiteSparsity* sparsity;         // owned, NULL when dense
  const TfLiteIntArray*
      dims_signature;  // -1 marks an unknown dimension; owned; NULL or empty when all are known
} TfLiteTensor;

typedef struct TfLiteEvalTensor {
  TfLitePtrUnion data;
  TfLiteIntArray* dims;
  TfLiteType type;
} TfLiteEvalTensor;

// ---- Nodes and registrations.

typedef struct TfLiteNode {
  TfLiteIntArray* inputs;
  TfLiteIntArray* outputs;
  TfLiteIntArray* intermediates;
  TfLiteIntArray* temporaries;
  void* user_data;     // what init returned
  void* builtin_data;  // parameter struct, or the delegate parameters of a delegate node
  const void* custom_initial_data;  // bytes of a custom operation
  int custom_initial_data_size;
  struct TfLiteDelegate* delegate;  // set on nodes that a delegate made
  bool might_have_side_effect;
} TfLiteNode;

typedef struct TfLiteOperator TfLiteOperator;

enum TfLiteInPlaceOp
#ifdef __cplusplus
    : uint64_t
#endif
{
  kTfLiteInplaceOpNone = 0,
  kTfLiteInplaceOpDataUnmodified = 1,
  kTfLiteInplaceInputCanBeSharedWithCorrespondingOutput = 2,
  kTfLiteInplaceOpInput0Shared = 4,
  kTfLiteInplaceOpInput1Shared = 8,
  kTfLiteInplaceOpInput2Shared = 16,
#ifdef __cplusplus
  kTfLiteInplaceOpMaxValue = UINT64_MAX,
#endif
};
#ifndef __cplusplus
#define kTfLiteInplaceOpMaxValue UINT64_MAX
typedef uint64_t TfLiteInPlaceOp;
#endif
#define kTfLiteMaxSharableOpInputs 3

// How an operation is run. Any member may be NULL; NULL invoke is an error, NULL prepare means Ok.
typedef struct TfLiteRegistration {
  // Once per node. Built-in: the parameter struct, length 0. Custom: its bytes. Delegate kernel:
  // TfLiteDelegateParams*, length 0. The result becomes node->user_data; TfLiteKernelInitFailed()
  // makes node creation fail.
  void* (*init)(struct TfLiteContext* context, const char* buffer, size_t length);
  // Called with user_data unless that is NULL.
  void (*free)(struct TfLiteContext* context, void* buffer);
  // Shapes of outputs and temporaries, after every change of an input's shape.
  TfLiteStatus (*prepare)(struct TfLiteContext* context, struct TfLiteNode* node);
  TfLiteStatus (*invoke)(struct TfLiteContext* context, struct TfLiteNode* node);
  const char* (*profiling_string)(const struct TfLiteContext* context,
                                  const struct TfLiteNode* node);
  int32_t builtin_code;
  const char* custom_name;  // not owned
  int version;
  struct TfLiteOperator* registration_external;
  struct TfLiteAsyncKernel* (*async_kernel)(struct TfLiteContext* context, struct TfLiteNode* node);
  uint64_t inplace_operator;  // bits of TfLiteInPlaceOp
} TfLiteRegistration;

// Layouts of older binaries: prefixes of TfLiteRegistration.
typedef struct TfLiteRegistration_V3 {
  void* (*init)(struct TfLiteContext* context, const char* buffer, size_t length);
  void (*free)(struct TfLiteContext* context, void* buffer);
  TfLiteStatus (*prepare)(struct TfLiteContext* context, struct TfLiteNode* node);
  TfLiteStatus (*invoke)(struct TfLiteContext* context, struct TfLiteNode* node);
  const char* (*profiling_string)(const struct TfLiteContext* context,
                                  const struct TfLiteNode* node);
  int32_t builtin_code;
  const char* custom_name;
  int version;
  struct TfLiteOperator* registration_external;
  struct TfLiteAsyncKernel* (*async_kernel)(struct TfLiteContext* context, struct TfLiteNode* node);
} TfLiteRegistration_V3;

typedef struct TfLiteRegistration_V2 {
  void* (*init)(struct TfLiteContext* context, const char* buffer, size_t length);
  void (*free)(struct TfLiteContext* context, void* buffer);
  TfLiteStatus (*prepare)(struct TfLiteContext* context, struct TfLiteNode* node);
  TfLiteStatus (*invoke)(struct TfLiteContext* context, struct TfLiteNode* node);
  const char* (*profiling_string)(const struct TfLiteContext* context,
                                  const struct TfLiteNode* node);
  int32_t builtin_code;
  const char* custom_name;
  int version;
  struct TfLiteOperator* registration_external;
} TfLiteRegistration_V2;

typedef struct TfLiteRegistration_V1 {
  void* (*init)(struct TfLiteContext* context, const char* buffer, size_t length);
  void (*free)(struct TfLiteContext* context, void* buffer);
  TfLiteStatus (*prepare)(struct TfLiteContext* context, struct TfLiteNode* node);
  TfLiteStatus (*invoke)(struct TfLiteContext* context, struct TfLiteNode* node);
  const char* (*profiling_string)(const struct TfLiteContext* context,
                                  const struct TfLiteNode* node);
  int32_t builtin_code;
  const char* custom_name;
  int version;
} TfLiteRegistration_V1;

// The value that init returns to say that it failed.
TFL_CAPI_EXPORT void* TfLiteKernelInitFailed(void);

// ---- Delegates.

typedef enum TfLiteDelegateFlags {
  kTfLiteDelegateFlagsNone = 0,
  kTfLiteDelegateFlagsAllowDynamicTensors = 1,
  kTfLiteDelegateFlagsRequirePropagatedShapes = 2,
  kTfLiteDelegateFlagsPerOperatorProfiling = 4,
  kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate = 8
} TfLiteDelegateFlags;

// The nodes that a delegate kernel replaces: one malloc block, given to its init.
typedef struct TfLiteDelegateParams {
  struct TfLiteDelegate* delegate;
  TfLiteIntArray* nodes_to_replace;
  TfLiteIntArray* input_tensors;
  TfLiteIntArray* output_tensors;
} TfLiteDelegateParams;

typedef struct TfLiteOpaqueDelegateParams {
  TfLiteOpaqueDelegate* delegate;
  void* delegate_data;
  TfLiteIntArray* nodes_to_replace;
  TfLiteIntArray* input_tensors;
  TfLiteIntArray* output_tensors;
} TfLiteOpaqueDelegateParams;

// The functions and data that the runtime offers to operations and delegates.
typedef struct TfLiteContext {
  size_t tensors_size;

  // Node indices in run order; owned by the runtime until the next call. In a delegate's Prepare
  // only.
  TfLiteStatus (*GetExecutionPlan)(struct TfLiteContext* context, TfLiteIntArray** execution_plan);

  TfLiteTensor* tensors;  // tensors_size entries; the base may move when tensors are added
  void* impl_;

  // Takes ownership of new_size whatever it returns.
  TfLiteStatus (*ResizeTensor)(struct TfLiteContext* context, TfLiteTensor* tensor,
                               TfLiteIntArray* new_size);

  void (*ReportError)(struct TfLiteContext* context, const char* msg, ...);

  // first_new_tensor_index may be NULL.
  TfLiteStatus (*AddTensors)(struct TfLiteContext* context, int tensors_to_add,
                             int* first_new_tensor_index);

  // In a delegate's Prepare only.
  TfLiteStatus (*GetNodeAndRegistration)(struct TfLiteContext* context, int node_index,
                                         TfLiteNode** node, TfLiteRegistration** registration);

  // In a delegate's Prepare only. nodes_to_replace stays the caller's.
  TfLiteStatus (*ReplaceNodeSubsetsWithDelegateKernels)(struct TfLiteContext* context,
                                                        TfLiteRegistration registration,
                                                        const TfLiteIntArray* nodes_to_replace,
                                                        struct TfLiteDelegate* delegate);

  int recommended_num_threads;  // -1: up to the runtime

  TfLiteExternalContext* (*GetExternalContext)(struct TfLiteContext* context,
                                               TfLiteExternalContextType type);
  void (*SetExternalContext)(struct TfLiteContext* context, TfLiteExternalContextType type,
                             TfLiteExternalContext* external_context);

  bool allow_fp32_relax_to_fp16;
  void* profiler;  // tflite::Profiler*, may be NULL

  // Members of runtimes without a heap; NULL here.
  void* (*AllocatePersistentBuffer)(struct TfLiteContext* context, size_t bytes);
  TfLiteStatus (*AllocateBufferForEval)(struct TfLiteContext* context, size_t bytes, void** ptr);
  TfLiteStatus (*RequestScratchBufferInArena)(struct TfLiteContext* context, size_t bytes,
                                              int* buffer_idx);
  void* (*GetScratchBuffer)(struct TfLiteContext* context, int buffer_idx);
  TfLiteStatus (*ResizeTensorExplicit)(struct TfLiteContext* context, TfLiteTensor* tensor,
                                       int dims, const int* shape);

  // How ReplaceNodeSubsetsWithDelegateKernels would cut the graph. The parameters belong to the
  // context until the next call or the end of the delegate's Prepare.
  TfLiteStatus (*PreviewDelegatePartitioning)(struct TfLiteContext* context,
                                              const TfLiteIntArray* nodes_to_replace,
                                              TfLiteDelegateParams** partition_params_array,
                                              int* num_partitions);

  // NULL here: use `tensors`.
  TfLiteTensor* (*GetTensor)(const struct TfLiteContext* context, int tensor_idx);
  TfLiteEvalTensor* (*GetEvalTensor)(const struct TfLiteContext* context, int tensor_idx);

  TfLiteStatus (*GetModelMetadata)(const struct TfLiteContext* context, const char* name,
                                   const char** ptr, size_t* bytes);

  // In a delegate's Prepare only; each acquired context is released again.
  TfLiteStatus (*AcquireSubgraphContext)(struct TfLiteContext* context, int subgraph_index,
                                         struct TfLiteContext** acquired_context);
  TfLiteStatus (*ReleaseSubgraphContext)(struct TfLiteContext* context, int subgraph_index);

#if defined(_WIN32)
  // A library with its own heap must use these.
  TfLiteIntArray* (*TfLiteIntArrayCreate)(int size);
  void (*TfLiteIntArrayFree)(TfLiteIntArray* a);
#endif
} TfLiteContext;

struct TfLiteDelegate {
  void* data_;

  // Looks at the graph and claims nodes of it.
  TfLiteStatus (*Prepare)(struct TfLiteContext* context, struct TfLiteDelegate* delegate);

  // Buffer of the delegate -> tensor->data. May be NULL when no handle is ever used.
  TfLiteStatus (*CopyFromBufferHandle)(struct TfLiteContext* context,
                                       struct TfLiteDelegate* delegate,
                                       TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor);
  // tensor->data -> buffer of the delegate. May be NULL.
  TfLiteStatus (*CopyToBufferHandle)(struct TfLiteContext* context, struct TfLiteDelegate* delegate,
                                     TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor);
  // May be NULL.
  void (*FreeBufferHandle)(struct TfLiteContext* context, struct TfLiteDelegate* delegate,
                           TfLiteBufferHandle* handle);

  int64_t flags;  // bits of TfLiteDelegateFlags

  // Counts only while Prepare above is NULL: a delegate with a Prepare need not have set this
  // field. Each callback in it then goes before its namesake above.
  struct TfLiteOpaqueDelegateBuilder* opaque_delegate_builder;
};

// A delegate with all members zero.
TFL_CAPI_EXPORT TfLiteDelegate TfLiteDelegateCreate(void);

typedef struct TfLiteOpaqueDelegateBuilder {
  void* data;
  TfLiteStatus (*Prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data);
  TfLiteStatus (*CopyFromBufferHandle)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                       void* data, TfLiteBufferHandle buffer_handle,
                                       TfLiteOpaqueTensor* tensor);
  TfLiteStatus (*CopyToBufferHandle)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                     void* data, TfLiteBufferHandle buffer_handle,
                                     TfLiteOpaqueTensor* tensor);
  void (*FreeBufferHandle)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data,
                           TfLiteBufferHandle* handle);
  int64_t flags;
} TfLiteOpaqueDelegateBuilder;

// The builder is copied; delete the delegate after the interpreters that use it.
TFL_CAPI_EXPORT TfLiteOpaqueDelegate* TfLiteOpaqueDelegateCreate(
    const TfLiteOpaqueDelegateBuilder* opaque_delegate_builder);
TFL_CAPI_EXPORT void TfLiteOpaqueDelegateDelete(TfLiteOpaqueDelegate* delegate);
TFL_CAPI_EXPORT void* TfLiteOpaqueDelegateGetData(const TfLiteOpaqueDelegate* delegate);

#ifdef __cplusplus
}  // extern "C"
#endif

#include "tensorflow/lite/core/c/tensor_functions.h"

#ifdef __cplusplus
#include "tensorflow/lite/core/c/variant_data.h"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_C_COMMON_H_
