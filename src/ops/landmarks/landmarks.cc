// SPDX-License-Identifier: Apache-2.0
// MediaPipe's TransformLandmarks, TransformTensorBilinear (version 1 is also called
// TransformTensor) and Landmarks2TransformMatrix: from landmarks of a face to a matrix, from a
// picture to the part that the matrix shows, and landmarks found there back into the picture.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/landmarks/landmark_rules.h"

namespace tern {
namespace {

const void* OptionBytes(const OpCall& call) { return call.node()->custom_initial_data; }
int64_t OptionsSize(const OpCall& call) { return call.node()->custom_initial_data_size; }

Status CheckFloats(const OpCall& call) {
  for (int i = 0; i < call.inputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckType(call.input(i), kTfLiteFloat32, i == 0 ? "input" : "matrix"));
  }
  return CheckType(call.output(0), kTfLiteFloat32, "output");
}

Status CheckMatrix(const TfLiteTensor* matrix) {
  if (Elements(matrix) == 16) return OkStatus();
  return Invalid("the matrix must have 16 elements (shape ", ShapeText(ShapeOf(matrix)), ")");
}

// A row of the matrix for points (x, y, 0, 1).
struct MatrixRow {
  float x, y, one;
  float Of(float at_x, float at_y) const { return x * at_x + y * at_y + one; }
};

class TransformLandmarks : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "TransformLandmarks"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckFloats(call));
    TERN_RETURN_IF_ERROR(CheckMatrix(call.input(1)));
    const Shape shape = ShapeOf(call.input(0));
    TERN_ASSIGN_OR_RETURN(transform_,
                          ReadLandmarkTransform(OptionBytes(call), OptionsSize(call), shape));
    return call.SetShape(call.output(0), shape);
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.input(0), "landmarks"));
    TERN_RETURN_IF_ERROR(CheckData(call.input(1), "matrix"));
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
    const float *in = Data<float>(call.input(0)), *m = Data<float>(call.input(1));
    float* out = MutableData<float>(call.output(0));
    const MatrixRow x{m[0], m[1], m[3] * transform_.scale}, y{m[4], m[5], m[7] * transform_.scale};
    for (int64_t i = 0; i < Elements(call.input(0)); i += transform_.dimensions) {
      out[i] = x.Of(in[i], in[i + 1]);
      out[i + 1] = y.Of(in[i], in[i + 1]);
      if (transform_.dimensions == 3) out[i + 2] = in[i + 2];
    }
    return OkStatus();
  }

 private:
  LandmarkTransform transform_;
};

class TransformTensorBilinear : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "TransformTensorBilinear"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckFloats(call));
    TERN_RETURN_IF_ERROR(CheckMatrix(call.input(1)));
    const TfLiteTensor* input = call.input(0);
    TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
    if (Dim(input, 0) != 1) return Invalid("the batch must be 1 (", Dim(input, 0), ")");
    TERN_ASSIGN_OR_RETURN(transform_, ReadTensorTransform(OptionBytes(call), OptionsSize(call)));
    return call.SetShape(call.output(0), {1, transform_.height, transform_.width, Dim(input, 3)});
  }

  Status Eval(const OpCall& call) override;

 private:
  TensorTransform transform_;
};

Status TransformTensorBilinear::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "matrix"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const float *in = Data<float>(input), *m = Data<float>(call.input(1));
  float* out = MutableData<float>(call.output(0));
  const int64_t height = Dim(input, 1), width = Dim(input, 2), channels = Dim(input, 3);
  MatrixRow to_x{m[0], m[1], m[3]}, to_y{m[4], m[5], m[7]};
  if (transform_.from_edges) {
    for (MatrixRow* row : {&to_x, &to_y}) row->one += row->x * 0.5f + row->y * 0.5f - 0.5f;
  }
  const auto rows = [&](int64_t begin, int64_t end) {
    for (int64_t pixel = begin * transform_.width; pixel < end * transform_.width; ++pixel) {
      const int64_t row = pixel / transform_.width;
      const auto x = static_cast<float>(pixel % transform_.width), y = static_cast<float>(row);
      const float at_x = to_x.Of(x, y), at_y = to_y.Of(x, y);
      float* to = out + pixel * channels;
      const bool inside = at_x >= 0 && at_x <= static_cast<float>(width - 1) && at_y >= 0 &&
                          at_y <= static_cast<float>(height - 1);
      if (!inside) {
        std::fill_n(to, channels, 0.0f);
        continue;
      }
      // The last position may have been rounded up to a float after it.
      const int64_t left = std::min(static_cast<int64_t>(at_x), width - 1);
      const int64_t top = std::min(static_cast<int64_t>(at_y), height - 1);
      const int64_t right = std::min(left + 1, width - 1), bottom = std::min(top + 1, height - 1);
      const float part_x = at_x - static_cast<float>(left), part_y = at_y - static_cast<float>(top);
      const auto taps = [&](int64_t tap_y, int64_t tap_x) {
        return in + (tap_y * width + tap_x) * channels;
      };
      const float *a = taps(top, left), *b = taps(top, right);
      const float *c = taps(bottom, left), *d = taps(bottom, right);
      for (int64_t i = 0; i < channels; ++i) {
        const float upper = (1 - part_x) * a[i] + part_x * b[i];
        const float lower = (1 - part_x) * c[i] + part_x * d[i];
        to[i] = (1 - part_y) * upper + part_y * lower;
      }
    }
  };
  ParallelFor(Pool(call), transform_.height, transform_.width * (channels + 8), rows);
  return OkStatus();
}

class Landmarks2TransformMatrix : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "Landmarks2TransformMatrix"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckFloats(call));
    const TfLiteTensor* input = call.input(0);
    if (Rank(input) != 3 && Rank(input) != 4) {
      return Invalid("landmarks must have rank 3 or 4 (shape ", ShapeText(ShapeOf(input)), ")");
    }
    TERN_ASSIGN_OR_RETURN(matrix_, ReadLandmarkMatrix(OptionBytes(call), OptionsSize(call)));
    const int64_t landmarks = Elements(input) / 3;
    if (matrix_.last_point() >= landmarks) {
      return Invalid("a landmark does not exist (", matrix_.last_point(), ", ", landmarks,
                     " landmarks)");
    }
    return call.SetShape(call.output(0), {1, 4, 4});
  }

  Status Eval(const OpCall& call) override;

 private:
  LandmarkMatrix matrix_;
};

Status Landmarks2TransformMatrix::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "landmarks"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const float* in = Data<float>(call.input(0));
  const LandmarkMatrix& m = matrix_;
  const double dx = double{in[3 * m.right]} - in[3 * m.left];
  const double dy = double{in[3 * m.right + 1]} - in[3 * m.left + 1];
  const double length = std::hypot(dx, dy);
  // A line without length lies flat.
  const double unit_x = length > 0 ? dx / length : 1, unit_y = length > 0 ? dy / length : 0;
  double c = m.cos_target * unit_x + m.sin_target * unit_y;
  double s = m.sin_target * unit_x - m.cos_target * unit_y;
  if (m.half_turn && dx < 0) {
    c = -c;
    s = -s;
  }
  constexpr double kHuge = std::numeric_limits<double>::max();
  double low_x = kHuge, low_y = kHuge, high_x = -kHuge, high_y = -kHuge;
  for (const int64_t point : m.points) {
    const double x = in[3 * point], y = in[3 * point + 1];
    const double turned_x = x * c - y * s, turned_y = x * s + y * c;
    low_x = std::min(low_x, turned_x);
    high_x = std::max(high_x, turned_x);
    low_y = std::min(low_y, turned_y);
    high_y = std::max(high_y, turned_y);
  }
  const double width = high_x - low_x, height = high_y - low_y;
  const double mid_x = (low_x + high_x) / 2, mid_y = (low_y + high_y) / 2;
  const double xx = m.x_x * c * width, xy = m.x_y * s * height;
  const double yx = -m.y_x * s * width, yy = m.y_y * c * height;
  const double x1 = m.move_x * (c * mid_x + s * mid_y) - m.from_x * xx - m.from_y * xy;
  const double y1 = m.move_y * (c * mid_y - s * mid_x) - m.from_x * yx - m.from_y * yy;
  const double all[] = {xx, xy, 0, x1, yx, yy, 0, y1, 0, 0, 1, 0, 0, 0, 0, 1};
  std::transform(std::begin(all), std::end(all), MutableData<float>(call.output(0)),
                 [](double v) { return static_cast<float>(v); });
  return OkStatus();
}

}  // namespace

TfLiteRegistration TransformLandmarksRegistration(OpForm form) {
  return MakeRegistration<TransformLandmarks>(form);
}

TfLiteRegistration TransformTensorRegistration(OpForm form) {
  return MakeRegistration<TransformTensorBilinear>(form);
}

TfLiteRegistration TransformTensorBilinearRegistration(OpForm form) {
  return MakeRegistration<TransformTensorBilinear>(form);
}

TfLiteRegistration Landmarks2TransformMatrixRegistration(OpForm form) {
  return MakeRegistration<Landmarks2TransformMatrix>(form);
}

}  // namespace tern
