// SPDX-License-Identifier: Apache-2.0
// MATRIX_DIAG and MATRIX_SET_DIAG.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/cpu_registry.h"
#include "ops/testing/index_walk.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

template <class T>
void CheckDiag(const Index& shape, TfLiteType type) {
  Index to = shape;
  to.push_back(shape.back());
  const std::vector<T> want = Picked(Numbered<T>(shape), shape, to, [&](Index index) {
    const int column = index.back();
    index.pop_back();
    return column == index.back() ? index : Index();
  });
  OpRunner run(MatrixDiagRegistration(OpForm::kOptimized));
  run.InputAs(type, shape, Numbered<T>(shape));
  run.Output(type);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(Dims(run.OutputShape()), to);
  EXPECT_EQ(run.Values<T>(), want);
}

template <class T>
void CheckSetDiag(const Index& shape, TfLiteType type) {
  Index vector(shape.begin(), shape.end() - 1);
  vector.back() = std::min(vector.back(), shape.back());
  const std::vector<T> diagonal = Numbered<T>(vector, 60);
  std::vector<T> want = Numbered<T>(shape);
  Walk(vector, [&](const Index& index) {
    Index to = index;
    to.push_back(index.back());
    want[FlatAt(shape, to)] = diagonal[FlatAt(vector, index)];
  });
  OpRunner run(MatrixSetDiagRegistration(OpForm::kOptimized));
  run.InputAs(type, shape, Numbered<T>(shape));
  run.InputAs(type, vector, diagonal);
  run.Output(type);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<T>(), want);
}

TEST(MatrixDiag, ShapesAndTypes) {
  CheckDiag<float>({3}, kTfLiteFloat32);
  CheckDiag<float>({2, 3, 4}, kTfLiteFloat32);
  CheckDiag<float>({2, 0}, kTfLiteFloat32);
  CheckDiag<int8_t>({2, 3}, kTfLiteInt8);
  CheckDiag<int16_t>({2, 3}, kTfLiteInt16);
  CheckDiag<int64_t>({2, 3}, kTfLiteInt64);
  CheckSetDiag<float>({2, 3, 4}, kTfLiteFloat32);
  CheckSetDiag<float>({4, 3}, kTfLiteFloat32);
  CheckSetDiag<uint8_t>({2, 3, 3}, kTfLiteUInt8);
  CheckSetDiag<int64_t>({1, 2, 3, 2}, kTfLiteInt64);
}

TEST(MatrixDiag, BadOperandsAreErrors) {
  OpRunner bools(MatrixDiagRegistration(OpForm::kOptimized));
  bools.EmptyInput({3}, kTfLiteBool);
  bools.Output(kTfLiteBool);
  EXPECT_EQ(bools.Prepare(), kTfLiteError);
  OpRunner scalar(MatrixDiagRegistration(OpForm::kOptimized));
  scalar.EmptyInput({}, kTfLiteFloat32);
  scalar.Output();
  EXPECT_EQ(scalar.Prepare(), kTfLiteError);
  OpRunner large(MatrixDiagRegistration(OpForm::kOptimized));
  large.EmptyInput({1 << 20}, kTfLiteFloat32);
  large.Output();
  EXPECT_EQ(large.Prepare(), kTfLiteError);
  for (const Index& diagonal : {Index{3}, Index{2, 3}, Index{2, 2, 1}}) {
    OpRunner run(MatrixSetDiagRegistration(OpForm::kOptimized));
    run.EmptyInput({2, 2, 3}, kTfLiteFloat32);
    run.EmptyInput(diagonal, kTfLiteFloat32);
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
  }
  OpRunner vector(MatrixSetDiagRegistration(OpForm::kOptimized));
  vector.EmptyInput({2}, kTfLiteFloat32);
  vector.EmptyInput({}, kTfLiteFloat32);
  vector.Output();
  EXPECT_EQ(vector.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
