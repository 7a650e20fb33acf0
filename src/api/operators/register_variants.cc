// SPDX-License-Identifier: Apache-2.0
// Registrations beside those of the resolvers: kernels by the name of their form, and operations
// without a kernel.
#include "ops/cpu_registry.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"

namespace tflite {
namespace ops {
namespace builtin {

#define TERN_FORM(name, Name, form)                                          \
  TfLiteRegistration* Register_##name() {                                    \
    static TfLiteRegistration registration = tern::Name##Registration(form); \
    return &registration;                                                    \
  }

TERN_FORM(BATCH_MATMUL_REF, BatchMatmul, tern::OpForm::kReference)
TERN_FORM(CONVOLUTION_REF, Conv2d, tern::OpForm::kReference)
TERN_FORM(DEPTHWISE_CONVOLUTION_REF, DepthwiseConv2d, tern::OpForm::kReference)
TERN_FORM(FULLY_CONNECTED_REF, FullyConnected, tern::OpForm::kReference)
TERN_FORM(LEAKY_RELU_REF, LeakyRelu, tern::OpForm::kReference)
TERN_FORM(LOGISTIC_REF, Logistic, tern::OpForm::kReference)
TERN_FORM(LOG_SOFTMAX_REF, LogSoftmax, tern::OpForm::kReference)
TERN_FORM(MEAN_REF, Mean, tern::OpForm::kReference)
TERN_FORM(PRELU_REF, Prelu, tern::OpForm::kReference)
TERN_FORM(SOFTMAX_REF, Softmax, tern::OpForm::kReference)
TERN_FORM(SUM_REF, Sum, tern::OpForm::kReference)
TERN_FORM(TANH_REF, Tanh, tern::OpForm::kReference)
TERN_FORM(TRANSPOSECONV_REF, TransposeConv, tern::OpForm::kReference)

TERN_FORM(CONVOLUTION_CBLAS_OPT, Conv2d, tern::OpForm::kOptimized)
TERN_FORM(CONVOLUTION_GENERIC_OPT, Conv2d, tern::OpForm::kOptimized)
TERN_FORM(CONVOLUTION_MULTITHREADED_OPT, Conv2d, tern::OpForm::kOptimized)
TERN_FORM(CONV_2D_UINT8, Conv2d, tern::OpForm::kOptimized)
TERN_FORM(DEPTHWISE_CONV_2D_UINT8, DepthwiseConv2d, tern::OpForm::kOptimized)
TERN_FORM(CONV_3D_GENERIC_OPT, Conv3d, tern::OpForm::kOptimized)
TERN_FORM(DEPTHWISE_CONVOLUTION_GENERIC_OPT, DepthwiseConv2d, tern::OpForm::kOptimized)
TERN_FORM(DEPTHWISE_CONVOLUTION_NEON_OPT, DepthwiseConv2d, tern::OpForm::kOptimized)
TERN_FORM(FULLY_CONNECTED_GENERIC_OPT, FullyConnected, tern::OpForm::kOptimized)
TERN_FORM(LOGISTIC_FIXED_POINT_OPT, Logistic, tern::OpForm::kOptimized)
TERN_FORM(LOGISTIC_GENERIC_OPT, Logistic, tern::OpForm::kOptimized)
TERN_FORM(TANH_FIXED_POINT_OPT, Tanh, tern::OpForm::kOptimized)
TERN_FORM(TANH_GENERIC_OPT, Tanh, tern::OpForm::kOptimized)
TERN_FORM(TRANSPOSECONV_GENERIC_OPT, TransposeConv, tern::OpForm::kOptimized)

#undef TERN_FORM

#define TERN_NO_KERNEL(name)                                                          \
  TfLiteRegistration* Register_##name() {                                             \
    static TfLiteRegistration registration = [] {                                     \
      TfLiteRegistration made = {};                                                   \
      made.prepare = [](TfLiteContext* context, TfLiteNode*) {                        \
        TF_LITE_KERNEL_LOG(context, #name ": there is no kernel for this operation"); \
        return kTfLiteError;                                                          \
      };                                                                              \
      return made;                                                                    \
    }();                                                                              \
    return &registration;                                                             \
  }

TERN_NO_KERNEL(STABLEHLO_ABS)
TERN_NO_KERNEL(STABLEHLO_BROADCAST_IN_DIM)
TERN_NO_KERNEL(STABLEHLO_CBRT)
TERN_NO_KERNEL(STABLEHLO_CLAMP)
TERN_NO_KERNEL(STABLEHLO_COMPARE)
TERN_NO_KERNEL(STABLEHLO_CONCATENATION)
TERN_NO_KERNEL(STABLEHLO_CONVERT)
TERN_NO_KERNEL(STABLEHLO_CONVOLUTION)
TERN_NO_KERNEL(STABLEHLO_COSINE)
TERN_NO_KERNEL(STABLEHLO_CUSTOM_CALL)
TERN_NO_KERNEL(STABLEHLO_DIVIDE)
TERN_NO_KERNEL(STABLEHLO_DOT_GENERAL)
TERN_NO_KERNEL(STABLEHLO_DYNAMIC_SLICE)
TERN_NO_KERNEL(STABLEHLO_DYNAMIC_UPDATE_SLICE)
TERN_NO_KERNEL(STABLEHLO_EXPONENTIAL)
TERN_NO_KERNEL(STABLEHLO_FLOOR)
TERN_NO_KERNEL(STABLEHLO_IOTA)
TERN_NO_KERNEL(STABLEHLO_LOG)
TERN_NO_KERNEL(STABLEHLO_LOGISTIC)
TERN_NO_KERNEL(STABLEHLO_NEGATE)
TERN_NO_KERNEL(STABLEHLO_OR)
TERN_NO_KERNEL(STABLEHLO_POWER)
TERN_NO_KERNEL(STABLEHLO_REDUCE)
TERN_NO_KERNEL(STABLEHLO_REMAINDER)
TERN_NO_KERNEL(STABLEHLO_RESHAPE)
TERN_NO_KERNEL(STABLEHLO_RSQRT)
TERN_NO_KERNEL(STABLEHLO_SELECT)
TERN_NO_KERNEL(STABLEHLO_SLICE)
TERN_NO_KERNEL(STABLEHLO_SORT)
TERN_NO_KERNEL(STABLEHLO_SUBTRACT)
TERN_NO_KERNEL(STABLEHLO_TANH)
TERN_NO_KERNEL(STABLEHLO_TRANSPOSE)
TERN_NO_KERNEL(STABLEHLO_WHILE)

#undef TERN_NO_KERNEL

}  // namespace builtin
}  // namespace ops
}  // namespace tflite
