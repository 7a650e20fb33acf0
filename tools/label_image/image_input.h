// SPDX-License-Identifier: Apache-2.0
// A photo as the input of a classifier, scaled by the library's own RESIZE_BILINEAR.
#ifndef TERN_TOOLS_LABEL_IMAGE_IMAGE_INPUT_H_
#define TERN_TOOLS_LABEL_IMAGE_IMAGE_INPUT_H_

#include "absl/status/status.h"
#include "cli/inputs/picture.h"
#include "tensorflow/lite/c/common.h"

namespace tern::tools {

// Fills an allocated 1xHxWxC input, C 3 or 1 (a grey photo): float32 gets (pixel - mean) /
// deviation, int8 pixel - 128, uint8 the pixel, both rounded towards zero. Errors: another shape or
// type.
absl::Status WriteImage(const cli::Picture& photo, float mean, float deviation,
                        TfLiteTensor* input);

}  // namespace tern::tools

#endif  // TERN_TOOLS_LABEL_IMAGE_IMAGE_INPUT_H_
