// SPDX-License-Identifier: Apache-2.0
// What the outputs of a model say about a photo: classes, boxes, a mask or a pose, as text and as a
// picture.
#ifndef TERN_TOOLS_CLI_ANSWERS_H_
#define TERN_TOOLS_CLI_ANSWERS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/picture.h"

namespace tern::cli {

// One output as real numbers (quantized elements dequantized).
struct Values {
  std::vector<int> shape;
  bool integers = false;  // the elements are integers such as class indices
  std::vector<float> data;

  int dim(size_t i) const { return i < shape.size() ? shape[i] : 1; }
};
Values ReadValues(const TfLiteTensor& tensor);

// The text of a label file, one per line; a leading index is dropped.
class Labels {
 public:
  Labels() = default;
  static absl::StatusOr<Labels> Read(const std::string& file);

  bool empty() const { return names_.empty(); }
  // The name of class `index` of a classifier with `classes` classes: a background entry that only
  // one of the two sides has is accounted for.
  std::string Class(int index, int classes) const;
  // The name of a detected class; detectors do not count the background.
  std::string Detected(int index) const;

 private:
  bool has_background() const;
  std::string At(int index) const;

  std::vector<std::string> names_;
};

// The five highest scores of a classifier's output as lines of text, best first; empty when no
// output looks like one.
std::vector<std::string> TopFive(const std::vector<Values>& outputs, const Labels& labels);

struct Overlay {
  Picture picture;
  std::vector<std::string> lines;  // the same answer in words
};
// Draws boxes (four outputs of a detection post-process), a coloured mask (class scores or indices
// per pixel) or skeletons (heatmaps and offsets of 17 key points; with displacements, of several
// people) on the photo; nothing for other outputs. The input size is what the model saw, in pixels.
std::optional<Overlay> DrawAnswer(const std::vector<Values>& outputs, const Labels& labels,
                                  const Picture& photo, int input_width, int input_height);

// The three kinds; each gives nothing unless the outputs have its form.
std::optional<Overlay> DrawDetections(const std::vector<Values>& outputs, const Labels& labels,
                                      const Picture& photo);
std::optional<Overlay> DrawMask(const std::vector<Values>& outputs, const Labels& labels,
                                const Picture& photo);
std::optional<Overlay> DrawPose(const std::vector<Values>& outputs, const Picture& photo,
                                int input_width, int input_height);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ANSWERS_H_
