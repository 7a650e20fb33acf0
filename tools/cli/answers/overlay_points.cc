// SPDX-License-Identifier: Apache-2.0
#include "cli/answers/overlay_points.h"

#include <algorithm>

namespace tern::cli {

// The comparison also catches NaN.
int PointPixel(float fraction, int size) {
  if (!(fraction > -1)) return -size;
  return static_cast<int>(std::min(fraction, 2.0f) * static_cast<float>(size));
}

void DrawPoints(const std::vector<Point>& points, const Bone* bones, size_t bone_count, float min,
                int radius, Color color, Picture* picture) {
  const auto px = [&](const Point& p) { return PointPixel(p.x, picture->width); };
  const auto py = [&](const Point& p) { return PointPixel(p.y, picture->height); };
  const int thickness = std::max(1, radius);
  for (size_t i = 0; i < bone_count; ++i) {
    if (std::max(bones[i].from, bones[i].to) >= points.size()) continue;
    const Point& a = points[bones[i].from];
    const Point& b = points[bones[i].to];
    if (!(a.score >= min) || !(b.score >= min)) continue;
    DrawLine(picture, px(a), py(a), px(b), py(b), thickness, color);
  }
  if (radius == 0) return;
  Color tint;
  std::transform(color.begin(), color.end(), tint.begin(),
                 [](uint8_t c) { return static_cast<uint8_t>((c + 2 * 255) / 3); });
  for (const Point& p : points) {
    if (!(p.score >= min)) continue;
    DrawDot(picture, px(p), py(p), radius, color);
    DrawDot(picture, px(p), py(p), radius / 2, tint);
  }
}

}  // namespace tern::cli
