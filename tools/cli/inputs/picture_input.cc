// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/picture_input.h"

#include <optional>

#include "cli/model/model_metadata.h"

namespace tern::cli {
namespace {

// Networks are known by the rank and last size of an output, the last size of another one,
// and the range of the pictures that they were trained on.
struct TrainedForm {
  size_t rank;
  int last;
  int other;  // 0: there is no other one
  double low, high;
  const char* name;
};
constexpr TrainedForm kTrainedForms[] = {
    {3, 18, 1, 0, 1, "a detector of palms"},   {2, 63, 1, 0, 1, "points of a hand"},
    {2, 195, 117, 0, 1, "points of a body"},   {2, 7, 0, 0, 255, "boxes of YOLOX"},
    {4, 14, 0, 0, 255, "heat maps of a body"},
};

// A row of classes has one row, boxes and anchors have more.
bool HasForm(const std::vector<int>& shape, const TrainedForm& form) {
  if (shape.size() != form.rank || shape.back() != form.last) return false;
  return form.last != 7 || shape[0] > 1;
}

bool Matches(const std::vector<std::vector<int>>& outputs, const TrainedForm& form) {
  if (form.other == 0 && outputs.size() != 1) return false;
  bool first = false, other = form.other == 0;
  for (const std::vector<int>& shape : outputs) {
    first = first || HasForm(shape, form);
    other = other || (!shape.empty() && shape.back() == form.other);
  }
  return first && other;
}

}  // namespace

int PictureInput(Engine* engine) {
  for (int i = 0; i < engine->input_count(); ++i) {
    const TfLiteTensor* tensor = engine->input(i);
    if (tensor == nullptr || tensor->dims == nullptr || tensor->dims->size != 4) continue;
    if (tensor->dims->data[3] == 3 || tensor->dims->data[3] == 1) return i;
  }
  return -1;
}

RangeChoice RangeOfForms(const std::vector<std::vector<int>>& outputs,
                         const RangeChoice& fallback) {
  for (const TrainedForm& form : kTrainedForms) {
    if (!Matches(outputs, form)) continue;
    return {{form.low, form.high, true}, std::string("by its outputs: ") + form.name};
  }
  return fallback;
}

RangeChoice ChooseRange(const std::vector<double>& asked, Engine* engine, int input) {
  if (asked.size() == 2) return {{asked[0], asked[1], false}, "as asked for"};
  const std::optional<ModelNotes> notes = ReadModelNotes(engine->Metadata("TFLITE_METADATA"));
  if (notes && static_cast<size_t>(input) < notes->inputs.size()) {
    const std::optional<Normalization>& n = notes->inputs[static_cast<size_t>(input)].normalization;
    if (n)
      return {{(0 - n->mean) / n->std, (255 - n->mean) / n->std, true}, "by the model's metadata"};
  }
  std::vector<std::vector<int>> shapes;
  for (int i = 0; i < engine->output_count(); ++i) {
    const TfLiteTensor* tensor = engine->output(i);
    shapes.push_back(tensor == nullptr ? std::vector<int>() : ShapeOf(*tensor));
  }
  return RangeOfForms(shapes, {ValueRange(), "a guess; --input-range LOW,HIGH tells better"});
}

}  // namespace tern::cli
