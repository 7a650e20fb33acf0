// SPDX-License-Identifier: Apache-2.0
// RFFT2D: real images [..., height, width] and two lengths, powers of two -> their Fourier
// transform
// [..., length 0, length 1 / 2 + 1]. Images are cut or filled with zeros to the lengths.
#include <algorithm>
#include <vector>

#include "ops/complex/fourier_operands.h"
#include "ops/cpu_kit/fourier.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Rfft2d : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "RFFT2D"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  RowTransform rows_{2};
  Transform columns_{1};
};

Status SetRfft2dShape(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape lengths, FourierLengths(call));
  Shape shape = ShapeOf(call.input(0));
  shape[shape.size() - 2] = lengths[0];
  shape[shape.size() - 1] = lengths[1] / 2 + 1;
  return call.SetShape(call.output(0), shape);
}

Status Rfft2d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckFourierOperands(call, kTfLiteFloat32, kTfLiteComplex64));
  if (IsConstant(call.input(1))) return SetRfft2dShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

// One image: rows first, then the columns of the half that is kept.
void TransformImage(const float* in, size_t height, size_t width, const RowTransform& of_rows,
                    const Transform& of_columns, float* out) {
  const size_t kept = of_rows.kept(), rows = of_columns.size();
  ComplexArray line(kept), other(kept), image(rows * kept);
  for (size_t y = 0; y < std::min(rows, height); ++y) {
    of_rows(in + y * width, width, line, other);
    std::copy_n(line.real.begin(), kept, image.real.begin() + static_cast<long>(y * kept));
    std::copy_n(line.imaginary.begin(), kept,
                image.imaginary.begin() + static_cast<long>(y * kept));
  }
  ComplexArray column(rows), another(rows);
  for (size_t x = 0; x < kept; ++x) {
    for (size_t y = 0; y < rows; ++y) {
      column.real[y] = image.real[y * kept + x];
      column.imaginary[y] = image.imaginary[y * kept + x];
    }
    of_columns(column, another);
    for (size_t y = 0; y < rows; ++y) {
      out[2 * (y * kept + x)] = static_cast<float>(column.real[y]);
      out[2 * (y * kept + x) + 1] = static_cast<float>(column.imaginary[y]);
    }
  }
}

Status Rfft2d::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(SetRfft2dShape(call));
  TERN_ASSIGN_OR_RETURN(const Shape lengths, FourierLengths(call));
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const auto rows = static_cast<size_t>(lengths[0]), columns = static_cast<size_t>(lengths[1]);
  if (rows_.size() != columns) rows_ = RowTransform(columns);
  if (columns_.size() != rows) columns_ = Transform(rows);
  const int64_t height = Dim(input, Rank(input) - 2), width = Dim(input, Rank(input) - 1);
  const int64_t made = lengths[0] * (lengths[1] / 2 + 1);
  const int64_t images = Elements(call.output(0)) / made;
  ParallelFor(Pool(call), images, 16 * made, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      TransformImage(Data<float>(input) + i * height * width, static_cast<size_t>(height),
                     static_cast<size_t>(width), rows_, columns_,
                     MutableData<float>(call.output(0)) + 2 * i * made);
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration Rfft2dRegistration(OpForm form) { return MakeRegistration<Rfft2d>(form); }

}  // namespace tern
