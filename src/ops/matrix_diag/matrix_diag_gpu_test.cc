// SPDX-License-Identifier: Apache-2.0
// MATRIX_DIAG and MATRIX_SET_DIAG on the GPU engines.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::testing {
namespace {

using tflite::TensorType;

constexpr TensorType kMatrixTypes[] = {tflite::TensorType_FLOAT32, tflite::TensorType_FLOAT16,
                                       tflite::TensorType_INT32, tflite::TensorType_UINT32,
                                       tflite::TensorType_INT64};

std::vector<uint8_t> Elements(const Sizes& shape, TensorType type) {
  return WholeNumbers(GraphMaker::CountOf(shape), type, -1000, 1000);
}

// Vectors on the diagonals of new matrices.
void CheckDiag(const Sizes& shape, TensorType type) {
  ModelBuilder b;
  const int x = b.Input(shape, type);
  Sizes out = shape;
  out.push_back(shape.back());
  b.Output(b.Op(tflite::BuiltinOperator_MATRIX_DIAG, {x}, {b.Tensor(out, type)}));
  CheckSameBytes(StrCat("vectors of rank ", shape.size(), ", type ", type), b,
                 Elements(shape, type));
}

void CheckSetDiag(const Sizes& shape, TensorType type) {
  ModelBuilder b;
  Sizes vector(shape.begin(), shape.end() - 1);
  vector.back() = std::min(vector.back(), shape.back());
  const int x = b.Input(shape, type), diagonal = b.Input(vector, type);
  b.Output(b.Op(tflite::BuiltinOperator_MATRIX_SET_DIAG, {x, diagonal}, {b.Tensor(shape, type)}));
  CheckSameBytes(StrCat("matrices of rank ", shape.size(), ", type ", type), b,
                 {Elements(shape, type), Elements(vector, type)});
}

TEST(MatrixDiagGpu, Vectors) {
  for (const int n : {1, 3, 4, 5, 16, 17}) CheckDiag({2, n}, tflite::TensorType_FLOAT32);
  for (const TensorType type : kMatrixTypes) {
    CheckDiag({5}, type);
    CheckDiag({2, 3, 6}, type);
    CheckDiag({2, 2, 3, 5}, type);
  }
}

TEST(MatrixDiagGpu, Matrices) {
  for (const int n : {1, 3, 4, 5, 16, 17}) {
    CheckSetDiag({2, n, 5}, tflite::TensorType_FLOAT32);
    CheckSetDiag({5, n}, tflite::TensorType_FLOAT32);
  }
  for (const TensorType type : kMatrixTypes) {
    CheckSetDiag({3, 6, 5}, type);
    CheckSetDiag({2, 3, 4, 7}, type);
    CheckSetDiag({2, 1, 3, 7, 4}, type);
  }
}

// Around the diagonals lie elements 0, whatever number they stand for.
TEST(MatrixDiagGpu, QuantizedElements) {
  for (const auto type : {tflite::TensorType_INT8, tflite::TensorType_UINT8}) {
    const auto elements = [&](ModelBuilder& b, int tensor, int64_t zero) {
      return b.Quantize(tensor, 0.25f, zero);
    };
    std::vector<uint8_t> bytes(2 * 5 * 7);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 37);
    ModelBuilder diag;
    const int x = elements(diag, diag.Input({2, 5, 7}, type), 9);
    diag.Output(diag.Op(tflite::BuiltinOperator_MATRIX_DIAG, {x},
                        {elements(diag, diag.Tensor({2, 5, 7, 7}, type), 9)}));
    CheckSameBytes(StrCat("vectors of type ", type), diag, bytes, true);
    ModelBuilder set;
    const int y = elements(set, set.Input({2, 5, 7}, type), 3);
    const int d = elements(set, set.Input({2, 5}, type), 100);  // elements are moved as they are
    set.Output(set.Op(tflite::BuiltinOperator_MATRIX_SET_DIAG, {y, d},
                      {elements(set, set.Tensor({2, 5, 7}, type), 3)}));
    CheckSameBytes(StrCat("matrices of type ", type), set,
                   {bytes, std::vector<uint8_t>(bytes.begin() + 20, bytes.begin() + 30)}, true);
  }
}

TEST(MatrixDiagGpu, BetweenOtherNodes) {
  ModelBuilder b;
  const auto relu = [&](int x, const Sizes& shape) {
    return b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(shape)});
  };
  const int x = relu(b.Input({3, 5, 6}), {3, 5, 6}), d = relu(b.Input({3, 5}), {3, 5});
  const int set = b.Op(tflite::BuiltinOperator_MATRIX_SET_DIAG, {x, d}, {b.Tensor({3, 5, 6})});
  const int diag = b.Op(tflite::BuiltinOperator_MATRIX_DIAG, {d}, {b.Tensor({3, 5, 5})});
  b.Output(relu(b.Op(tflite::BuiltinOperator_ABS, {set}, {b.Tensor({3, 5, 6})}), {3, 5, 6}));
  b.Output(b.Op(tflite::BuiltinOperator_ABS, {diag}, {b.Tensor({3, 5, 5})}));
  const auto type = tflite::TensorType_FLOAT32;
  CheckSameBytes("between other nodes", b, {Elements({3, 5, 6}, type), Elements({3, 5}, type)});
}

TEST(MatrixDiagGpu, DiagonalsThatDoNotFitAreRefused) {
  const auto refusal = [](const std::vector<int>& diagonal) {
    gpu::GraphBuilder b;
    b.Op(kTfLiteBuiltinMatrixSetDiag, "MATRIX_SET_DIAG", {b.Input({2, 3, 4}), b.Input(diagonal)},
         {2, 3, 4}, 0);
    return RefusalOf(b);
  };
  EXPECT_EQ(refusal({2, 3}), "");
  EXPECT_EQ(refusal({2, 4}),
            "MATRIX_SET_DIAG #0: the diagonal has the wrong shape ([2, 4], expected [2, 3])");
}

}  // namespace
}  // namespace tern::testing
