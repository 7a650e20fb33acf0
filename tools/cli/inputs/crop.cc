// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/crop.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tern::cli {
namespace {

constexpr double kLongestSide = 16384;

// The colour at a place of the photo, in pixels; false where there is none.
bool ColorAt(const Picture& photo, double x, double y, uint8_t* rgb) {
  if (!(x >= 0 && y >= 0 && x < photo.width && y < photo.height)) return false;
  // Colours belong to the middle of pixels; those at the border reach out to it.
  const double left = std::clamp(x - 0.5, 0.0, photo.width - 1.0);
  const double top = std::clamp(y - 0.5, 0.0, photo.height - 1.0);
  const int x0 = static_cast<int>(left), y0 = static_cast<int>(top);
  const int x1 = std::min(x0 + 1, photo.width - 1), y1 = std::min(y0 + 1, photo.height - 1);
  const double right_share = left - x0, lower_share = top - y0;
  for (int c = 0; c < 3; ++c) {
    const double upper =
        photo.at(x0, y0)[c] * (1 - right_share) + photo.at(x1, y0)[c] * right_share;
    const double lower =
        photo.at(x0, y1)[c] * (1 - right_share) + photo.at(x1, y1)[c] * right_share;
    rgb[c] = static_cast<uint8_t>(std::lround(upper * (1 - lower_share) + lower * lower_share));
  }
  return true;
}

}  // namespace

std::string Crop::Text() const {
  std::string text;
  if (!box.empty()) text = absl::StrCat(box[0], ",", box[1], ",", box[2], "x", box[3]);
  if (turn != 0) absl::StrAppend(&text, text.empty() ? "" : ", ", "turned by ", turn);
  return text;
}

absl::StatusOr<Picture> Cropped(const Picture& photo, const Crop& crop) {
  const std::vector<double> box = crop.box.empty()
                                      ? std::vector<double>{0, 0, static_cast<double>(photo.width),
                                                            static_cast<double>(photo.height)}
                                      : crop.box;
  const double width = std::round(box[2]), height = std::round(box[3]);
  if (!(width >= 1 && height >= 1 && width <= kLongestSide && height <= kLongestSide)) {
    return absl::InvalidArgumentError(absl::StrCat("--crop: width and height must be from 1 to ",
                                                   kLongestSide, ", got ", box[2], " and ",
                                                   box[3]));
  }
  Picture part{static_cast<int>(width), static_cast<int>(height), {}};
  part.rgb.resize(static_cast<size_t>(part.width) * static_cast<size_t>(part.height) * 3);
  const double angle = crop.turn * 3.14159265358979323846 / 180;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const double middle_x = box[0] + box[2] / 2, middle_y = box[1] + box[3] / 2;
  bool any = false;
  for (int y = 0; y < part.height; ++y) {
    for (int x = 0; x < part.width; ++x) {
      const double dx = x + 0.5 - width / 2, dy = y + 0.5 - height / 2;
      const bool found = ColorAt(photo, middle_x + cosine * dx - sine * dy,
                                 middle_y + sine * dx + cosine * dy, part.at(x, y));
      any = any || found;
    }
  }
  if (any) return part;
  return absl::InvalidArgumentError(absl::StrCat("--crop: nothing of the photo of ", photo.width,
                                                 "x", photo.height, " lies in ", crop.Text()));
}

}  // namespace tern::cli
