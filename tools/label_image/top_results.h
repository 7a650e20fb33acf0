// SPDX-License-Identifier: Apache-2.0
// The classes that a classifier finds most likely.
#ifndef TERN_TOOLS_LABEL_IMAGE_TOP_RESULTS_H_
#define TERN_TOOLS_LABEL_IMAGE_TOP_RESULTS_H_

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tensorflow/lite/c/common.h"

namespace tern::tools {

// Up to `count` pairs of score and class, best first, of the classes in the innermost dimension
// that score at least 0.001; of equal scores the higher class comes first. Scores of uint8 are
// value / 255, of int8 (value + 128) / 256. An error for other types and for scalars.
absl::StatusOr<std::vector<std::pair<float, int>>> TopResults(const TfLiteTensor& output,
                                                              int count);

}  // namespace tern::tools

#endif  // TERN_TOOLS_LABEL_IMAGE_TOP_RESULTS_H_
