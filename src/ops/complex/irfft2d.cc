// SPDX-License-Identifier: Apache-2.0
// Irfft2d (custom): halves of Fourier transforms [..., rows, columns] (COMPLEX64) and two lengths,
// powers of two -> the real images [..., length 0, length 1] that they are transforms of. The
// halves are cut or filled with zeros to [length 0, length 1 / 2 + 1].
#include <algorithm>

#include "ops/complex/fourier_operands.h"
#include "ops/cpu_kit/fourier.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Irfft2d : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "Irfft2d"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }
};

Status SetIrfft2dShape(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape lengths, FourierLengths(call));
  Shape shape = ShapeOf(call.input(0));
  std::copy(lengths.begin(), lengths.end(), shape.end() - 2);
  return call.SetShape(call.output(0), shape);
}

Status Irfft2d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckFourierOperands(call, kTfLiteComplex64, kTfLiteFloat32));
  if (IsConstant(call.input(1))) return SetIrfft2dShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

// One half, and the image that it becomes.
class HalfSpectrum {
 public:
  HalfSpectrum(size_t rows, size_t columns)
      : rows_(rows), columns_(columns), kept_(columns / 2 + 1), half_(rows * kept_) {}

  // Conjugates, whose forward transform is the conjugate of the backward one.
  void Read(const float* in, size_t height, size_t width) {
    std::fill(half_.real.begin(), half_.real.end(), 0);
    std::fill(half_.imaginary.begin(), half_.imaginary.end(), 0);
    for (size_t y = 0; y < std::min(rows_, height); ++y) {
      for (size_t x = 0; x < std::min(kept_, width); ++x) {
        half_.real[y * kept_ + x] = in[2 * (y * width + x)];
        half_.imaginary[y * kept_ + x] = -double{in[2 * (y * width + x) + 1]};
      }
    }
    MakeSymmetric(0, 1, rows_ / 2);
    MakeSymmetric(kept_ - 1, rows_ / 2 + 1, rows_);
  }

  void Write(const Transform& of_columns, const Transform& of_rows, float* out) {
    ComplexArray line(rows_), other(rows_);
    for (size_t x = 0; x < kept_; ++x) {
      for (size_t y = 0; y < rows_; ++y) Copy(half_, y * kept_ + x, line, y);
      of_columns(line, other);
      for (size_t y = 0; y < rows_; ++y) Copy(line, y, half_, y * kept_ + x);
    }
    const double scale = 1.0 / (static_cast<double>(rows_) * static_cast<double>(columns_));
    ComplexArray row(columns_), another(columns_);
    for (size_t y = 0; y < rows_; ++y) {
      for (size_t x = 0; x < kept_; ++x) Copy(half_, y * kept_ + x, row, x);
      for (size_t x = kept_; x < columns_; ++x) {
        row.real[x] = row.real[columns_ - x];
        row.imaginary[x] = -row.imaginary[columns_ - x];
      }
      of_rows(row, another);
      for (size_t x = 0; x < columns_; ++x) {
        out[y * columns_ + x] = static_cast<float>(row.real[x] * scale);
      }
    }
  }

 private:
  static void Copy(const ComplexArray& from, size_t at, ComplexArray& to, size_t where) {
    to.real[where] = from.real[at];
    to.imaginary[where] = from.imaginary[at];
  }

  // The first and the last column of a real image's transform equal their own conjugates read
  // backwards. Of numbers that differ, the reference takes the upper half of the first column and
  // the lower half of the last one: rows from `first` to `end`.
  void MakeSymmetric(size_t column, size_t first, size_t end) {
    for (size_t y = first; y < end; ++y) {
      const size_t from = y * kept_ + column, to = (rows_ - y) * kept_ + column;
      half_.real[to] = half_.real[from];
      half_.imaginary[to] = -half_.imaginary[from];
    }
    half_.imaginary[column] = 0;
    half_.imaginary[rows_ / 2 * kept_ + column] = 0;
  }

  size_t rows_, columns_, kept_;
  ComplexArray half_;
};

Status Irfft2d::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(SetIrfft2dShape(call));
  TERN_ASSIGN_OR_RETURN(const Shape lengths, FourierLengths(call));
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const int64_t height = Dim(input, Rank(input) - 2), width = Dim(input, Rank(input) - 1);
  const int64_t size = lengths[0] * lengths[1];
  const int64_t images = Elements(call.output(0)) / size;
  const Transform of_columns(static_cast<size_t>(lengths[0]));
  const Transform of_rows(static_cast<size_t>(lengths[1]));
  ParallelFor(Pool(call), images, 16 * size, [&](int64_t begin, int64_t end) {
    HalfSpectrum half(of_columns.size(), of_rows.size());
    for (int64_t i = begin; i < end; ++i) {
      half.Read(Data<float>(input) + 2 * i * height * width, static_cast<size_t>(height),
                static_cast<size_t>(width));
      half.Write(of_columns, of_rows, MutableData<float>(call.output(0)) + i * size);
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration Irfft2dRegistration(OpForm form) { return MakeRegistration<Irfft2d>(form); }

}  // namespace tern
