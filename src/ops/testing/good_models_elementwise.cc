// SPDX-License-Identifier: Apache-2.0
// Elementwise operations, sums along axes, norms and conversions.
#include "ops/testing/good_models.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema

using Sizes = std::vector<int32_t>;
const Sizes kShape = {2, 3, 2, 5};

void AddUnary(GoodModels& m) {
  for (const auto code :
       {BuiltinOperator_ABS,         BuiltinOperator_CEIL,         BuiltinOperator_COS,
        BuiltinOperator_ELU,         BuiltinOperator_EXP,          BuiltinOperator_FLOOR,
        BuiltinOperator_HARD_SWISH,  BuiltinOperator_LOG,          BuiltinOperator_LOGISTIC,
        BuiltinOperator_NEG,         BuiltinOperator_RELU,         BuiltinOperator_RELU6,
        BuiltinOperator_RELU_0_TO_1, BuiltinOperator_RELU_N1_TO_1, BuiltinOperator_ROUND,
        BuiltinOperator_RSQRT,       BuiltinOperator_SIGN,         BuiltinOperator_SIN,
        BuiltinOperator_SQRT,        BuiltinOperator_SQUARE,       BuiltinOperator_TANH,
        BuiltinOperator_ZEROS_LIKE}) {
    m.Op(code, {m.Input(kShape)});
  }
  m.Op(BuiltinOperator_GELU, {m.Input(kShape)}, GeluOptionsT());
  m.Op(BuiltinOperator_LEAKY_RELU, {m.Input(kShape)}, LeakyReluOptionsT());
  m.Op(BuiltinOperator_LOGICAL_NOT, {m.Input(kShape, TensorType_BOOL)}, {TensorType_BOOL});
  for (const auto code :
       {BuiltinOperator_COMPLEX_ABS, BuiltinOperator_REAL, BuiltinOperator_IMAG}) {
    m.Op(code, {m.Input({2, 3}, TensorType_COMPLEX64)});
  }
}

void AddConversions(GoodModels& m) {
  CastOptionsT cast;
  cast.out_data_type = TensorType_INT32;
  m.Op(BuiltinOperator_CAST, {m.Input(kShape)}, {TensorType_INT32}, cast);
  m.Op(BuiltinOperator_BITCAST, {m.Input(kShape)}, {TensorType_INT32});
  FakeQuantOptionsT fake;
  fake.min = -1;
  fake.max = 1;
  fake.num_bits = 8;
  m.Op(BuiltinOperator_FAKE_QUANT, {m.Input(kShape)}, fake);
  m.Op(BuiltinOperator_DEQUANTIZE, {m.Const(kShape, TensorType_FLOAT16)});
  m.Call("INT8");
  m.Op(BuiltinOperator_DEQUANTIZE, {m.Quantize(m.Input(kShape, TensorType_INT8), 0.5f, 3)});
  const int x = m.Input(kShape);
  m.QuantizeOutput(0.5f, 3);
  m.Op(BuiltinOperator_QUANTIZE, {x}, {TensorType_INT8});
  BucketizeOptionsT bucketize;
  bucketize.boundaries = {0, 1, 2};
  m.Op(BuiltinOperator_BUCKETIZE, {m.Input(kShape)}, {TensorType_INT32}, bucketize);
}

void AddPairs(GoodModels& m) {
  const auto pair = [&](auto code, auto options) {
    const int a = m.Input(kShape), b = m.Input({3, 1, 5});
    m.Op(code, {a, b}, options);
  };
  pair(BuiltinOperator_ADD, AddOptionsT());
  pair(BuiltinOperator_SUB, SubOptionsT());
  pair(BuiltinOperator_MUL, MulOptionsT());
  pair(BuiltinOperator_DIV, DivOptionsT());
  for (const auto code :
       {BuiltinOperator_MAXIMUM, BuiltinOperator_MINIMUM, BuiltinOperator_POW,
        BuiltinOperator_SQUARED_DIFFERENCE, BuiltinOperator_FLOOR_DIV, BuiltinOperator_FLOOR_MOD}) {
    const int a = m.Input(kShape), b = m.Input({3, 1, 5});
    m.Op(code, {a, b});
  }
  for (const auto code :
       {BuiltinOperator_DIV, BuiltinOperator_FLOOR_DIV, BuiltinOperator_FLOOR_MOD}) {
    const int a = m.Input({2, 3}, TensorType_INT32), b = m.Input({3}, TensorType_INT32);
    m.Call("INT32");
    m.Op(code, {a, b}, {TensorType_INT32});
  }
  for (const auto code :
       {BuiltinOperator_EQUAL, BuiltinOperator_NOT_EQUAL, BuiltinOperator_LESS,
        BuiltinOperator_LESS_EQUAL, BuiltinOperator_GREATER, BuiltinOperator_GREATER_EQUAL}) {
    const int a = m.Input(kShape), b = m.Input({3, 1, 5});
    m.Op(code, {a, b}, {TensorType_BOOL});
  }
  for (const auto code : {BuiltinOperator_LOGICAL_AND, BuiltinOperator_LOGICAL_OR}) {
    const int a = m.Input(kShape, TensorType_BOOL), b = m.Input({3, 1, 5}, TensorType_BOOL);
    m.Op(code, {a, b}, {TensorType_BOOL});
  }
  for (const auto code : {BuiltinOperator_BITWISE_XOR, BuiltinOperator_RIGHT_SHIFT,
                          BuiltinOperator_STABLEHLO_SHIFT_LEFT}) {
    const int a = m.Input(kShape, TensorType_INT32), b = m.Input(kShape, TensorType_INT32);
    m.Op(code, {a, b}, {TensorType_INT32});
  }
  for (const auto code :
       {BuiltinOperator_ATAN2, BuiltinOperator_STABLEHLO_ADD, BuiltinOperator_STABLEHLO_MULTIPLY,
        BuiltinOperator_STABLEHLO_MAXIMUM, BuiltinOperator_STABLEHLO_MINIMUM}) {
    const int a = m.Input(kShape), b = m.Input(kShape);
    m.Op(code, {a, b});
  }
  const int p = m.Input(kShape, TensorType_BOOL), q = m.Input(kShape, TensorType_BOOL);
  m.Op(BuiltinOperator_STABLEHLO_AND, {p, q}, {TensorType_BOOL});
  const int x = m.Input(kShape);
  m.Op(BuiltinOperator_PRELU, {x, m.Const({1, 1, 5})});
  const int a = m.Input(kShape), b = m.Input(kShape), c = m.Input(kShape);
  m.Op(BuiltinOperator_ADD_N, {a, b, c});
  for (const auto code : {BuiltinOperator_SELECT, BuiltinOperator_SELECT_V2}) {
    const int condition = m.Input(kShape, TensorType_BOOL), then = m.Input(kShape),
              other = m.Input(kShape);
    m.Op(code, {condition, then, other});
  }
  const int condition = m.Input({3, 1, 5}, TensorType_BOOL), then = m.Input({5}),
            other = m.Input(kShape);
  m.Call("broadcast");
  m.Op(BuiltinOperator_SELECT_V2, {condition, then, other});
}

void AddReductions(GoodModels& m) {
  for (const auto code : {BuiltinOperator_MEAN, BuiltinOperator_SUM, BuiltinOperator_REDUCE_MAX,
                          BuiltinOperator_REDUCE_MIN, BuiltinOperator_REDUCE_PROD}) {
    const int x = m.Input(kShape);
    m.Op(code, {x, m.Ints({1, -1})}, ReducerOptionsT());
  }
  for (const auto code : {BuiltinOperator_REDUCE_ALL, BuiltinOperator_REDUCE_ANY}) {
    const int x = m.Input(kShape, TensorType_BOOL);
    m.Op(code, {x, m.Ints({1, -1})}, {TensorType_BOOL}, ReducerOptionsT());
  }
  CumsumOptionsT sums;
  const int x = m.Input(kShape);
  m.Op(BuiltinOperator_CUMSUM, {x, m.Ints({}, {1})}, sums);
}

void AddNorms(GoodModels& m) {
  SoftmaxOptionsT softmax;
  softmax.beta = 1;
  m.Op(BuiltinOperator_SOFTMAX, {m.Input(kShape)}, softmax);
  m.Op(BuiltinOperator_LOG_SOFTMAX, {m.Input(kShape)}, LogSoftmaxOptionsT());
  m.Op(BuiltinOperator_L2_NORMALIZATION, {m.Input(kShape)}, L2NormOptionsT());
  LocalResponseNormalizationOptionsT local;
  local.radius = 1;
  local.alpha = local.beta = local.bias = 1;
  m.Op(BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {m.Input(kShape)}, local);
}

}  // namespace

void AddElementwiseModels(GoodModels& m) {
  AddUnary(m);
  AddConversions(m);
  AddPairs(m);
  AddReductions(m);
  AddNorms(m);
}

}  // namespace tern::testing
