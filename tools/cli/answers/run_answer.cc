// SPDX-License-Identifier: Apache-2.0
#include "cli/answers/run_answer.h"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/answers/answers.h"
#include "cli/answers/values.h"
#include "cli/inputs/fill.h"
#include "cli/model/model_labels.h"
#include "cli/model/model_metadata.h"
#include "tensorflow/lite/model.h"

namespace tern::cli {
namespace {

absl::Status WriteElements(const std::filesystem::path& folder, Engine* engine) {
  if (absl::Status made = MakeFolder(folder); !made.ok()) return made;
  for (int i = 0; i < engine->output_count(); ++i) {
    const TfLiteTensor* tensor = engine->output(i);
    if (tensor == nullptr || tensor->type == kTfLiteString) continue;
    absl::Status status =
        WriteFile(folder / absl::StrCat(i, ".bin"), tensor->data.raw_const, tensor->bytes);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

Picture Black(int width, int height) {
  Picture picture{width, height, {}};
  picture.rgb.resize(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  return picture;
}

// Writes what can be looked at, or says how to get it.
absl::Status WritePictures(const RunOptions& options, const Answer& answer, bool has_photo) {
  const bool overlay = answer.drawn && has_photo;
  if (!overlay && answer.pictures.empty()) return absl::OkStatus();
  if (options.output_dir.empty()) {
    std::printf("--output-dir DIR writes %s\n", !overlay ? "the picture as PNG"
                                                : answer.pictures.empty()
                                                    ? "the photo with this drawn on it"
                                                    : "the pictures as PNG");
    return absl::OkStatus();
  }
  const std::filesystem::path folder(options.output_dir);
  const auto write = [&folder](const Picture& picture, const std::string& name) {
    const std::string file = (folder / name).string();
    absl::Status status = SavePng(picture, file);
    if (status.ok()) std::printf("%s\n", file.c_str());
    return status;
  };
  for (const auto& [output, picture] : answer.pictures) {
    if (absl::Status status = write(picture, absl::StrCat(output, ".png")); !status.ok()) {
      return status;
    }
  }
  return overlay ? write(answer.overlay, "overlay.png") : absl::OkStatus();
}

// A fault of labels in the model is no error: the answer has numbers in place of names
// then.
ModelLabels LabelsOfModel(const RunOptions& options, const Engine& engine) {
  const std::optional<ModelNotes> notes = ReadModelNotes(engine.Metadata("TFLITE_METADATA"));
  if (!notes) return {};
  const auto model = tflite::FlatBufferModel::BuildFromFile(options.model.c_str());
  if (model == nullptr) return {};
  const tflite::Allocation& file = *model->allocation();
  return ReadModelLabels({static_cast<const uint8_t*>(file.base()), file.bytes()}, *notes);
}

void PrintWarnings(const std::vector<std::string>& warnings) {
  constexpr size_t kMost = 500;
  for (const std::string& line : warnings) {
    std::fprintf(stderr, "tern: warning: %s\n", OneLine(line, kMost).c_str());
  }
}

}  // namespace

absl::StatusOr<Labels> ReadLabels(const RunOptions& options) {
  if (options.labels.empty()) return Labels();
  return Labels::Read(options.labels);
}

absl::Status ShowAnswer(const RunOptions& options, const Shown& shown, const Labels& labels,
                        Engine* engine) {
  for (const std::string& line : shown.notes) std::printf("%s\n", line.c_str());
  for (const std::string& line : OutputLines(engine)) std::printf("%s\n", line.c_str());
  if (!options.output_dir.empty()) {
    if (absl::Status status = WriteElements(options.output_dir, engine); !status.ok()) {
      return status;
    }
  }
  if (!shown.anything) {
    if (engine->input_count() > 0) {
      std::printf("the inputs were made up; --image or --input gives real ones\n");
    }
    return absl::OkStatus();
  }
  Question question;
  question.outputs = ReadOutputs(engine);
  question.labels = labels;
  question.input_width = shown.input_width;
  question.input_height = shown.input_height;
  question.photo = shown.photo ? *shown.photo : Black(shown.input_width, shown.input_height);
  if (labels.empty()) {
    ModelLabels own = LabelsOfModel(options, *engine);
    PrintWarnings(own.wrong);
    question.output_labels = std::move(own.by_output);
  }
  const Answer answer = FindAnswer(question);
  PrintWarnings(answer.warnings);
  for (const std::string& line : answer.lines) std::printf("%s\n", line.c_str());
  return WritePictures(options, answer, shown.photo.has_value());
}

}  // namespace tern::cli
