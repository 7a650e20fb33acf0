// SPDX-License-Identifier: Apache-2.0
// The end of a file's name says how it becomes elements.
#include "cli/inputs/inputs.h"

#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cli/answers/values.h"
#include "cli/inputs/fill.h"
#include "cli/inputs/npy.h"
#include "cli/inputs/picture_input.h"
#include "cli/inputs/wav.h"
#include "cli/model/model_metadata.h"

namespace tern::cli {
namespace {

struct NamedValue {
  int position = 0;
  std::string value;
};

// "0 (image), 1 (mask)": what an input may be called.
std::string InputNames(const Engine& engine) {
  constexpr int kMost = 8;
  constexpr size_t kLongest = 60;
  if (engine.input_count() == 0) return "none";
  std::string text;
  for (int i = 0; i < engine.input_count(); ++i) {
    if (i == kMost) return absl::StrCat(text, ", ... up to ", engine.input_count() - 1);
    absl::StrAppend(&text, i == 0 ? "" : ", ", i);
    const std::string name = OneLine(engine.input_name(i), kLongest);
    if (!name.empty()) absl::StrAppend(&text, " (", name, ")");
  }
  return text;
}

// "I=VALUE", where I is a position or a name of the engine's inputs.
absl::StatusOr<NamedValue> ParseInput(const std::string& text, const Engine& engine) {
  const std::vector<std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
  if (parts.size() != 2)
    return absl::InvalidArgumentError(absl::StrCat("'", text, "': not I=VALUE"));
  NamedValue result{0, parts[1]};
  if (!absl::SimpleAtoi(parts[0], &result.position)) result.position = engine.FindInput(parts[0]);
  if (result.position < 0 || result.position >= engine.input_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no input '", parts[0], "'; the model has ", InputNames(engine)));
  }
  return result;
}

absl::StatusOr<std::vector<int>> ParseShape(const std::string& text) {
  std::vector<int> shape;
  for (const auto& part : absl::StrSplit(text, absl::ByAnyChar("x,"))) {
    int d = 0;
    if (!absl::SimpleAtoi(part, &d) || d < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", text, "': not a shape such as 1x224x224x3"));
    }
    shape.push_back(d);
  }
  return shape;
}

bool IsPictureName(const std::string& file) {
  const std::string lower = absl::AsciiStrToLower(file);
  for (const char* end : {".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tga", ".ppm", ".pgm"}) {
    if (absl::EndsWith(lower, end)) return true;
  }
  return false;
}

// The rate of sound in an input, by the model's metadata; 0 where that does not tell it.
int SampleRate(const Engine& engine, int input) {
  const std::optional<ModelNotes> notes = ReadModelNotes(engine.Metadata("TFLITE_METADATA"));
  const bool reported = notes && static_cast<size_t>(input) < notes->inputs.size();
  return reported ? notes->inputs[static_cast<size_t>(input)].sample_rate : 0;
}

// Gives files to inputs and keeps what is to be said about it.
class Giver {
 public:
  Giver(const std::vector<double>& range, Engine* engine)
      : range_(range), engine_(engine), given_(static_cast<size_t>(engine->input_count())) {}

  absl::Status GivePicture(int input, const std::string& file, const Crop& crop = {}) {
    absl::StatusOr<Picture> picture = LoadPicture(file);
    if (picture.ok() && !crop.empty()) picture = Cropped(*picture, crop);
    if (!picture.ok()) return picture.status();
    const absl::StatusOr<const TfLiteTensor*> tensor = Tensor(input);
    if (!tensor.ok()) return tensor.status();
    const RangeChoice choice = ChooseRange(range_, engine_, input);
    const absl::StatusOr<Bytes> elements = PictureElements(*picture, **tensor, choice.range);
    if (!elements.ok()) return elements.status();
    const int height = (*tensor)->dims->data[1], width = (*tensor)->dims->data[2];
    // Integers take black and white as they are, whatever floats would become.
    const bool plain = !IsFloat((*tensor)->type) && choice.range.whole_range;
    std::string note = absl::StrCat("picture of ", picture->width, "x", picture->height);
    if (!crop.empty()) absl::StrAppend(&note, " (part of the photo: ", crop.Text(), ")");
    if (picture->width != width || picture->height != height) {
      absl::StrAppend(&note, ", resized to ", width, "x", height);
    }
    if (!plain) {
      absl::StrAppend(&note, "; black is ", choice.range.low, ", white is ", choice.range.high,
                      " (", choice.why, ")");
    }
    if (!shown_.photo) {
      shown_.input_width = width;
      shown_.input_height = height;
      shown_.photo = *std::move(picture);
    }
    return Set(input, *elements, note);
  }

  absl::Status GiveFile(int input, const std::string& file) {
    if (IsPictureName(file)) return GivePicture(input, file);
    const absl::StatusOr<Bytes> bytes = ReadFile(file);
    if (!bytes.ok()) return bytes.status();
    const std::string lower = absl::AsciiStrToLower(file);
    if (absl::EndsWith(lower, ".npy")) return GiveArray(input, *bytes, file);
    if (absl::EndsWith(lower, ".wav")) return GiveSound(input, *bytes, file);
    return Set(input, *bytes, "");
  }

  absl::StatusOr<Shown> Finish() {
    std::vector<bool> real = given_;
    for (int i = 0; i < engine_->input_count(); ++i) {
      const auto at = static_cast<size_t>(i);
      const TfLiteTensor* tensor = engine_->input(i);
      if (tensor == nullptr || tensor->allocation_type == kTfLiteMmapRo) real[at] = true;
      if (given_[at]) continue;
      absl::Status status = engine_->FillInput(i);
      if (!status.ok()) return status;
    }
    const std::string made_up = Unset("input", real);
    if (shown_.anything && !made_up.empty()) {
      shown_.notes.push_back(absl::StrCat(made_up, ": made up; --input gives real ones"));
    }
    const int picture = PictureInput(engine_);
    if (!shown_.photo && picture >= 0) {
      shown_.input_height = engine_->input(picture)->dims->data[1];
      shown_.input_width = engine_->input(picture)->dims->data[2];
    }
    return std::move(shown_);
  }

 private:
  absl::StatusOr<const TfLiteTensor*> Tensor(int input) const {
    const TfLiteTensor* tensor = engine_->input(input);
    if (tensor != nullptr) return tensor;
    return absl::InternalError(absl::StrCat("input ", input, ": not in use"));
  }

  absl::Status Set(int input, const Bytes& elements, const std::string& note) {
    if (given_[static_cast<size_t>(input)]) {
      return absl::InvalidArgumentError(
          absl::StrCat("input ", input, ": two files are given, one is expected"));
    }
    absl::Status status = engine_->SetInput(input, elements);
    if (!status.ok()) return status;
    given_[static_cast<size_t>(input)] = true;
    shown_.anything = true;
    if (!note.empty()) shown_.notes.push_back(absl::StrCat("input ", input, ": ", note));
    return absl::OkStatus();
  }

  absl::Status GiveArray(int input, const Bytes& bytes, const std::string& file) {
    const absl::StatusOr<NpyArray> array = ParseNpy(bytes, file);
    if (!array.ok()) return array.status();
    const absl::StatusOr<const TfLiteTensor*> tensor = Tensor(input);
    if (!tensor.ok()) return tensor.status();
    const absl::StatusOr<Bytes> elements = NpyElements(*array, **tensor, file);
    if (!elements.ok()) return elements.status();
    return Set(input, *elements,
               absl::StrCat("array ", ShapeText(array->shape), " ", TypeName(array->type)));
  }

  absl::Status GiveSound(int input, const Bytes& bytes, const std::string& file) {
    const absl::StatusOr<Sound> sound = ParseWav(bytes, file);
    if (!sound.ok()) return sound.status();
    const absl::StatusOr<const TfLiteTensor*> tensor = Tensor(input);
    if (!tensor.ok()) return tensor.status();
    std::string note;
    const absl::StatusOr<Bytes> elements =
        SoundElements(*sound, **tensor, SampleRate(*engine_, input), file, &note);
    if (!elements.ok()) return elements.status();
    return Set(input, *elements, note);
  }

  const std::vector<double>& range_;
  Engine* const engine_;
  std::vector<bool> given_;
  Shown shown_;
};

}  // namespace

absl::Status ResizeInputs(const std::vector<std::string>& shapes, Engine* engine) {
  std::set<int> given;
  for (const std::string& text : shapes) {
    absl::StatusOr<NamedValue> named = ParseInput(text, *engine);
    if (!named.ok()) return named.status();
    if (!given.insert(named->position).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("input ", named->position, ": two shapes are given, one is expected"));
    }
    absl::StatusOr<std::vector<int>> shape = ParseShape(named->value);
    if (!shape.ok()) return shape.status();
    absl::Status status = engine->Resize(named->position, *shape);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<Shown> GiveInputs(const InputFiles& files, Engine* engine) {
  Giver giver(files.range, engine);
  if (!files.image.empty()) {
    const int input = PictureInput(engine);
    if (input < 0) return absl::InvalidArgumentError("the model has no input for a picture");
    absl::Status status = giver.GivePicture(input, files.image, files.crop);
    if (!status.ok()) return status;
  }
  for (const std::string& text : files.inputs) {
    const absl::StatusOr<NamedValue> named = ParseInput(text, *engine);
    if (!named.ok()) return named.status();
    absl::Status status = giver.GiveFile(named->position, named->value);
    if (!status.ok()) return status;
  }
  return giver.Finish();
}

}  // namespace tern::cli
