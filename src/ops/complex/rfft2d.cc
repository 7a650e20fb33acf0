// SPDX-License-Identifier: Apache-2.0
// RFFT2D: real images [..., height, width] and two lengths, powers of two -> their Fourier
// transform
// [..., length 0, length 1 / 2 + 1]. Images are cut or filled with zeros to the lengths.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

// Complex numbers, their parts side by side, as vector instructions want them.
struct Numbers {
  explicit Numbers(size_t n) : real(n), imaginary(n) {}
  std::vector<double> real, imaginary;
};

// e to the power of -2 pi i k / n for k < count.
Numbers Turns(size_t n, size_t count) {
  Numbers turns(count);
  const double angle = -2 * std::acos(-1.0) / static_cast<double>(n);
  for (size_t k = 0; k < count; ++k) {
    turns.real[k] = std::cos(angle * static_cast<double>(k));
    turns.imaginary[k] = std::sin(angle * static_cast<double>(k));
  }
  return turns;
}

// Transforms of one size, a power of two, in the form of Stockham: each pass halves the transforms,
// doubles the numbers that share a turn, and leaves all of them in order.
class Transform {
 public:
  explicit Transform(size_t n) : size_(n), turns_(Turns(n, n / 2)) {}

  size_t size() const { return size_; }

  // In place; `other` is memory of the same size.
  void operator()(Numbers& v, Numbers& other) const {
    for (size_t together = 1; together < size_; together *= 2) {
      Pass(v, other, together);
      std::swap(v, other);
    }
  }

 private:
  void Pass(const Numbers& from, Numbers& to, size_t together) const {
    const size_t half = size_ / 2;
    for (size_t first = 0; first < half; first += together) {
      const double cosine = turns_.real[first], sine = turns_.imaginary[first];
      const double* a = from.real.data() + first;
      const double* b = from.imaginary.data() + first;
      double* __restrict x = to.real.data() + 2 * first;
      double* __restrict y = to.imaginary.data() + 2 * first;
      for (size_t i = 0; i < together; ++i) {
        const double real = a[i] - a[i + half], imaginary = b[i] - b[i + half];
        x[i] = a[i] + a[i + half];
        y[i] = b[i] + b[i + half];
        x[i + together] = real * cosine - imaginary * sine;
        y[i + together] = real * sine + imaginary * cosine;
      }
    }
  }

  size_t size_;
  Numbers turns_;
};

// The first half of the transform of real rows, and the number after it. Numbers at even and odd
// places go through one transform of half the size, as real and imaginary parts; its symmetries
// tell them apart.
class RowTransform {
 public:
  explicit RowTransform(size_t n) : transform_(n / 2), turns_(Turns(n, n / 2 + 1)) {}

  size_t size() const { return 2 * transform_.size(); }
  size_t kept() const { return transform_.size() + 1; }

  // Of `count` numbers and zeros after them, into v; v and other have the size kept().
  void operator()(const float* in, size_t count, Numbers& v, Numbers& other) const {
    const size_t half = transform_.size();
    for (size_t k = 0; k < half; ++k) {
      v.real[k] = 2 * k < count ? in[2 * k] : 0.0f;
      v.imaginary[k] = 2 * k + 1 < count ? in[2 * k + 1] : 0.0f;
    }
    transform_(v, other);
    v.real[half] = v.real[0];
    v.imaginary[half] = v.imaginary[0];
    for (size_t k = 0; k <= half; ++k) {
      const double even = v.real[k] + v.real[half - k];
      const double even_i = v.imaginary[k] - v.imaginary[half - k];
      const double odd = v.imaginary[k] + v.imaginary[half - k];
      const double odd_i = v.real[half - k] - v.real[k];
      const double cosine = turns_.real[k], sine = turns_.imaginary[k];
      other.real[k] = (even + odd * cosine - odd_i * sine) / 2;
      other.imaginary[k] = (even_i + odd * sine + odd_i * cosine) / 2;
    }
    std::swap(v, other);
  }

 private:
  Transform transform_;
  Numbers turns_;
};

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

StatusOr<Shape> LengthsOf(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape lengths, ReadIntegers(call.input(1), "lengths"));
  for (const int64_t length : lengths) {
    if (length < 1 || !std::has_single_bit(static_cast<uint64_t>(length))) {
      return Invalid("a length is no power of two (", ShapeText(lengths), ")");
    }
  }
  if (lengths[1] < 2) return Unsupported("a width of 1 is not supported yet");
  return lengths;
}

Status SetOutputShape(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape lengths, LengthsOf(call));
  Shape shape = ShapeOf(call.input(0));
  shape[shape.size() - 2] = lengths[0];
  shape[shape.size() - 1] = lengths[1] / 2 + 1;
  return call.SetShape(call.output(0), shape);
}

Status Rfft2d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "lengths"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteComplex64, "output"));
  if (Rank(call.input(0)) < 2) {
    return Invalid("the input needs a rank of at least 2 (", Rank(call.input(0)), ")");
  }
  if (ShapeOf(call.input(1)) != Shape{2}) {
    return Invalid("there must be two lengths (", ShapeText(ShapeOf(call.input(1))), ")");
  }
  if (IsConstant(call.input(1))) return SetOutputShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

// One image: rows first, then the columns of the half that is kept.
void TransformImage(const float* in, size_t height, size_t width, const RowTransform& of_rows,
                    const Transform& of_columns, float* out) {
  const size_t kept = of_rows.kept(), rows = of_columns.size();
  Numbers line(kept), other(kept), image(rows * kept);
  for (size_t y = 0; y < std::min(rows, height); ++y) {
    of_rows(in + y * width, width, line, other);
    std::copy_n(line.real.begin(), kept, image.real.begin() + static_cast<long>(y * kept));
    std::copy_n(line.imaginary.begin(), kept,
                image.imaginary.begin() + static_cast<long>(y * kept));
  }
  Numbers column(rows), another(rows);
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
  if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(SetOutputShape(call));
  TERN_ASSIGN_OR_RETURN(const Shape lengths, LengthsOf(call));
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
