// SPDX-License-Identifier: Apache-2.0
// MATRIX_DIAG: vectors [..., n] -> matrices [..., n, n] with the vectors on their diagonals and
// zeros elsewhere. MATRIX_SET_DIAG: matrices [..., m, n] whose diagonals are replaced.
#include <algorithm>
#include <cstring>

#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/matrix_diag/matrix_diag_rules.h"

namespace tern {
namespace {

Status CheckNumbers(const TfLiteTensor* input, const TfLiteTensor* output) {
  if (ElementBytes(input->type) == 0 || input->type == kTfLiteBool) {
    return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  return CheckSameType(input, output, "input and output");
}

// The vectors [count, n] of a source, written on the diagonals of matrices [count, rows, columns].
Region DiagonalRegion(int64_t count, int64_t rows, int64_t columns, int source) {
  const int64_t n = std::min(rows, columns);
  Region region;
  region.source = source;
  region.sizes = {count, n};
  region.source_strides = {n, 1};
  region.destination_strides = {rows * columns, columns + 1};
  return region;
}

int64_t Product(const Shape& shape, size_t count) {
  int64_t product = 1;
  for (size_t i = 0; i < count; ++i) product *= shape[i];
  return product;
}

class MatrixDiag : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "MATRIX_DIAG"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(DiagonalMatrices(ShapeOf(call.input(0))).status());
    return CheckNumbers(call.input(0), call.output(0));
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape shape, DiagonalMatrices(ShapeOf(call.input(0))));
    const int64_t n = shape.back();
    return Moves{{shape}, {DiagonalRegion(Product(shape, shape.size() - 2), n, n, 0)}};
  }
  Status Fill(const OpCall& call) override {
    TfLiteTensor* output = call.output(0);
    if (Elements(output) > 0) std::memset(output->data.raw, 0, output->bytes);
    return OkStatus();
  }
};

class MatrixSetDiag : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "MATRIX_SET_DIAG"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckNumbers(call.input(0), call.output(0)));
    TERN_RETURN_IF_ERROR(CheckSameType(call.input(0), call.input(1), "input and diagonal"));
    return CheckDiagonal(ShapeOf(call.input(0)), ShapeOf(call.input(1)));
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    const Shape shape = ShapeOf(call.input(0));
    const size_t outer = shape.size() - 2;
    return Moves{{shape},
                 {ViewRegion(WholeView(shape)),
                  DiagonalRegion(Product(shape, outer), shape[outer], shape[outer + 1], 1)}};
  }
};

}  // namespace

TfLiteRegistration MatrixDiagRegistration(OpForm form) {
  return MakeRegistration<MatrixDiag>(form);
}
TfLiteRegistration MatrixSetDiagRegistration(OpForm form) {
  return MakeRegistration<MatrixSetDiag>(form);
}

}  // namespace tern
