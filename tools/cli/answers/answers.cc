// SPDX-License-Identifier: Apache-2.0
// Asks one kind of answer after the other; scores of classifiers; and words for the rest.
#include "cli/answers/answers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tern::cli {
namespace {

enum class ScoreForm { kNone, kScores, kNumbers };

// Whether an output looks like the scores of classes. Numbers in 0..1 do; in forms that other
// vectors have as well they also sum to 1. Numbers of any size (logits) are scores where somebody
// named as many classes.
ScoreForm FormOf(const Values& output, const Labels& labels) {
  const size_t rank = output.shape.size();
  if (rank == 0 || rank > 4 || rank == 3 || output.integers) return ScoreForm::kNone;
  const int classes = output.shape.back();
  if (classes < 2 || output.data.size() != static_cast<size_t>(classes)) return ScoreForm::kNone;
  const bool named = !labels.empty() && labels.Fits(classes);
  double sum = 0;
  bool in_range = true;
  for (const float v : output.data) {
    if (!std::isfinite(v)) return ScoreForm::kNone;
    sum += v;
    in_range = in_range && v >= -0.001f && v <= 1.001f;
  }
  if (named) return ScoreForm::kScores;
  constexpr double kRounding = 0.1;  // a thousand scores of 8 bits add up to this
  if (in_range && (rank == 2 || std::fabs(sum - 1) < kRounding)) return ScoreForm::kScores;
  return ScoreForm::kNumbers;
}

void TellTopFive(const Question& question, size_t index, Answer* answer) {
  const Values& output = question.outputs[index];
  const Labels& labels = question.LabelsOf(index);
  const auto classes = static_cast<int>(output.data.size());
  answer->Warn(labels.Misfit(classes));
  std::vector<size_t> order(output.data.size());
  std::iota(order.begin(), order.end(), 0);
  const auto shown = std::min<size_t>(5, order.size());
  const auto better = [&output](size_t a, size_t b) {
    return output.data[a] != output.data[b] ? output.data[a] > output.data[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    better);
  answer->lines.push_back(
      absl::StrCat("output ", index, ": scores of ", classes, " classes, best first"));
  for (size_t i = 0; i < shown; ++i) {
    const auto number = static_cast<int>(order[i]);
    answer->lines.push_back(absl::StrFormat("%8.4f  %5d  %s", output.data[order[i]], number,
                                            labels.Class(number, classes)));
  }
}

// One line for all that nobody spoke of.
void TellRest(const Question& question, Answer* answer) {
  const std::string names = Unset("output", answer->reported);
  if (names.empty()) return;
  bool vector = false;
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    vector = vector || (answer->free(i) &&
                        FormOf(question.outputs[i], question.LabelsOf(i)) == ScoreForm::kNumbers);
  }
  answer->lines.push_back(
      absl::StrCat(names, ": no kind of answer that is known here, only numbers",
                   vector ? " (--labels FILE with a name for each makes classes of them)" : ""));
}

}  // namespace

const Labels& Question::LabelsOf(size_t output) const {
  const auto found = output_labels.find(static_cast<int>(output));
  return labels.empty() && found != output_labels.end() ? found->second : labels;
}

void Answer::Warn(const std::string& text) {
  if (text.empty() || std::find(warnings.begin(), warnings.end(), text) != warnings.end()) return;
  warnings.push_back(text);
}

int DrawingUnit(const Picture& picture) {
  return std::max(1, (std::max(picture.width, picture.height) + 200) / 400);
}

void TellScores(const Question& question, Answer* answer) {
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    if (!answer->free(i)) continue;
    if (FormOf(question.outputs[i], question.LabelsOf(i)) != ScoreForm::kScores) continue;
    TellTopFive(question, i, answer);
    answer->Tell(i);
  }
}

Answer FindAnswer(const Question& question) {
  Answer answer(question);
  TellDetections(question, &answer);
  TellAnchored(question, &answer);
  TellYolo(question, &answer);
  TellGrey(question, &answer);
  TellPose(question, &answer);
  TellLandmarks(question, &answer);
  TellColours(question, &answer);
  TellClassMask(question, &answer);
  TellScores(question, &answer);
  TellRest(question, &answer);
  return answer;
}

}  // namespace tern::cli
