// SPDX-License-Identifier: Apache-2.0
// Parts of photos: networks for the points of a face or a hand want a picture of little else,
// upright.
#ifndef TERN_TOOLS_CLI_INPUTS_CROP_H_
#define TERN_TOOLS_CLI_INPUTS_CROP_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/inputs/picture.h"

namespace tern::cli {

// A rectangle of a photo, in its pixels from the upper left corner, that may reach beyond it.
struct Crop {
  std::vector<double> box;  // X,Y,WIDTH,HEIGHT; empty: the whole photo
  double turn = 0;          // by so many degrees, clockwise about its middle, it lies there

  bool empty() const { return box.empty() && turn == 0; }
  std::string Text() const;  // "20,30,100x80, turned by 15"
};

// The part, upright, as many pixels wide and high as the box; between pixels of the photo it is
// interpolated, beyond the photo it is black. Errors: width or height below 1 or above 16384, and a
// box with nothing of the photo in it.
absl::StatusOr<Picture> Cropped(const Picture& photo, const Crop& crop);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INPUTS_CROP_H_
