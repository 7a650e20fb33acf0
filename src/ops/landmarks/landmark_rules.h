// SPDX-License-Identifier: Apache-2.0
// Rules that the CPU and the GPU form of MediaPipe's landmark operations share: their options,
// FlexBuffer maps, and how a matrix follows from landmarks. Each operation has two versions, which
// differ in the options and shapes that they use.
#ifndef TERN_OPS_LANDMARKS_LANDMARK_RULES_H_
#define TERN_OPS_LANDMARKS_LANDMARK_RULES_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/flex_map.h"
#include "base/status.h"

namespace tern {

class LandmarkOptions {
 public:
  static StatusOr<LandmarkOptions> Open(const void* bytes, int64_t size) {
    if (size < 0) return Invalid("the options are damaged");
    TERN_ASSIGN_OR_RETURN(const FlexMap map, FlexMap::Open(bytes, static_cast<size_t>(size)));
    return LandmarkOptions(map);
  }

  StatusOr<bool> Has(const char* key) const {
    const auto number = map_.Find(key);
    if (!number.ok()) return WithPrefix(number.status(), StrCat("option ", key));
    return number->has_value();
  }
  // An integer from `min` on.
  StatusOr<int64_t> Whole(const char* key, int64_t min) const {
    TERN_ASSIGN_OR_RETURN(const FlexMap::Number number, Number(key));
    if (!number.integer) return Invalid("option ", key, " must be a whole number");
    TERN_RETURN_IF_ERROR(CheckWhole(key, number.as_integer, min));
    return number.as_integer;
  }
  StatusOr<double> Real(const char* key) const {
    TERN_ASSIGN_OR_RETURN(const FlexMap::Number number, Number(key));
    if (!std::isfinite(number.as_double)) {
      return Invalid("option ", key, " is not finite (", number.as_double, ")");
    }
    return number.as_double;
  }
  StatusOr<double> Positive(const char* key) const {
    TERN_ASSIGN_OR_RETURN(const double value, Real(key));
    if (!(value > 0)) return Invalid("option ", key, " must be positive (", value, ")");
    return value;
  }
  StatusOr<std::vector<int64_t>> List(const char* key, int64_t min) const {
    auto list = map_.FindIntegers(key);
    if (!list.ok()) return WithPrefix(list.status(), StrCat("option ", key));
    if (!list->has_value() || (*list)->empty()) return Invalid("option ", key, " is missing");
    for (const int64_t value : **list) TERN_RETURN_IF_ERROR(CheckWhole(key, value, min));
    return std::move(**list);
  }
  StatusOr<std::vector<int64_t>> HeightAndWidth(const char* key, int64_t min) const {
    TERN_ASSIGN_OR_RETURN(std::vector<int64_t> list, List(key, min));
    if (list.size() != 2) {
      return Invalid("option ", key, " must be height and width (", list.size(), " numbers)");
    }
    return list;
  }
  const FlexMap& map() const { return map_; }

 private:
  explicit LandmarkOptions(const FlexMap& map) : map_(map) {}

  StatusOr<FlexMap::Number> Number(const char* key) const {
    const auto number = map_.Find(key);
    if (!number.ok()) return WithPrefix(number.status(), StrCat("option ", key));
    if (!number->has_value()) return Invalid("option ", key, " is missing");
    return **number;
  }
  static Status CheckWhole(const char* key, int64_t value, int64_t min) {
    if (value >= min && value <= INT32_MAX) return OkStatus();
    return Invalid("option ", key, " is out of range (", value, ", at least ", min, ")");
  }

  FlexMap map_;
};

// ---- TransformLandmarks

// Landmarks of two or three numbers; x and y become rows 0 and 1 of the matrix times (x, y, 0, 1),
// with `scale` times their last column; z stays. Version 1 has rank 4 and options, version 2 rank 3
// and one landmark in each row.
struct LandmarkTransform {
  int64_t dimensions = 3;
  float scale = 1;
};

inline StatusOr<LandmarkTransform> ReadLandmarkTransform(const void* bytes, int64_t size,
                                                         const std::vector<int64_t>& shape) {
  LandmarkTransform t;
  if (shape.size() == 3) {
    t.dimensions = shape[2];
  } else if (shape.size() != 4) {
    return Invalid("landmarks must have rank 3 or 4 (rank ", shape.size(), ")");
  } else if (size > 0) {
    TERN_ASSIGN_OR_RETURN(const LandmarkOptions options, LandmarkOptions::Open(bytes, size));
    TERN_ASSIGN_OR_RETURN(const bool has_dimensions, options.Has("dimensions"));
    TERN_ASSIGN_OR_RETURN(const bool has_scale, options.Has("scale"));
    if (has_dimensions) {
      TERN_ASSIGN_OR_RETURN(t.dimensions, options.Whole("dimensions", 2));
    }
    if (has_scale) {
      TERN_ASSIGN_OR_RETURN(const double scale, options.Real("scale"));
      t.scale = static_cast<float>(scale);
    }
  }
  if (t.dimensions != 2 && t.dimensions != 3) {
    return Invalid("landmarks must have 2 or 3 dimensions (", t.dimensions, ")");
  }
  if (t.scale == 0) return Invalid("option scale must not be 0 (", t.scale, ")");
  if (shape[0] != 1) return Invalid("the batch must be 1 (", shape[0], ")");
  if (shape.back() % t.dimensions != 0) {
    return Invalid("the channels are no whole landmarks (", shape.back(), ", ", t.dimensions, ")");
  }
  return t;
}

// ---- TransformTensorBilinear

// Each pixel of the output comes from where rows 0 and 1 of the matrix, times (x, y, 0, 1), say.
// In version 2 the matrix counts from the edges of pixels instead of from their centres.
struct TensorTransform {
  int64_t height = 0, width = 0;
  bool from_edges = false;
};

inline StatusOr<TensorTransform> ReadTensorTransform(const void* bytes, int64_t size) {
  TensorTransform t;
  TERN_ASSIGN_OR_RETURN(const LandmarkOptions options, LandmarkOptions::Open(bytes, size));
  TERN_ASSIGN_OR_RETURN(t.from_edges, options.Has("output_height"));
  if (t.from_edges) {
    TERN_ASSIGN_OR_RETURN(t.height, options.Whole("output_height", 1));
    TERN_ASSIGN_OR_RETURN(t.width, options.Whole("output_width", 1));
    return t;
  }
  const auto mode = options.map().FindText("mode");
  if (!mode.ok()) return WithPrefix(mode.status(), "option mode");
  if (mode->has_value() && **mode != "bilinear") {
    return Unsupported("option mode must be bilinear (", **mode, ")");
  }
  TERN_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, options.HeightAndWidth("output_size", 1));
  t.height = sizes[0];
  t.width = sizes[1];
  return t;
}

// ---- Landmarks2TransformMatrix

// The matrix that leads from a picture to the rectangle around some landmarks [x, y, z]: turned so
// that the line between two of them lies at a given angle (version 2) or flat (version 1). With the
// rotation (c, s) into that position, and the rectangle's size and centre there:
//   rows 0 and 1 = (x_x c w, x_y s h, 0, move_x X - ...), (-y_x s w, y_y c h, 0, move_y Y - ...)
// where (X, Y) is the centre turned back, and «...» what the row gives for (from_x, from_y).
struct LandmarkMatrix {
  int64_t left = 0, right = 0;
  std::vector<int64_t> points;
  double cos_target = 1, sin_target = 0;
  bool half_turn = false;  // a line that points to the left is turned by half a turn less
  double x_x = 0, x_y = 0, y_x = 0, y_y = 0, move_x = 1, move_y = 1, from_x = 0, from_y = 0;

  int64_t last_point() const {
    return std::max({left, right, *std::max_element(points.begin(), points.end())});
  }
};

inline StatusOr<LandmarkMatrix> ReadLandmarkMatrix(const void* bytes, int64_t size) {
  LandmarkMatrix m;
  TERN_ASSIGN_OR_RETURN(const LandmarkOptions options, LandmarkOptions::Open(bytes, size));
  TERN_ASSIGN_OR_RETURN(m.left, options.Whole("left_rotation_idx", 0));
  TERN_ASSIGN_OR_RETURN(m.right, options.Whole("right_rotation_idx", 0));
  TERN_ASSIGN_OR_RETURN(m.half_turn, options.Has("landmarks_range"));
  if (!m.half_turn) {
    TERN_ASSIGN_OR_RETURN(m.points, options.List("subset_idxs", 0));
    TERN_ASSIGN_OR_RETURN(const double target, options.Real("target_rotation_radians"));
    TERN_ASSIGN_OR_RETURN(const int64_t height, options.Whole("output_height", 1));
    TERN_ASSIGN_OR_RETURN(const int64_t width, options.Whole("output_width", 1));
    TERN_ASSIGN_OR_RETURN(const double scale_x, options.Positive("scale_x"));
    TERN_ASSIGN_OR_RETURN(const double scale_y, options.Positive("scale_y"));
    m.cos_target = std::cos(target);
    m.sin_target = std::sin(target);
    m.x_x = m.y_x = scale_x / static_cast<double>(width);
    m.x_y = m.y_y = scale_y / static_cast<double>(height);
    m.from_x = static_cast<double>(width) / 2;
    m.from_y = static_cast<double>(height) / 2;
    return m;
  }
  // Between pixel centres of the picture and the rectangle, both as -1 to 1.
  TERN_ASSIGN_OR_RETURN(m.points, options.List("subset", 0));
  TERN_ASSIGN_OR_RETURN(const int64_t dimensions, options.Whole("dimensions", 1));
  if (dimensions != 3) return Invalid("landmarks must have 3 dimensions (", dimensions, ")");
  TERN_ASSIGN_OR_RETURN(const double range, options.Positive("landmarks_range"));
  TERN_ASSIGN_OR_RETURN(const double multiplier, options.Real("bbox_size_multiplier"));
  if (multiplier == 0) return Invalid("option bbox_size_multiplier must not be 0");
  TERN_ASSIGN_OR_RETURN(const std::vector<int64_t> in, options.HeightAndWidth("input_hw", 1));
  // One pixel has no extent between centres.
  TERN_ASSIGN_OR_RETURN(const std::vector<int64_t> out, options.HeightAndWidth("output_hw", 2));
  const double height = static_cast<double>(in[0] - 1) / 2;
  const double width = static_cast<double>(in[1] - 1) / 2;
  m.from_x = static_cast<double>(out[1] - 1) / 2;
  m.from_y = static_cast<double>(out[0] - 1) / 2;
  const double size_of_range = multiplier / range;
  m.x_x = width * size_of_range / m.from_x;
  m.x_y = width * size_of_range / m.from_y;
  m.y_x = height * size_of_range / m.from_x;
  m.y_y = height * size_of_range / m.from_y;
  m.move_x = 2 * width / range;
  m.move_y = 2 * height / range;
  return m;
}

}  // namespace tern

#endif  // TERN_OPS_LANDMARKS_LANDMARK_RULES_H_
