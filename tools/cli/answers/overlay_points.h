// SPDX-License-Identifier: Apache-2.0
// Points joined by lines, as skeletons, hands and faces are drawn.
#ifndef TERN_TOOLS_CLI_ANSWERS_OVERLAY_POINTS_H_
#define TERN_TOOLS_CLI_ANSWERS_OVERLAY_POINTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cli/inputs/picture.h"

namespace tern::cli {

// A place as fractions of the picture.
struct Point {
  float x = 0, y = 0;
  float score = 1;
};

struct Bone {
  uint16_t from, to;
};

// A pixel of a picture; far outside stays a little outside, where drawing clips.
int PointPixel(float fraction, int size);

// Lines, then dots of `radius` over them (0: none); points below `min` are left out. Indices that
// have no point draw nothing.
void DrawPoints(const std::vector<Point>& points, const Bone* bones, size_t bone_count, float min,
                int radius, Color color, Picture* picture);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ANSWERS_OVERLAY_POINTS_H_
