// SPDX-License-Identifier: Apache-2.0
// One registration per built-in op, for resolvers that hold only the ops a program needs:
// resolver.AddBuiltin(tflite::BuiltinOperator_ADD, tflite::ops::builtin::Register_ADD()). The list
// holds all names of the format; a program that uses one which this version of the library does not
// have yet fails to link. The pointers stay valid for the life of the program.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_BUILTIN_OP_KERNELS_H_
#define TERN_TENSORFLOW_LITE_KERNELS_BUILTIN_OP_KERNELS_H_

#include "tensorflow/lite/core/c/common.h"

namespace tflite {
namespace ops {
namespace builtin {

TfLiteRegistration* Register_ABS();
TfLiteRegistration* Register_ADD();
TfLiteRegistration* Register_ADD_N();
TfLiteRegistration* Register_ARG_MAX();
TfLiteRegistration* Register_ARG_MIN();
TfLiteRegistration* Register_ASSIGN_VARIABLE();
TfLiteRegistration* Register_ATAN2();
TfLiteRegistration* Register_AVERAGE_POOL_2D();
TfLiteRegistration* Register_BATCH_MATMUL();
TfLiteRegistration* Register_BATCH_TO_SPACE_ND();
TfLiteRegistration* Register_BIDIRECTIONAL_SEQUENCE_LSTM();
TfLiteRegistration* Register_BIDIRECTIONAL_SEQUENCE_RNN();
TfLiteRegistration* Register_BITCAST();
TfLiteRegistration* Register_BITWISE_XOR();
TfLiteRegistration* Register_BROADCAST_ARGS();
TfLiteRegistration* Register_BROADCAST_TO();
TfLiteRegistration* Register_BUCKETIZE();
TfLiteRegistration* Register_CALL_ONCE();
TfLiteRegistration* Register_CAST();
TfLiteRegistration* Register_CEIL();
TfLiteRegistration* Register_COMPLEX_ABS();
TfLiteRegistration* Register_CONCATENATION();
TfLiteRegistration* Register_CONV_2D();
TfLiteRegistration* Register_CONV_3D();
TfLiteRegistration* Register_CONV_3D_TRANSPOSE();
TfLiteRegistration* Register_COS();
TfLiteRegistration* Register_CUMSUM();
TfLiteRegistration* Register_DENSIFY();
TfLiteRegistration* Register_DEPTHWISE_CONV_2D();
TfLiteRegistration* Register_DEPTH_TO_SPACE();
TfLiteRegistration* Register_DEQUANTIZE();
TfLiteRegistration* Register_DILATE();
TfLiteRegistration* Register_DIV();
TfLiteRegistration* Register_DYNAMIC_UPDATE_SLICE();
TfLiteRegistration* Register_ELU();
TfLiteRegistration* Register_EMBEDDING_LOOKUP();
TfLiteRegistration* Register_EMBEDDING_LOOKUP_SPARSE();
TfLiteRegistration* Register_EQUAL();
TfLiteRegistration* Register_EXP();
TfLiteRegistration* Register_EXPAND_DIMS();
TfLiteRegistration* Register_FAKE_QUANT();
TfLiteRegistration* Register_FILL();
TfLiteRegistration* Register_FLOOR();
TfLiteRegistration* Register_FLOOR_DIV();
TfLiteRegistration* Register_FLOOR_MOD();
TfLiteRegistration* Register_FULLY_CONNECTED();
TfLiteRegistration* Register_GATHER();
TfLiteRegistration* Register_GATHER_ND();
TfLiteRegistration* Register_GELU();
TfLiteRegistration* Register_GREATER();
TfLiteRegistration* Register_GREATER_EQUAL();
TfLiteRegistration* Register_HARD_SWISH();
TfLiteRegistration* Register_HASHTABLE();
TfLiteRegistration* Register_HASHTABLE_FIND();
TfLiteRegistration* Register_HASHTABLE_IMPORT();
TfLiteRegistration* Register_HASHTABLE_LOOKUP();
TfLiteRegistration* Register_HASHTABLE_SIZE();
TfLiteRegistration* Register_IF();
TfLiteRegistration* Register_IMAG();
TfLiteRegistration* Register_L2_NORMALIZATION();
TfLiteRegistration* Register_L2_POOL_2D();
TfLiteRegistration* Register_LEAKY_RELU();
TfLiteRegistration* Register_LESS();
TfLiteRegistration* Register_LESS_EQUAL();
TfLiteRegistration* Register_LOCAL_RESPONSE_NORMALIZATION();
TfLiteRegistration* Register_LOG();
TfLiteRegistration* Register_LOGICAL_AND();
TfLiteRegistration* Register_LOGICAL_NOT();
TfLiteRegistration* Register_LOGICAL_OR();
TfLiteRegistration* Register_LOGISTIC();
TfLiteRegistration* Register_LOG_SOFTMAX();
TfLiteRegistration* Register_LSH_PROJECTION();
TfLiteRegistration* Register_LSTM();
TfLiteRegistration* Register_MATRIX_DIAG();
TfLiteRegistration* Register_MATRIX_SET_DIAG();
TfLiteRegistration* Register_MAXIMUM();
TfLiteRegistration* Register_MAX_POOL_2D();
TfLiteRegistration* Register_MEAN();
TfLiteRegistration* Register_MINIMUM();
TfLiteRegistration* Register_MIRROR_PAD();
TfLiteRegistration* Register_MUL();
TfLiteRegistration* Register_MULTINOMIAL();
TfLiteRegistration* Register_NEG();
TfLiteRegistration* Register_NON_MAX_SUPPRESSION_V4();
TfLiteRegistration* Register_NON_MAX_SUPPRESSION_V5();
TfLiteRegistration* Register_NOT_EQUAL();
TfLiteRegistration* Register_ONE_HOT();
TfLiteRegistration* Register_PACK();
TfLiteRegistration* Register_PAD();
TfLiteRegistration* Register_PADV2();
TfLiteRegistration* Register_POW();
TfLiteRegistration* Register_PRELU();
TfLiteRegistration* Register_QUANTIZE();
TfLiteRegistration* Register_RANDOM_STANDARD_NORMAL();
TfLiteRegistration* Register_RANDOM_UNIFORM();
TfLiteRegistration* Register_RANGE();
TfLiteRegistration* Register_RANK();
TfLiteRegistration* Register_READ_VARIABLE();
TfLiteRegistration* Register_REAL();
TfLiteRegistration* Register_REDUCE_ALL();
TfLiteRegistration* Register_REDUCE_ANY();
TfLiteRegistration* Register_REDUCE_MAX();
TfLiteRegistration* Register_REDUCE_MIN();
TfLiteRegistration* Register_REDUCE_PROD();
TfLiteRegistration* Register_REDUCE_WINDOW();
TfLiteRegistration* Register_RELU();
TfLiteRegistration* Register_RELU6();
TfLiteRegistration* Register_RELU_0_TO_1();
TfLiteRegistration* Register_RELU_N1_TO_1();
TfLiteRegistration* Register_RESHAPE();
TfLiteRegistration* Register_RESIZE_BILINEAR();
TfLiteRegistration* Register_RESIZE_NEAREST_NEIGHBOR();
TfLiteRegistration* Register_REVERSE_SEQUENCE();
TfLiteRegistration* Register_REVERSE_V2();
TfLiteRegistration* Register_RFFT2D();
TfLiteRegistration* Register_RIGHT_SHIFT();
TfLiteRegistration* Register_RNN();
TfLiteRegistration* Register_ROUND();
TfLiteRegistration* Register_RSQRT();
TfLiteRegistration* Register_SCATTER_ND();
TfLiteRegistration* Register_SEGMENT_SUM();
TfLiteRegistration* Register_SELECT();
TfLiteRegistration* Register_SELECT_V2();
TfLiteRegistration* Register_SHAPE();
TfLiteRegistration* Register_SIGN();
TfLiteRegistration* Register_SIN();
TfLiteRegistration* Register_SKIP_GRAM();
TfLiteRegistration* Register_SLICE();
TfLiteRegistration* Register_SOFTMAX();
TfLiteRegistration* Register_SPACE_TO_BATCH_ND();
TfLiteRegistration* Register_SPACE_TO_DEPTH();
TfLiteRegistration* Register_SPARSE_TO_DENSE();
TfLiteRegistration* Register_SPLIT();
TfLiteRegistration* Register_SPLIT_V();
TfLiteRegistration* Register_SQRT();
TfLiteRegistration* Register_SQUARE();
TfLiteRegistration* Register_SQUARED_DIFFERENCE();
TfLiteRegistration* Register_SQUEEZE();
TfLiteRegistration* Register_STABLEHLO_ADD();
TfLiteRegistration* Register_STABLEHLO_AND();
TfLiteRegistration* Register_STABLEHLO_CASE();
TfLiteRegistration* Register_STABLEHLO_COMPOSITE();
TfLiteRegistration* Register_STABLEHLO_GATHER();
TfLiteRegistration* Register_STABLEHLO_MAXIMUM();
TfLiteRegistration* Register_STABLEHLO_MINIMUM();
TfLiteRegistration* Register_STABLEHLO_MULTIPLY();
TfLiteRegistration* Register_STABLEHLO_PAD();
TfLiteRegistration* Register_STABLEHLO_REDUCE_WINDOW();
TfLiteRegistration* Register_STABLEHLO_RNG_BIT_GENERATOR();
TfLiteRegistration* Register_STABLEHLO_SCATTER();
TfLiteRegistration* Register_STABLEHLO_SHIFT_LEFT();
TfLiteRegistration* Register_STRIDED_SLICE();
TfLiteRegistration* Register_SUB();
TfLiteRegistration* Register_SUM();
TfLiteRegistration* Register_SVDF();
TfLiteRegistration* Register_TANH();
TfLiteRegistration* Register_TILE();
TfLiteRegistration* Register_TOPK_V2();
TfLiteRegistration* Register_TRANSPOSE();
TfLiteRegistration* Register_TRANSPOSE_CONV();
TfLiteRegistration* Register_UNIDIRECTIONAL_SEQUENCE_LSTM();
TfLiteRegistration* Register_UNIDIRECTIONAL_SEQUENCE_RNN();
TfLiteRegistration* Register_UNIQUE();
TfLiteRegistration* Register_UNPACK();
TfLiteRegistration* Register_UNSORTED_SEGMENT_MAX();
TfLiteRegistration* Register_UNSORTED_SEGMENT_MIN();
TfLiteRegistration* Register_UNSORTED_SEGMENT_PROD();
TfLiteRegistration* Register_UNSORTED_SEGMENT_SUM();
TfLiteRegistration* Register_VAR_HANDLE();
TfLiteRegistration* Register_WHERE();
TfLiteRegistration* Register_WHILE();
TfLiteRegistration* Register_ZEROS_LIKE();

// Operations of the format that have no kernel: preparing a node fails with an error that says so.
TfLiteRegistration* Register_STABLEHLO_ABS();
TfLiteRegistration* Register_STABLEHLO_BROADCAST_IN_DIM();
TfLiteRegistration* Register_STABLEHLO_CBRT();
TfLiteRegistration* Register_STABLEHLO_CLAMP();
TfLiteRegistration* Register_STABLEHLO_COMPARE();
TfLiteRegistration* Register_STABLEHLO_CONCATENATION();
TfLiteRegistration* Register_STABLEHLO_CONVERT();
TfLiteRegistration* Register_STABLEHLO_CONVOLUTION();
TfLiteRegistration* Register_STABLEHLO_COSINE();
TfLiteRegistration* Register_STABLEHLO_CUSTOM_CALL();
TfLiteRegistration* Register_STABLEHLO_DIVIDE();
TfLiteRegistration* Register_STABLEHLO_DOT_GENERAL();
TfLiteRegistration* Register_STABLEHLO_DYNAMIC_SLICE();
TfLiteRegistration* Register_STABLEHLO_DYNAMIC_UPDATE_SLICE();
TfLiteRegistration* Register_STABLEHLO_EXPONENTIAL();
TfLiteRegistration* Register_STABLEHLO_FLOOR();
TfLiteRegistration* Register_STABLEHLO_IOTA();
TfLiteRegistration* Register_STABLEHLO_LOG();
TfLiteRegistration* Register_STABLEHLO_LOGISTIC();
TfLiteRegistration* Register_STABLEHLO_NEGATE();
TfLiteRegistration* Register_STABLEHLO_OR();
TfLiteRegistration* Register_STABLEHLO_POWER();
TfLiteRegistration* Register_STABLEHLO_REDUCE();
TfLiteRegistration* Register_STABLEHLO_REMAINDER();
TfLiteRegistration* Register_STABLEHLO_RESHAPE();
TfLiteRegistration* Register_STABLEHLO_RSQRT();
TfLiteRegistration* Register_STABLEHLO_SELECT();
TfLiteRegistration* Register_STABLEHLO_SLICE();
TfLiteRegistration* Register_STABLEHLO_SORT();
TfLiteRegistration* Register_STABLEHLO_SUBTRACT();
TfLiteRegistration* Register_STABLEHLO_TANH();
TfLiteRegistration* Register_STABLEHLO_TRANSPOSE();
TfLiteRegistration* Register_STABLEHLO_WHILE();

// Forms of the kernels above: the plain ones, and other names of the fast ones.
TfLiteRegistration* Register_BATCH_MATMUL_REF();
TfLiteRegistration* Register_CONVOLUTION_REF();
TfLiteRegistration* Register_DEPTHWISE_CONVOLUTION_REF();
TfLiteRegistration* Register_FULLY_CONNECTED_REF();
TfLiteRegistration* Register_LEAKY_RELU_REF();
TfLiteRegistration* Register_LOGISTIC_REF();
TfLiteRegistration* Register_LOG_SOFTMAX_REF();
TfLiteRegistration* Register_MEAN_REF();
TfLiteRegistration* Register_PRELU_REF();
TfLiteRegistration* Register_SOFTMAX_REF();
TfLiteRegistration* Register_SUM_REF();
TfLiteRegistration* Register_TANH_REF();
TfLiteRegistration* Register_TRANSPOSECONV_REF();
TfLiteRegistration* Register_CONVOLUTION_CBLAS_OPT();
TfLiteRegistration* Register_CONVOLUTION_GENERIC_OPT();
TfLiteRegistration* Register_CONVOLUTION_MULTITHREADED_OPT();
TfLiteRegistration* Register_CONV_2D_UINT8();
TfLiteRegistration* Register_CONV_3D_GENERIC_OPT();
TfLiteRegistration* Register_DEPTHWISE_CONVOLUTION_GENERIC_OPT();
TfLiteRegistration* Register_DEPTHWISE_CONVOLUTION_NEON_OPT();
TfLiteRegistration* Register_DEPTHWISE_CONV_2D_UINT8();
TfLiteRegistration* Register_FULLY_CONNECTED_GENERIC_OPT();
TfLiteRegistration* Register_LOGISTIC_FIXED_POINT_OPT();
TfLiteRegistration* Register_LOGISTIC_GENERIC_OPT();
TfLiteRegistration* Register_TANH_FIXED_POINT_OPT();
TfLiteRegistration* Register_TANH_GENERIC_OPT();
TfLiteRegistration* Register_TRANSPOSECONV_GENERIC_OPT();

}  // namespace builtin

namespace custom {

TfLiteRegistration* Register_DETECTION_POSTPROCESS();

}  // namespace custom
}  // namespace ops
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_BUILTIN_OP_KERNELS_H_
