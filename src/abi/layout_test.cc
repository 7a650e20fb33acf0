// SPDX-License-Identifier: Apache-2.0
// The C ABI must keep the offsets that existing binaries were built with (measured on x86-64).
#include <gtest/gtest.h>

#include <cstddef>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/c/common.h"

namespace {

#if defined(__LP64__) && !defined(_WIN32)

#define AT(type, member, offset) static_assert(offsetof(type, member) == (offset))

static_assert(sizeof(TfLiteTensor) == 112);
AT(TfLiteTensor, type, 0);
AT(TfLiteTensor, data, 8);
AT(TfLiteTensor, dims, 16);
AT(TfLiteTensor, params, 24);
AT(TfLiteTensor, allocation_type, 32);
AT(TfLiteTensor, bytes, 40);
AT(TfLiteTensor, allocation, 48);
AT(TfLiteTensor, name, 56);
AT(TfLiteTensor, delegate, 64);
AT(TfLiteTensor, buffer_handle, 72);
AT(TfLiteTensor, data_is_stale, 76);
AT(TfLiteTensor, is_variable, 77);
AT(TfLiteTensor, quantization, 80);
AT(TfLiteTensor, sparsity, 96);
AT(TfLiteTensor, dims_signature, 104);

static_assert(sizeof(TfLiteNode) == 80);
AT(TfLiteNode, inputs, 0);
AT(TfLiteNode, outputs, 8);
AT(TfLiteNode, intermediates, 16);
AT(TfLiteNode, temporaries, 24);
AT(TfLiteNode, user_data, 32);
AT(TfLiteNode, builtin_data, 40);
AT(TfLiteNode, custom_initial_data, 48);
AT(TfLiteNode, custom_initial_data_size, 56);
AT(TfLiteNode, delegate, 64);
AT(TfLiteNode, might_have_side_effect, 72);

static_assert(sizeof(TfLiteRegistration) == 88);
AT(TfLiteRegistration, init, 0);
AT(TfLiteRegistration, free, 8);
AT(TfLiteRegistration, prepare, 16);
AT(TfLiteRegistration, invoke, 24);
AT(TfLiteRegistration, profiling_string, 32);
AT(TfLiteRegistration, builtin_code, 40);
AT(TfLiteRegistration, custom_name, 48);
AT(TfLiteRegistration, version, 56);
AT(TfLiteRegistration, registration_external, 64);
AT(TfLiteRegistration, async_kernel, 72);
AT(TfLiteRegistration, inplace_operator, 80);
static_assert(sizeof(TfLiteRegistration_V1) == 64);
static_assert(sizeof(TfLiteRegistration_V2) == 72);
static_assert(sizeof(TfLiteRegistration_V3) == 80);

static_assert(sizeof(TfLiteContext) == 200);
AT(TfLiteContext, tensors_size, 0);
AT(TfLiteContext, GetExecutionPlan, 8);
AT(TfLiteContext, tensors, 16);
AT(TfLiteContext, impl_, 24);
AT(TfLiteContext, ResizeTensor, 32);
AT(TfLiteContext, ReportError, 40);
AT(TfLiteContext, AddTensors, 48);
AT(TfLiteContext, GetNodeAndRegistration, 56);
AT(TfLiteContext, ReplaceNodeSubsetsWithDelegateKernels, 64);
AT(TfLiteContext, recommended_num_threads, 72);
AT(TfLiteContext, GetExternalContext, 80);
AT(TfLiteContext, SetExternalContext, 88);
AT(TfLiteContext, allow_fp32_relax_to_fp16, 96);
AT(TfLiteContext, profiler, 104);
AT(TfLiteContext, AllocatePersistentBuffer, 112);
AT(TfLiteContext, ResizeTensorExplicit, 144);
AT(TfLiteContext, PreviewDelegatePartitioning, 152);
AT(TfLiteContext, GetTensor, 160);
AT(TfLiteContext, GetEvalTensor, 168);
AT(TfLiteContext, GetModelMetadata, 176);
AT(TfLiteContext, AcquireSubgraphContext, 184);
AT(TfLiteContext, ReleaseSubgraphContext, 192);

static_assert(sizeof(TfLiteDelegate) == 56);
AT(TfLiteDelegate, data_, 0);
AT(TfLiteDelegate, Prepare, 8);
AT(TfLiteDelegate, CopyFromBufferHandle, 16);
AT(TfLiteDelegate, CopyToBufferHandle, 24);
AT(TfLiteDelegate, FreeBufferHandle, 32);
AT(TfLiteDelegate, flags, 40);
AT(TfLiteDelegate, opaque_delegate_builder, 48);

static_assert(sizeof(TfLiteDelegateParams) == 32);
AT(TfLiteDelegateParams, nodes_to_replace, 8);
AT(TfLiteDelegateParams, input_tensors, 16);
AT(TfLiteDelegateParams, output_tensors, 24);
static_assert(sizeof(TfLiteOpaqueDelegateParams) == 40);
static_assert(sizeof(TfLiteOpaqueDelegateBuilder) == 48);

static_assert(sizeof(TfLiteQuantization) == 16);
static_assert(sizeof(TfLiteAffineQuantization) == 24);
static_assert(sizeof(TfLiteBlockwiseQuantization) == 16);
static_assert(sizeof(TfLiteDimensionMetadata) == 24);
static_assert(sizeof(TfLiteSparsity) == 32);
static_assert(sizeof(TfLiteEvalTensor) == 24);
static_assert(sizeof(TfLiteAllocator) == 32);
static_assert(sizeof(TfLiteExternalContext) == 16);
static_assert(sizeof(TfLiteCustomAllocation) == 16);

static_assert(sizeof(TfLiteStridedSliceParams) == 24);
static_assert(sizeof(TfLitePoolParams) == 40);
AT(TfLitePoolParams, computed, 24);
static_assert(sizeof(TfLiteReshapeParams) == 36);

#undef AT
#endif

static_assert(sizeof(TfLiteIntArray) == 4 && offsetof(TfLiteIntArray, data) == 4);
static_assert(sizeof(TfLiteFloat16) == 2 && sizeof(TfLiteBFloat16) == 2);
static_assert(sizeof(TfLiteComplex64) == 8 && sizeof(TfLiteComplex128) == 16);
static_assert(sizeof(TfLiteQuantizationParams) == 8);
static_assert(sizeof(TfLiteConvParams) == 28);
static_assert(sizeof(TfLiteDepthwiseConvParams) == 28);
static_assert(sizeof(TfLiteFullyConnectedParams) == 16);
static_assert(offsetof(TfLiteFullyConnectedParams, quantized_bias_type) == 12);
static_assert(sizeof(TfLiteAddParams) == 8 && sizeof(TfLiteMulParams) == 4);
static_assert(sizeof(TfLiteSoftmaxParams) == 4 && sizeof(TfLitePadParams) == 1);

static_assert(kTfLiteOutputShapeNotKnown == 9 && kTfLiteFloat8E5M2 == 23);
static_assert(kTfLiteNonCpu == 8 && kTfLiteNullBufferHandle == -1);
static_assert(kTfLiteBuiltinDelegate == 51 && kTfLiteBuiltinCustom == 32);
static_assert(kTfLiteBuiltinGelu == 150 && kTfLiteBuiltinStablehloCase == 209);
static_assert(kTfLiteActSigmoid == 6 && kTfLitePaddingValid == 2);

TEST(Layout, UnionHoldsOnePointer) {
  float value = 1.0f;
  TfLitePtrUnion data;
  data.f = &value;
  EXPECT_EQ(data.data, &value);
  EXPECT_EQ(sizeof(TfLitePtrUnion), sizeof(void*));
}

}  // namespace
