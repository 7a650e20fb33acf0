// SPDX-License-Identifier: Apache-2.0
// Loading, resizing and turning photos into input elements.
#include "cli/inputs/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "cli/inputs/fill.h"
#include "cli/inputs/stb.h"

namespace tern::cli {
namespace {

// For one target position: which source positions count, and how much (sums to 1).
struct Taps {
  int first = 0;
  std::vector<float> weights;
};

std::vector<Taps> TriangleTaps(int source, int target) {
  const double factor = static_cast<double>(source) / target;
  const double support = std::max(1.0, factor);
  std::vector<Taps> taps(static_cast<size_t>(target));
  for (int t = 0; t < target; ++t) {
    const double center = (t + 0.5) * factor - 0.5;
    const int first = std::max(0, static_cast<int>(std::ceil(center - support)));
    const int last = std::min(source - 1, static_cast<int>(std::floor(center + support)));
    Taps& row = taps[static_cast<size_t>(t)];
    row.first = first;
    double sum = 0;
    for (int s = first; s <= last; ++s) {
      const double w = std::max(0.0, 1.0 - std::fabs(s - center) / support);
      row.weights.push_back(static_cast<float>(w));
      sum += w;
    }
    for (float& w : row.weights) w /= static_cast<float>(sum);
  }
  return taps;
}

struct IntegerRange {
  double low, high;
};

// The values an integer type can hold; low == high for types that are no picture input.
IntegerRange RangeOf(TfLiteType type) {
  switch (type) {
    case kTfLiteUInt8:
      return {0, 255};
    case kTfLiteInt8:
      return {-128, 127};
    case kTfLiteInt16:
      return {-32768, 32767};
    case kTfLiteUInt16:
      return {0, 65535};
    default:
      return {0, 0};
  }
}

// The element for a channel value v in 0..1.
double ElementFor(double v, const TfLiteTensor& input, const ValueRange& range) {
  const IntegerRange ints = RangeOf(input.type);
  const double real = range.low + (range.high - range.low) * v;
  if (ints.low == ints.high) return real;
  if (range.whole_range || input.params.scale == 0) {
    return std::round(ints.low + (ints.high - ints.low) * v);
  }
  const double q = std::round(real / input.params.scale) + input.params.zero_point;
  return std::clamp(q, ints.low, ints.high);
}

}  // namespace

absl::StatusOr<Picture> LoadPicture(const std::string& file) {
  const absl::StatusOr<Bytes> bytes = ReadFile(file);
  if (!bytes.ok()) return bytes.status();
  const int size =
      static_cast<int>(std::min<size_t>(bytes->size(), std::numeric_limits<int>::max()));
  int width = 0;
  int height = 0;
  int channels = 0;
  uint8_t* data = stbi_load_from_memory(bytes->data(), size, &width, &height, &channels, 3);
  if (data == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": not a readable picture (", stbi_failure_reason(), ")"));
  }
  Picture picture{width, height, {}};
  picture.rgb.assign(data, data + static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  stbi_image_free(data);
  return picture;
}

absl::Status SavePng(const Picture& picture, const std::string& file) {
  if (stbi_write_png(file.c_str(), picture.width, picture.height, 3, picture.rgb.data(),
                     picture.width * 3) == 0) {
    return absl::InternalError(absl::StrCat(file, ": cannot be written"));
  }
  return absl::OkStatus();
}

Picture Resized(const Picture& picture, int width, int height) {
  if (width == picture.width && height == picture.height) return picture;
  const std::vector<Taps> columns = TriangleTaps(picture.width, width);
  const std::vector<Taps> rows = TriangleTaps(picture.height, height);
  std::vector<float> wide(static_cast<size_t>(picture.height) * static_cast<size_t>(width) * 3);
  float* out = wide.data();
  for (int y = 0; y < picture.height; ++y) {
    for (const Taps& taps : columns) {
      for (int c = 0; c < 3; ++c) {
        float sum = 0;
        for (size_t i = 0; i < taps.weights.size(); ++i) {
          sum += taps.weights[i] * picture.at(taps.first + static_cast<int>(i), y)[c];
        }
        *out++ = sum;
      }
    }
  }
  Picture result{width, height, {}};
  result.rgb.reserve(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  const size_t stride = static_cast<size_t>(width) * 3;
  for (const Taps& taps : rows) {
    for (size_t x = 0; x < stride; ++x) {
      float sum = 0;
      for (size_t i = 0; i < taps.weights.size(); ++i) {
        sum += taps.weights[i] * wide[(static_cast<size_t>(taps.first) + i) * stride + x];
      }
      result.rgb.push_back(static_cast<uint8_t>(std::clamp(std::lround(sum), 0L, 255L)));
    }
  }
  return result;
}

absl::StatusOr<Bytes> PictureElements(const Picture& photo, const TfLiteTensor& input,
                                      const ValueRange& range) {
  const std::vector<int> shape = ShapeOf(input);
  const bool usable = shape.size() == 4 && shape[0] == 1 && shape[1] > 0 && shape[2] > 0 &&
                      (shape[3] == 1 || shape[3] == 3) && ElementBytes(input.type) != 0;
  if (!usable) {
    return absl::InvalidArgumentError(absl::StrCat("the input ", ShapeText(shape), " ",
                                                   TypeName(input.type),
                                                   " takes no picture (1xHxWx3 or 1xHxWx1)"));
  }
  const Picture small = Resized(photo, shape[2], shape[1]);
  Bytes elements;
  elements.reserve(input.bytes);
  for (size_t i = 0; i < small.rgb.size(); i += 3) {
    const uint8_t* p = &small.rgb[i];
    if (shape[3] == 1) {
      const double luma = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
      AppendElement(input.type, ElementFor(luma / 255, input, range), &elements);
      continue;
    }
    for (int c = 0; c < 3; ++c) {
      AppendElement(input.type, ElementFor(p[c] / 255.0, input, range), &elements);
    }
  }
  return elements;
}

}  // namespace tern::cli
