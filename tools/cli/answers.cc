// SPDX-License-Identifier: Apache-2.0
// Labels, output values and the classifier's answer.
#include "cli/answers.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tern::cli {
namespace {

std::string Stripped(const std::string& text) {
  size_t first = 0;
  size_t last = text.size();
  while (first < last && std::isspace(static_cast<unsigned char>(text[first]))) ++first;
  while (last > first && std::isspace(static_cast<unsigned char>(text[last - 1]))) --last;
  return text.substr(first, last - first);
}

// "12  person" and "12: person" become "person"; a bare number stays.
std::string WithoutIndex(const std::string& line) {
  size_t i = 0;
  while (i < line.size() && std::isdigit(static_cast<unsigned char>(line[i]))) ++i;
  if (i == 0 || i == line.size()) return line;
  if (line[i] != ' ' && line[i] != '\t' && line[i] != ':' && line[i] != ',') return line;
  return Stripped(line.substr(i + 1));
}

// Elements of a picture-sized vector of scores, 0 when the shape is none: 1xN, N, 1x1x1xN.
int ScoreCount(const Values& v) {
  int64_t others = 1;
  for (size_t i = 0; i + 1 < v.shape.size(); ++i) others *= v.shape[i];
  if (v.shape.empty() || others != 1 || v.integers || v.shape.back() < 2) return 0;
  return v.shape.back();
}

}  // namespace

Values ReadValues(const TfLiteTensor& tensor) {
  Values values;
  values.shape = ShapeOf(tensor);
  const size_t element = ElementBytes(tensor.type);
  if (element == 0 || tensor.data.raw_const == nullptr) return values;
  const auto* data = reinterpret_cast<const uint8_t*>(tensor.data.raw_const);
  const auto count = static_cast<int64_t>(tensor.bytes / element);
  const bool real = tensor.type == kTfLiteFloat32 || tensor.type == kTfLiteFloat16 ||
                    tensor.type == kTfLiteBFloat16 || tensor.type == kTfLiteFloat64;
  const float scale = tensor.params.scale;
  values.integers = !real && scale == 0;
  for (int64_t i = 0; i < count; ++i) {
    const double x = ReadElement(tensor.type, data, i);
    values.data.push_back(
        static_cast<float>(real || values.integers ? x : scale * (x - tensor.params.zero_point)));
  }
  return values;
}

absl::StatusOr<Labels> Labels::Read(const std::string& file) {
  std::ifstream in(file);
  if (!in) return absl::NotFoundError(absl::StrCat(file, ": cannot be read"));
  Labels labels;
  for (std::string line; std::getline(in, line);) {
    labels.names_.push_back(WithoutIndex(Stripped(line)));
  }
  while (!labels.names_.empty() && labels.names_.back().empty()) labels.names_.pop_back();
  return labels;
}

bool Labels::has_background() const {
  return !names_.empty() && (names_[0] == "background" || names_[0] == "???");
}

std::string Labels::At(int index) const {
  if (index < 0 || index >= static_cast<int>(names_.size())) return absl::StrCat("class ", index);
  return names_[static_cast<size_t>(index)];
}

std::string Labels::Class(int index, int classes) const {
  const int known = static_cast<int>(names_.size());
  if (known + 1 == classes && !has_background()) {
    return index == 0 ? "background" : At(index - 1);
  }
  if (known == classes + 1 && has_background()) return At(index + 1);
  return At(index);
}

std::string Labels::Detected(int index) const { return At(has_background() ? index + 1 : index); }

std::vector<std::string> TopFive(const std::vector<Values>& outputs, const Labels& labels) {
  for (const Values& output : outputs) {
    const int classes = ScoreCount(output);
    if (classes == 0 || static_cast<int>(output.data.size()) != classes) continue;
    std::vector<int> order(static_cast<size_t>(classes));
    std::iota(order.begin(), order.end(), 0);
    const int shown = std::min(5, classes);
    const auto better = [&](int a, int b) {
      const float x = output.data[static_cast<size_t>(a)];
      const float y = output.data[static_cast<size_t>(b)];
      return x != y ? x > y : a < b;
    };
    std::partial_sort(order.begin(), order.begin() + shown, order.end(), better);
    std::vector<std::string> lines;
    for (int i = 0; i < shown; ++i) {
      const int index = order[static_cast<size_t>(i)];
      lines.push_back(absl::StrFormat("%8.4f  %5d  %s", output.data[static_cast<size_t>(index)],
                                      index, labels.Class(index, classes)));
    }
    return lines;
  }
  return {};
}

std::optional<Overlay> DrawAnswer(const std::vector<Values>& outputs, const Labels& labels,
                                  const Picture& photo, int input_width, int input_height) {
  if (auto boxes = DrawDetections(outputs, labels, photo)) return boxes;
  if (auto pose = DrawPose(outputs, photo, input_width, input_height)) return pose;
  return DrawMask(outputs, labels, photo);
}

}  // namespace tern::cli
