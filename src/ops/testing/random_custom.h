// SPDX-License-Identifier: Apache-2.0
// Steps of a random graph that are custom ops: windows over images with options of 32-bit integers,
// and landmarks and matrices with options in maps. Any numbers serve as landmarks.
#ifndef TERN_OPS_TESTING_RANDOM_CUSTOM_H_
#define TERN_OPS_TESTING_RANDOM_CUSTOM_H_

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "flatbuffers/flexbuffers.h"
#include "ops/testing/random_choices.h"

namespace tern::testing {

class CustomSteps : public StepMaker {
 public:
  using StepMaker::StepMaker;

  // A transposed convolution whose size follows from its strides.
  int TransposedBias(int x) {
    if (GraphMaker::CountOf(m_.ShapeOf(x)) > 2000) x = Halved(x);
    const Sizes in = m_.ShapeOf(x);
    const int h = Pick(1, 4), w = Pick(1, 5), stride_h = Pick(1, 3), stride_w = Pick(1, 3);
    const bool same = Chance(50);
    const int channels = c_.Channels();
    const Sizes taps = {channels, h, w, in[3]};
    const double range = 2 / std::sqrt(static_cast<double>(h * w * in[3]));
    const int filter = Chance(85) ? Weights(taps, range) : m_.Input(taps);
    int bias = -1;
    if (Chance(80)) bias = Chance(80) ? Weights({channels}, 1) : m_.Input({channels});
    const auto extent = [&](int from, int window, int stride) {
      return from * stride + (same ? 0 : std::max(0, window - stride));
    };
    const Sizes out = {in[0], extent(in[1], h, stride_h), extent(in[2], w, stride_w), channels};
    return Custom("Convolution2DTransposeBias", {x, filter, bias}, out,
                  Numbers({same ? 1 : 2, stride_w, stride_h}));
  }

  // The largest of each window, put back to where it was.
  std::vector<int> PlacedBack(int x) {
    const Sizes in = m_.ShapeOf(x);
    WindowSpec s;
    s.h = Pick(1, 4);
    s.w = Pick(1, 4);
    s.stride_h = std::min(Pick(1, 3), in[1]);
    s.stride_w = std::min(Pick(1, 3), in[2]);
    s.same = Chance(60) || s.h > in[1] || s.w > in[2];
    const auto options = [&](int activation) {
      return Numbers({s.same ? 1 : 2, s.stride_w, s.stride_h, s.w, s.h, activation});
    };
    const Sizes small = {in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), in[3]};
    const Type type = Chance(60) ? tflite::TensorType_INT32 : tflite::TensorType_FLOAT32;
    ModelBuilder& b = m_;
    const int largest = b.Tensor(small), taps = b.Tensor(small, type);
    b.SetOpVersion(1);
    b.CustomOp("MaxPoolingWithArgmax2D", {x}, {largest, taps}, options(Activation()));
    std::vector<int> results;
    if (Chance(50)) results.push_back(largest);
    if (Chance(50)) results.push_back(type == tflite::TensorType_INT32 ? Number(taps) : taps);
    const auto extent = [&](int from, int window, int stride) {
      return s.same ? from * stride : (from - 1) * stride + window;
    };
    const Sizes out = {in[0], extent(small[1], s.h, s.stride_h), extent(small[2], s.w, s.stride_w),
                       in[3]};
    const int values = Chance(70) ? largest : Bounded(largest);
    results.push_back(Custom("MaxUnpooling2D", {values, taps}, out, options(0)));
    return results;
  }

  // The part of an image that a matrix shows.
  int Warped(int x) {
    const Sizes in = m_.ShapeOf(x);
    const int height = Pick(1, 9), width = Pick(1, 9);
    const double rows = in[0] * in[1], columns = in[2];
    const int matrix = Matrix(columns / width, rows / height);
    return Shown(x, matrix, height, width, Chance(50));
  }

  // Points of two or three numbers through a matrix.
  int Landmarks(int x) {
    const int dimensions = Pick(2, 3);
    const int matrix = Matrix(1, 1);
    if (Chance(50)) {
      const int points = Rows(x, dimensions);
      return Custom("TransformLandmarks", {points, matrix}, m_.ShapeOf(points), {}, 2);
    }
    const bool scaled = Chance(60), named = Chance(50);
    const double scale = std::ldexp(1, Pick(-1, 2));
    const int points = Groups(x, dimensions);
    const auto options = Map([&](flexbuffers::Builder& o) {
      if (dimensions == 2 || named) o.Int("dimensions", dimensions);
      if (scaled) o.Double("scale", scale);
    });
    return Custom("TransformLandmarks", {points, matrix}, m_.ShapeOf(points), options);
  }

  // The matrix of a rectangle around some landmarks, and what it shows of an image.
  std::vector<int> Rectangle(int x, int image) {
    constexpr int kMaxLandmarks = 500;
    const bool ranged = Chance(50);
    // From -1 to 7, as numbers of the graph mostly lie within -2 and 2.
    const auto moved = [&](int points) {
      const int wide = m_.Product(points, m_.Const<float>({1}, {2}));
      return m_.Sum(wide, m_.Const<float>({1}, {3}));
    };
    const int points = moved(ranged ? Groups(x, 3) : Rows(x, 3));
    const auto count = static_cast<int>(GraphMaker::CountOf(m_.ShapeOf(points)) / 3);
    const int last = std::min(count, kMaxLandmarks) - 1;
    const int left = Pick(0, last), right = Pick(0, last);
    std::vector<int> around;
    for (int i = Pick(2, 9); i > 0; --i) around.push_back(Pick(0, last));
    const int height = Pick(2, 9), width = Pick(2, 9);
    const int rows = Pick(1, 12), columns = Pick(1, 12);
    const double angle = 0.75 * Pick(-2, 2), wider = 1 + 0.25 * Pick(0, 4);
    const auto options = Map([&](flexbuffers::Builder& o) {
      o.Int("left_rotation_idx", left);
      o.Int("right_rotation_idx", right);
      List(o, ranged ? "subset" : "subset_idxs", around);
      if (ranged) {
        o.Int("dimensions", 3);
        o.Float("landmarks_range", 8);
        o.Float("bbox_size_multiplier", static_cast<float>(wider));
        List(o, "input_hw", {rows, columns});
        List(o, "output_hw", {height, width});
      } else {
        o.Float("target_rotation_radians", static_cast<float>(angle));
        o.Int("output_height", height);
        o.Int("output_width", width);
        o.Float("scale_x", static_cast<float>(wider));
        o.Float("scale_y", 1.25f);
      }
    });
    const int matrix =
        Custom("Landmarks2TransformMatrix", {points}, {1, 4, 4}, options, ranged ? 1 : 2);
    if (Chance(30)) return {matrix};
    const int shown = Shown(m_.AsImage(image), matrix, height, width, !ranged);
    return Chance(50) ? std::vector<int>{matrix, shown} : std::vector<int>{shown};
  }

 private:
  int Custom(const std::string& name, std::vector<int32_t> inputs, const Sizes& shape,
             std::vector<uint8_t> options, int version = 1) {
    const int out = m_.Tensor(shape);
    m_.SetOpVersion(version);
    return m_.CustomOp(name, std::move(inputs), {out}, std::move(options));
  }

  static std::vector<uint8_t> Numbers(const std::vector<int32_t>& numbers) {
    std::vector<uint8_t> bytes(numbers.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
  }
  template <class Fill>
  static std::vector<uint8_t> Map(const Fill& fill) {
    flexbuffers::Builder b;
    b.Map([&] { fill(b); });
    b.Finish();
    return b.GetBuffer();
  }
  static void List(flexbuffers::Builder& b, const char* key, const std::vector<int>& values) {
    b.TypedVector(key, [&] {
      for (const int v : values) b.Int(v);
    });
  }

  int Halved(int x) {
    WindowSpec s{2, 2};
    s.stride_h = s.stride_w = 2;
    return m_.Pool(x, false, s);
  }

  // An image of rank 4, a batch as one high image.
  int Shown(int x, int matrix, int height, int width, bool from_edges) {
    const Sizes in = m_.ShapeOf(x);
    if (in[0] != 1) x = m_.Reshape(x, {1, in[0] * in[1], in[2], in[3]});
    const bool named = Chance(50);
    const auto options = Map([&](flexbuffers::Builder& o) {
      if (from_edges) {
        o.Int("output_height", height);
        o.Int("output_width", width);
      } else {
        if (named) o.String("mode", "bilinear");
        List(o, "output_size", {height, width});
      }
    });
    const char* name = from_edges || Chance(50) ? "TransformTensorBilinear" : "TransformTensor";
    return Custom(name, {x, matrix}, {1, height, width, in[3]}, options, from_edges ? 2 : 1);
  }

  // Makes a matrix that leads about so many columns and rows from one pixel to the next, or one
  // that the graph computes. Its numbers are sixteenths, so that places fall onto pixels and
  // borders, too.
  int Matrix(double columns, double rows) {
    constexpr Type kReal = tflite::TensorType_FLOAT32;
    const bool straight = Chance(30);
    const auto about = [&](double middle, double range) {
      const double v = straight ? middle : middle + m_.Numbers(1, range)[0];
      return static_cast<float>(std::round(16 * v) / 16);
    };
    std::vector<float> numbers(16, 9);  // the third column and the last rows are not used
    numbers[0] = about(columns, 0.5);
    numbers[1] = about(0, 0.5);
    numbers[3] = about(0, 2);
    numbers[4] = about(0, 0.5);
    numbers[5] = about(rows, 0.5);
    numbers[7] = about(0, 2);
    constexpr int kGiven = 3, kMoved = 4;
    const int kind = Pick(0, kMoved);
    const std::vector<Sizes> shapes = {{1, 4, 4}, {4, 4}, {1, 1, 4, 4}};
    const Sizes& shape = shapes[Pick(0, 2)];
    if (kind == kGiven) return m_.Input(shape);
    const int constant = m_.Const<float>(shape, numbers);
    if (kind != kMoved) return constant;
    const int given = m_.Input(shape);
    return m_.Sum(constant, m_.Node(tflite::BuiltinOperator_TANH, {given}, shape, kReal));
  }

  // [1, groups, size] of all elements, zeros at the end where they are too few.
  int Rows(int x, int size) {
    const int flat = Whole(x, size);
    const int32_t count = m_.ShapeOf(flat)[0];
    return m_.Reshape(flat, {1, count / size, size});
  }
  // One group, or some side by side in the channels of an image.
  int Groups(int x, int size) {
    const Sizes shape = m_.ShapeOf(x);
    if (shape.size() == 4 && shape[0] == 1 && shape[3] % size == 0) return x;
    const int flat = Whole(x, size);
    const int32_t groups = m_.ShapeOf(flat)[0] / size;
    int32_t beside = Pick(1, 4);
    while (groups % beside != 0) --beside;
    return m_.Reshape(flat, {1, 1, groups / beside, beside * size});
  }
  int Whole(int x, int size) {
    const auto count = static_cast<int32_t>(GraphMaker::CountOf(m_.ShapeOf(x)));
    const int flat = m_.Reshape(x, {count});
    return count % size == 0 ? flat : m_.Pad(flat, {0, size - count % size});
  }
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_CUSTOM_H_
