// SPDX-License-Identifier: Apache-2.0
// Sorting scores.
#include "label_image/top_results.h"

#include <algorithm>
#include <functional>

#include "absl/strings/str_cat.h"
#include "cli/inputs/tensor_bytes.h"

namespace tern::tools {

absl::StatusOr<std::vector<std::pair<float, int>>> TopResults(const TfLiteTensor& output,
                                                              int count) {
  constexpr float kMinScore = 0.001F;
  const std::vector<int> shape = cli::ShapeOf(output);
  if (shape.empty() || output.data.raw == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("the output has no classes: ", cli::ShapeText(shape)));
  }
  double offset = 0;
  double scale = 1;
  if (output.type == kTfLiteUInt8) {
    scale = 255;
  } else if (output.type == kTfLiteInt8) {
    offset = 128;
    scale = 256;
  } else if (output.type != kTfLiteFloat32) {
    return absl::UnimplementedError(
        absl::StrCat("cannot handle output type ", cli::TypeName(output.type), " yet"));
  }
  std::vector<std::pair<float, int>> results;
  for (int i = 0; i < shape.back() && cli::ElementCount(shape) > 0; ++i) {
    const auto* data = reinterpret_cast<const uint8_t*>(output.data.raw);
    const double score = (cli::ReadElement(output.type, data, i) + offset) / scale;
    if (static_cast<float>(score) >= kMinScore) {
      results.emplace_back(static_cast<float>(score), i);
    }
  }
  std::sort(results.begin(), results.end(), std::greater<>());
  results.resize(std::min(results.size(), static_cast<size_t>(count)));
  return results;
}

}  // namespace tern::tools
