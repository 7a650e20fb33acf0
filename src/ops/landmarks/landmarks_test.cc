// SPDX-License-Identifier: Apache-2.0
// MediaPipe's landmark operations against their definitions in double precision on every engine,
// in both versions, and with options and shapes that do not fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "flatbuffers/flexbuffers.h"
#include "ops/cpu_registry.h"
#include "ops/testing/check_model.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes Options(const std::function<void(flexbuffers::Builder&)>& fill) {
  flexbuffers::Builder b;
  b.Map([&] { fill(b); });
  b.Finish();
  return b.GetBuffer();
}

void AddList(flexbuffers::Builder& b, const char* key, const std::vector<int>& values) {
  b.TypedVector(key, [&] {
    for (const int v : values) b.Int(v);
  });
}

// Runs the case on all engines, the first one of a name also on those that run the C++ compiler for
// each program; bounds are shares of the largest number.
void Check(const ModelCase& c, const std::vector<int>& shape, const std::vector<double>& want) {
  static auto& names = *new std::set<std::string>;
  std::vector<Engine> engines = CpuEngines();
  engines.insert(engines.end(), DriverEngines().begin(), DriverEngines().end());
  if (names.insert(c.name).second)
    engines.insert(engines.end(), HostEngines().begin(), HostEngines().end());
  double largest = 0;
  for (const double v : want) largest = std::max(largest, std::fabs(v));
  for (const Engine& engine : engines) {
    const RunResult result = RunModelCase(c, engine);
    ASSERT_EQ(result.error, "") << c.name << " on " << engine.name;
    EXPECT_EQ(result.outputs[0].shape, shape) << c.name << " on " << engine.name;
    const std::vector<float> got = result.outputs[0].floats();
    ASSERT_EQ(got.size(), want.size());
    const double bound = largest * (engine.half ? 2e-3 : 2e-6);
    for (size_t i = 0; i < want.size(); ++i)
      ASSERT_NEAR(got[i], want[i], bound) << c.name << " on " << engine.name << ", element " << i;
  }
  for (const bool half : {false, true}) CheckSmallestDevice(c, half);
}

using Matrix = std::vector<float>;

// Numbers that halves hold, off the pixel grid.
const Matrix kMatrix = {0.875f, 0.25f, 9, 0.375f, -0.125f, 0.75f, 9, 1.1875f,
                        0,      0,     1, 0,      0,       0,     0, 1};

// ---- TransformLandmarks

void CheckLandmarks(const std::vector<int32_t>& shape, int dimensions, float scale,
                    const Bytes& options) {
  ModelBuilder b;
  b.SetOpVersion(shape.size() == 3 ? 2 : 1);
  const int x = b.Input(shape), m = b.Input({1, 4, 4});
  b.Output(b.CustomOp("TransformLandmarks", {x, m}, {b.Tensor(shape)}, options));
  std::vector<float> in(static_cast<size_t>(Count({shape.begin(), shape.end()})));
  Random random(5);
  for (float& v : in) v = static_cast<float>(random.Integer(-100, 100)) / 4;
  std::vector<double> want(in.begin(), in.end());
  for (size_t i = 0; i < in.size(); i += static_cast<size_t>(dimensions)) {
    const double px = in[i], py = in[i + 1];
    want[i] = kMatrix[0] * px + kMatrix[1] * py + double{kMatrix[3]} * scale;
    want[i + 1] = kMatrix[4] * px + kMatrix[5] * py + double{kMatrix[7]} * scale;
  }
  Check({"landmarks", b.Finish(), {in, kMatrix}}, {shape.begin(), shape.end()}, want);
  // With a step after it that reads a tensor.
  const int sum = b.Tensor(shape), of = b.subgraph().outputs[0];
  b.SetOpVersion(1);
  b.Op(tflite::BuiltinOperator_ADD, {of, x}, {sum}, tflite::AddOptionsT());
  b.subgraph().outputs = {sum};
  for (size_t i = 0; i < in.size(); ++i) want[i] += in[i];
  Check({"landmarks and a sum", b.Finish(), {in, kMatrix}}, {shape.begin(), shape.end()}, want);
}

TEST(TransformLandmarks, BothVersions) {
  CheckLandmarks({1, 7, 3}, 3, 1, {});
  CheckLandmarks({1, 5, 2}, 2, 1, {});
  CheckLandmarks({1, 1, 1, 63}, 3, 16, Options([](auto& o) { o.Float("scale", 16); }));
  CheckLandmarks({1, 2, 3, 10}, 2, 0.5f, Options([](auto& o) {
                   o.Int("dimensions", 2);
                   o.Double("scale", 0.5);
                 }));
}

// ---- TransformTensorBilinear

void CheckTensor(const std::vector<int32_t>& shape, int height, int width, bool from_edges,
                 const Matrix& matrix, bool relu = false) {
  const Bytes options = Options([&](auto& o) {
    if (from_edges) {
      o.Int("output_height", height);
      o.Int("output_width", width);
    } else {
      o.String("mode", "bilinear");
      AddList(o, "output_size", {height, width});
    }
  });
  const int channels = shape[3];
  ModelBuilder b;
  b.SetOpVersion(from_edges ? 2 : 1);
  const int x = b.Input(shape), m = b.Input({1, 1, 4, 4});
  const int y = b.Tensor({1, height, width, channels});
  b.CustomOp(from_edges ? "TransformTensorBilinear" : "TransformTensor", {x, m}, {y}, options);
  b.SetOpVersion(1);
  b.Output(relu ? b.Op(tflite::BuiltinOperator_RELU, {y}, {b.Tensor({1, height, width, channels})})
                : y);
  std::vector<float> in(static_cast<size_t>(Count({shape.begin(), shape.end()})));
  Random random(6);
  for (float& v : in) v = static_cast<float>(random.Integer(-30, 30));
  std::vector<double> want;
  const double half = from_edges ? 0.5 : 0;
  for (int i = 0; i < height * width * channels; ++i) {
    const double px = i / channels % width + half, py = i / channels / width + half;
    const double at_x = matrix[0] * px + matrix[1] * py + matrix[3] - half;
    const double at_y = matrix[4] * px + matrix[5] * py + matrix[7] - half;
    double sum = 0;
    const bool inside = at_x >= 0 && at_y >= 0 && at_x <= shape[2] - 1 && at_y <= shape[1] - 1;
    for (int row = 0; inside && row < shape[1]; ++row) {
      for (int column = 0; column < shape[2]; ++column) {
        const double share =
            std::max(0.0, 1 - std::fabs(at_x - column)) * std::max(0.0, 1 - std::fabs(at_y - row));
        sum += share * in[static_cast<size_t>((row * shape[2] + column) * channels + i % channels)];
      }
    }
    want.push_back(relu ? std::max(sum, 0.0) : sum);
  }
  Check({from_edges ? "tensor from edges" : "tensor", b.Finish(), {in, matrix}},
        {1, height, width, channels}, want);
}

TEST(TransformTensorBilinear, BothVersions) {
  for (const bool from_edges : {false, true}) {
    CheckTensor({1, 6, 7, 5}, 8, 9, from_edges, kMatrix);
    CheckTensor({1, 6, 7, 5}, 8, 9, from_edges, kMatrix, true);
    CheckTensor({1, 3, 4, 17}, 3, 4, from_edges, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    CheckTensor({1, 5, 5, 1}, 4, 6, from_edges,
                {0, -1, 0, 3.25f, 0.5f, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1});
    CheckTensor(
        {1, 1, 1, 3}, 2, 2, from_edges,
        {0, 0, 0, from_edges ? 0.5f : 0, 0, 0, 0, from_edges ? 0.5f : 0, 0, 0, 1, 0, 0, 0, 0, 1});
  }
}

// ---- Landmarks2TransformMatrix

using Matrix4 = std::array<double, 16>;

Matrix4 Product(const Matrix4& a, const Matrix4& b) {
  Matrix4 c{};
  for (size_t i = 0; i < 16; ++i) {
    for (size_t k = 0; k < 4; ++k) c[i] += a[i / 4 * 4 + k] * b[k * 4 + i % 4];
  }
  return c;
}
Matrix4 Scale(double x, double y) { return {x, 0, 0, 0, 0, y, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; }
Matrix4 Shift(double x, double y) { return {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0, 0, 0, 0, 1}; }
Matrix4 Turn(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
}

struct Face {
  std::vector<float> landmarks;
  std::vector<int> points;
  int left = 0, right = 1;

  double X(int i) const { return landmarks[static_cast<size_t>(3 * i)]; }
  double Y(int i) const { return landmarks[static_cast<size_t>(3 * i + 1)]; }
};

struct Frame {
  double width, height, x, y;
};

// Around the points turned by an angle; the centre turned back.
Frame FrameOf(const Face& face, double angle) {
  double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
  for (const int p : face.points) {
    const double c = std::cos(angle), s = std::sin(angle);
    const double turned[2] = {face.X(p) * c - face.Y(p) * s, face.X(p) * s + face.Y(p) * c};
    for (int d = 0; d < 2; ++d) {
      low[d] = std::min(low[d], turned[d]);
      high[d] = std::max(high[d], turned[d]);
    }
  }
  const double x = (low[0] + high[0]) / 2, y = (low[1] + high[1]) / 2;
  const double c = std::cos(-angle), s = std::sin(-angle);
  return {high[0] - low[0], high[1] - low[1], x * c - y * s, x * s + y * c};
}

Face MakeFace(int count, const std::vector<int>& points, uint64_t seed) {
  Face face{{}, points};
  Random random(seed);
  for (int i = 0; i < 3 * count; ++i)
    face.landmarks.push_back(static_cast<float>(random.Integer(0, 255)));
  return face;
}

void CheckMatrix(const Face& face, const std::vector<int32_t>& shape, const Bytes& options,
                 const Matrix4& want) {
  ModelBuilder b;
  b.SetOpVersion(shape.size() == 3 ? 2 : 1);
  const int x = b.Input(shape);
  b.Output(b.CustomOp("Landmarks2TransformMatrix", {x}, {b.Tensor({1, 4, 4})}, options));
  Check(
      {shape.size() == 3 ? "matrix, version 2" : "matrix, version 1", b.Finish(), {face.landmarks}},
      {1, 4, 4}, {want.begin(), want.end()});
}

Bytes FirstOptions(const Face& face, float multiplier, int range, std::vector<int> in,
                   std::vector<int> out) {
  return Options([&](auto& o) {
    AddList(o, "subset", face.points);
    AddList(o, "input_hw", in);
    AddList(o, "output_hw", out);
    o.Int("dimensions", 3);
    o.Int("landmarks_range", range);
    o.Int("left_rotation_idx", face.left);
    o.Int("right_rotation_idx", face.right);
    o.Float("bbox_size_multiplier", multiplier);
  });
}

void CheckFirstVersion(const Face& face) {
  const double angle = -std::atan((face.Y(face.right) - face.Y(face.left)) /
                                  (face.X(face.right) - face.X(face.left)));
  const Frame f = FrameOf(face, angle);
  const double range = 256, multiplier = 1.5;
  Matrix4 m = Product(Scale(2.0 / 23, 2.0 / 15), Shift(0, 0));
  m[3] = m[7] = -1;
  m = Product(Scale(f.width * multiplier / range, f.height * multiplier / range), m);
  m = Product(Turn(-angle), m);
  m = Product(Shift(f.x / range * 2 - 1, f.y / range * 2 - 1), m);
  m = Product(Shift(63.0 / 2, 47.0 / 2), Product(Scale(63.0 / 2, 47.0 / 2), m));
  CheckMatrix(face, {1, 1, 1, static_cast<int32_t>(face.landmarks.size())},
              FirstOptions(face, 1.5f, 256, {48, 64}, {16, 24}), m);
}

Bytes SecondOptions(const Face& face, float angle, int height, int width) {
  return Options([&](auto& o) {
    AddList(o, "subset_idxs", face.points);
    o.Int("left_rotation_idx", face.left);
    o.Int("right_rotation_idx", face.right);
    o.Float("target_rotation_radians", angle);
    o.Int("output_height", height);
    o.Int("output_width", width);
    o.Float("scale_x", 1.5f);
    o.Float("scale_y", 1.25f);
  });
}

void CheckSecondVersion(const Face& face, float target) {
  const double angle = target - std::atan2(face.Y(face.right) - face.Y(face.left),
                                           face.X(face.right) - face.X(face.left));
  const Frame f = FrameOf(face, angle);
  const Matrix4 m =
      Product(Product(Shift(f.x, f.y), Turn(-angle)),
              Product(Scale(1.5 * f.width / 24, 1.25 * f.height / 16), Shift(-12, -8)));
  CheckMatrix(face, {1, static_cast<int32_t>(face.landmarks.size() / 3), 3},
              SecondOptions(face, target, 16, 24), m);
}

TEST(Landmarks2TransformMatrix, BothVersions) {
  for (const int seed : {1, 2, 3}) {
    Face face = MakeFace(10, {2, 3, 4, 9, 7}, static_cast<uint64_t>(seed));
    face.left = seed;
    face.right = 9;
    CheckFirstVersion(face);
    CheckSecondVersion(face, static_cast<float>(seed - 1));
  }
  std::vector<int> many;
  for (int i = 0; i < 40; ++i) many.push_back(i % 33);
  const Face face = MakeFace(34, many, 8);
  CheckFirstVersion(face);
  CheckSecondVersion(face, -0.5f);
}

// A line straight up, and one without length.
TEST(Landmarks2TransformMatrix, UprightAndEmptyLines) {
  Face face{{8, 16, 0, 8, 48, 0, 24, 32, 0, 56, 8, 0}, {0, 1, 2, 3}};
  CheckFirstVersion(face);
  CheckSecondVersion(face, 0);
  face.right = face.left;
  CheckSecondVersion(face, 0.25f);
}

// ---- what does not fit

struct Operand {
  std::vector<int> shape;
  TfLiteType type = kTfLiteFloat32;
};

std::string ErrorOf(TfLiteRegistration (*registration)(OpForm), const Bytes& options,
                    const std::vector<Operand>& inputs) {
  OpRunner run(registration(OpForm::kOptimized));
  run.SetCustomOptions(options);
  for (const Operand& input : inputs) run.EmptyInput(input.shape, input.type);
  run.Output();
  EXPECT_EQ(run.Prepare(), kTfLiteError);
  return run.error();
}

TEST(TransformLandmarks, BadOperandsAreErrors) {
  const auto error = [](const Bytes& options, const std::vector<Operand>& inputs) {
    return ErrorOf(&TransformLandmarksRegistration, options, inputs);
  };
  const Operand matrix{{1, 4, 4}};
  EXPECT_EQ(error({}, {{{1, 7, 4}}, matrix}),
            "TransformLandmarks: landmarks must have 2 or 3 dimensions (4)");
  EXPECT_EQ(error({}, {{{2, 7, 3}}, matrix}), "TransformLandmarks: the batch must be 1 (2)");
  EXPECT_EQ(error({}, {{{1, 1, 1, 7}}, matrix}),
            "TransformLandmarks: the channels are no whole landmarks (7, 3)");
  EXPECT_NE(error({}, {{{1, 7, 3}}, {{3, 4}}}), "");
  EXPECT_NE(error({}, {{{7, 3}}, matrix}), "");
  EXPECT_NE(error({}, {{{1, 7, 3}, kTfLiteInt32}, matrix}), "");
  EXPECT_NE(error({}, {{{1, 7, 3}}, {{1, 4, 4}, kTfLiteInt32}}), "");
  EXPECT_NE(error({}, {{{1, 7, 3}}}), "");
  EXPECT_NE(error({1, 2, 3, 4}, {{{1, 1, 1, 9}}, matrix}), "");
  EXPECT_EQ(error(Options([](auto& o) { o.Int("scale", 0); }), {{{1, 1, 1, 9}}, matrix}),
            "TransformLandmarks: option scale must not be 0 (0)");
  EXPECT_NE(error(Options([](auto& o) { o.Int("dimensions", -3); }), {{{1, 1, 1, 9}}, matrix}), "");
}

// As a float the last position of so wide a picture lies one after it, on an unreadable page.
TEST(TransformTensorBilinear, PositionsThatRoundUp) {
  constexpr int kWidth = (1 << 24) + 4;
  std::vector<float> picture(kWidth, 0.0f);
  picture.back() = 7;
  const float last = kWidth;
  for (const bool turned : {false, true}) {
    OpRunner run(TransformTensorBilinearRegistration(OpForm::kOptimized));
    run.SetCustomOptions(Options([](auto& o) { AddList(o, "output_size", {1, 1}); }));
    run.Input(turned ? std::vector<int>{1, kWidth, 1, 1} : std::vector<int>{1, 1, kWidth, 1},
              picture, kTfLiteMmapRo);
    Matrix matrix(16, 0.0f);
    matrix[turned ? 7 : 3] = last;
    run.Input({1, 4, 4}, matrix);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), std::vector<float>{7});
  }
}

TEST(TransformTensorBilinear, BadOperandsAreErrors) {
  const auto error = [](const Bytes& options, const Operand& input) {
    return ErrorOf(&TransformTensorBilinearRegistration, options, {input, {{1, 4, 4}}});
  };
  const auto sizes = [](int height, int width) {
    return Options([&](auto& o) {
      o.Int("output_height", height);
      o.Int("output_width", width);
    });
  };
  EXPECT_EQ(error(sizes(0, 3), {{1, 4, 4, 3}}),
            "TransformTensorBilinear: option output_height is out of range (0, at least 1)");
  EXPECT_EQ(error(sizes(3, 3), {{2, 4, 4, 3}}), "TransformTensorBilinear: the batch must be 1 (2)");
  EXPECT_NE(error(sizes(INT32_MAX, INT32_MAX), {{1, 4, 4, 3}}), "");
  EXPECT_NE(error(sizes(3, 3), {{4, 4, 3}}), "");
  EXPECT_NE(error({}, {{1, 4, 4, 3}}), "");
  EXPECT_NE(error(Options([](auto& o) { o.Int("output_height", 3); }), {{1, 4, 4, 3}}), "");
  EXPECT_EQ(error(Options([](auto& o) { AddList(o, "output_size", {3}); }), {{1, 4, 4, 3}}),
            "TransformTensorBilinear: option output_size must be height and width (1 numbers)");
  EXPECT_NE(error(Options([](auto& o) {
                    AddList(o, "output_size", {3, -1});
                  }),
                  {{1, 4, 4, 3}}),
            "");
  EXPECT_EQ(error(Options([](auto& o) {
                    o.String("mode", "nearest");
                    AddList(o, "output_size", {3, 3});
                  }),
                  {{1, 4, 4, 3}}),
            "TransformTensorBilinear: option mode must be bilinear (nearest)");
}

TEST(Landmarks2TransformMatrix, BadOperandsAreErrors) {
  const auto error = [](const Bytes& options, const Operand& input) {
    return ErrorOf(&Landmarks2TransformMatrixRegistration, options, {input});
  };
  Face face = MakeFace(4, {0, 1}, 1);
  const auto second = [&] { return SecondOptions(face, 0, 3, 4); };
  face.points = {4};
  EXPECT_EQ(error(second(), {{1, 4, 3}}),
            "Landmarks2TransformMatrix: a landmark does not exist (4, 4 landmarks)");
  face.points = {-1};
  EXPECT_EQ(error(second(), {{1, 4, 3}}),
            "Landmarks2TransformMatrix: option subset_idxs is out of range (-1, at least 0)");
  face.points = {};
  EXPECT_NE(error(second(), {{1, 4, 3}}), "");
  face.points = {0, 1};
  face.right = 4;
  EXPECT_NE(error(second(), {{1, 4, 3}}), "");
  face.right = 1;
  EXPECT_NE(error(second(), {{4, 3}}), "");
  EXPECT_NE(error(second(), {{1, 4, 3}, kTfLiteInt32}), "");
  EXPECT_NE(error(SecondOptions(face, 0, 0, 4), {{1, 4, 3}}), "");
  EXPECT_EQ(error(SecondOptions(face, INFINITY, 3, 4), {{1, 4, 3}}),
            "Landmarks2TransformMatrix: option target_rotation_radians is not finite (inf)");
  EXPECT_NE(error({}, {{1, 4, 3}}), "");
  for (const Bytes& options :
       {FirstOptions(face, 0, 256, {4, 4}, {4, 4}), FirstOptions(face, 1, 0, {4, 4}, {4, 4}),
        FirstOptions(face, 1, 256, {0, 4}, {4, 4}), FirstOptions(face, 1, 256, {4, 4}, {4, 1})}) {
    EXPECT_NE(error(options, {{1, 1, 1, 12}}), "");
  }
}

}  // namespace
}  // namespace tern::testing
