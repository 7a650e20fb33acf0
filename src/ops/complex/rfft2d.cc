// SPDX-License-Identifier: Apache-2.0
// RFFT2D: real images [..., height, width] and two lengths, powers of two -> their Fourier
// transform
// [..., length 0, length 1 / 2 + 1]. Images are cut or filled with zeros to the lengths.
#include <bit>
#include <cmath>
#include <complex>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/op_kit.h"

namespace tern {
namespace {

using Number = std::complex<double>;
using Numbers = std::vector<Number>;

class Rfft2d : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "RFFT2D"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool KnownAtPrepare(const OpCall& call) const override { return AllConstant(call); }
};

// Transforms of one size, a power of two.
class Transform {
 public:
  explicit Transform(size_t n) : cosines_(n / 2), sines_(n / 2) {
    const double angle = -2 * std::acos(-1.0) / static_cast<double>(n);
    for (size_t k = 0; k < n / 2; ++k) {
      cosines_[k] = std::cos(angle * static_cast<double>(k));
      sines_[k] = std::sin(angle * static_cast<double>(k));
    }
  }

  // In place.
  void operator()(Numbers& v) const {
    const size_t n = v.size();
    for (size_t i = 1, j = 0; i < n; ++i) {
      size_t bit = n >> 1;
      for (; (j & bit) != 0; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(v[i], v[j]);
    }
    for (size_t length = 2; length <= n; length *= 2) {
      for (size_t start = 0; start < n; start += length) {
        Join(v.data() + start, length / 2, n / length);
      }
    }
  }

 private:
  // Two transforms of `half` numbers each, side by side, become one.
  void Join(Number* v, size_t half, size_t turn_step) const {
    for (size_t k = 0; k < half; ++k) {
      const Number a = v[k], b = v[k + half];
      const double cosine = cosines_[k * turn_step], sine = sines_[k * turn_step];
      const Number turned(b.real() * cosine - b.imag() * sine, b.real() * sine + b.imag() * cosine);
      v[k] = a + turned;
      v[k + half] = a - turned;
    }
  }

  std::vector<double> cosines_, sines_;  // of n / 2 parts of a turn
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
void TransformImage(const float* in, int64_t height, int64_t width, const Shape& lengths,
                    const Transform& of_rows, const Transform& of_columns, float* out) {
  const auto rows = static_cast<size_t>(lengths[0]), columns = static_cast<size_t>(lengths[1]);
  const size_t kept = columns / 2 + 1;
  Numbers half(rows * kept), line;
  for (size_t y = 0; y < rows && static_cast<int64_t>(y) < height; ++y) {
    line.assign(columns, 0.0);
    for (size_t x = 0; x < columns && static_cast<int64_t>(x) < width; ++x) {
      line[x] = in[static_cast<int64_t>(y) * width + static_cast<int64_t>(x)];
    }
    of_rows(line);
    std::copy_n(line.begin(), kept, half.begin() + static_cast<long>(y * kept));
  }
  for (size_t x = 0; x < kept; ++x) {
    line.resize(rows);
    for (size_t y = 0; y < rows; ++y) line[y] = half[y * kept + x];
    of_columns(line);
    for (size_t y = 0; y < rows; ++y) {
      out[2 * (y * kept + x)] = static_cast<float>(line[y].real());
      out[2 * (y * kept + x) + 1] = static_cast<float>(line[y].imag());
    }
  }
}

Status Rfft2d::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(SetOutputShape(call));
  TERN_ASSIGN_OR_RETURN(const Shape lengths, LengthsOf(call));
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const int64_t height = Dim(input, Rank(input) - 2), width = Dim(input, Rank(input) - 1);
  const int64_t made = lengths[0] * (lengths[1] / 2 + 1);
  const int64_t images = Elements(call.output(0)) / made;
  const Transform of_rows(static_cast<size_t>(lengths[1]));
  const Transform of_columns(static_cast<size_t>(lengths[0]));
  ParallelFor(Pool(call), images, 16 * made, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      TransformImage(Data<float>(input) + i * height * width, height, width, lengths, of_rows,
                     of_columns, MutableData<float>(call.output(0)) + 2 * i * made);
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration Rfft2dRegistration(OpForm form) { return MakeRegistration<Rfft2d>(form); }

}  // namespace tern
