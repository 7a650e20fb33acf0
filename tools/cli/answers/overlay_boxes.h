// SPDX-License-Identifier: Apache-2.0
// Boxes on a photo: which of those that overlap stay, and how they are drawn and reported.
#ifndef TERN_TOOLS_CLI_ANSWERS_OVERLAY_BOXES_H_
#define TERN_TOOLS_CLI_ANSWERS_OVERLAY_BOXES_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cli/answers/answers.h"

namespace tern::cli {

// All positions are fractions of the picture.
struct Box {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float score = 0;
  int index = 0;  // of the class
  std::string name;
  std::vector<std::pair<float, float>> points;  // x, y of key points
};

// The number of a class out of a real number; -1 for what is none.
int ClassNumber(float value);

// Best first, without boxes that overlap a better one of their class by more than `overlap` of what
// both cover.
std::vector<Box> WithoutOverlaps(std::vector<Box> boxes, float overlap);

// Draws the boxes and tells each in a line, or that there are none of `kind` ("no face with a score
// of 0.5 or more").
void ShowBoxes(const std::vector<Box>& boxes, const std::string& kind, float min_score,
               Answer* answer);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ANSWERS_OVERLAY_BOXES_H_
