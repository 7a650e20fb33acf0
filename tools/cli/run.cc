// SPDX-License-Identifier: Apache-2.0
// `tern run`: runs a model on a photo, on given tensors or on seeded ones, and tells times and
// results.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/answers.h"
#include "cli/engine.h"
#include "cli/fill.h"
#include "cli/inputs.h"
#include "cli/normalization.h"
#include "cli/timing.h"
#include "cli/trace.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

namespace fs = std::filesystem;

// The first input that can take a picture, -1 when there is none.
int PictureInput(Engine* engine) {
  for (int i = 0; i < engine->input_count(); ++i) {
    const TfLiteTensor* tensor = engine->input(i);
    if (tensor == nullptr || tensor->dims == nullptr || tensor->dims->size != 4) continue;
    if (tensor->dims->data[3] == 3 || tensor->dims->data[3] == 1) return i;
  }
  return -1;
}

// What the user says, else what the model's metadata says, else -1..1.
ValueRange RangeFor(const RunOptions& options, const Engine& engine, int position) {
  if (options.input_range.size() == 2) {
    return {options.input_range[0], options.input_range[1], false};
  }
  const std::string metadata = engine.Metadata("TFLITE_METADATA");
  const auto* bytes = reinterpret_cast<const uint8_t*>(metadata.data());
  const std::optional<Normalization> n = ReadNormalization({bytes, metadata.size()}, position);
  if (!n) return {};
  return {-n->mean / n->std, (255 - n->mean) / n->std, true};
}

struct Photo {
  Picture picture;
  int input_width = 0;
  int input_height = 0;
};

absl::StatusOr<Photo> GivePhoto(const RunOptions& options, Engine* engine,
                                std::vector<bool>* given) {
  absl::StatusOr<Picture> picture = LoadPicture(options.image);
  if (!picture.ok()) return picture.status();
  const int position = PictureInput(engine);
  if (position < 0) return absl::InvalidArgumentError("the model has no input for a picture");
  const ValueRange range = RangeFor(options, *engine, position);
  const TfLiteTensor* tensor = engine->input(position);
  absl::StatusOr<Bytes> elements = PictureElements(*picture, *tensor, range);
  if (!elements.ok()) return elements.status();
  absl::Status status = engine->SetInput(position, *elements);
  if (!status.ok()) return status;
  (*given)[static_cast<size_t>(position)] = true;
  return Photo{*std::move(picture), tensor->dims->data[2], tensor->dims->data[1]};
}

// Photo, then files, then seeded values for what is left.
absl::Status GiveInputs(const RunOptions& options, Engine* engine, std::optional<Photo>* photo) {
  std::vector<bool> given(static_cast<size_t>(engine->input_count()));
  if (!options.image.empty()) {
    absl::StatusOr<Photo> loaded = GivePhoto(options, engine, &given);
    if (!loaded.ok()) return loaded.status();
    *photo = *std::move(loaded);
  }
  return GiveInputs(options.inputs, std::move(given), engine);
}

absl::Status WriteOutputs(const std::string& folder, Engine* engine) {
  if (absl::Status made = MakeFolder(folder); !made.ok()) return made;
  for (int i = 0; i < engine->output_count(); ++i) {
    const TfLiteTensor* tensor = engine->output(i);
    if (tensor == nullptr || tensor->type == kTfLiteString) continue;
    absl::Status status = WriteFile(fs::path(folder) / absl::StrCat(i, ".bin"),
                                    tensor->data.raw_const, tensor->bytes);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Says what the model saw: overlay picture and its text, or the top five.
absl::Status PrintAnswer(const RunOptions& options, const Photo& photo, const Labels& labels,
                         Engine* engine) {
  std::vector<Values> outputs;
  for (int i = 0; i < engine->output_count(); ++i) {
    if (const TfLiteTensor* tensor = engine->output(i)) outputs.push_back(ReadValues(*tensor));
  }
  const std::optional<Overlay> overlay =
      DrawAnswer(outputs, labels, photo.picture, photo.input_width, photo.input_height);
  const std::vector<std::string> lines = overlay ? overlay->lines : TopFive(outputs, labels);
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  if (!overlay) return absl::OkStatus();
  const fs::path folder = options.output_dir.empty() ? fs::path(".") : fs::path(options.output_dir);
  if (absl::Status made = MakeFolder(folder); !made.ok()) return made;
  const std::string file = (folder / "overlay.png").string();
  absl::Status status = SavePng(overlay->picture, file);
  if (status.ok()) std::printf("%s\n", file.c_str());
  return status;
}

void PrintSummary(const Report& report, const Figures& figures) {
  for (const std::string& line : report.warnings) {
    std::fprintf(stderr, "tern: warning: %s\n", line.c_str());
  }
  std::printf("%s on %s, %s: %d nodes, %d delegated in %d partitions, %d refused\n",
              report.engine.c_str(), report.device.c_str(), report.precision.c_str(), report.nodes,
              report.delegated, report.partitions, static_cast<int>(report.refused.size()));
  if (!report.not_applied.empty()) {
    std::printf("on the CPU: %s\n", report.not_applied.c_str());
  }
  std::printf("init %.2f ms, first %.2f ms, median %.2f ms, p90 %.2f ms, min %.2f ms\n",
              figures.init_ms, figures.first_ms, figures.median_ms, figures.p90_ms, figures.min_ms);
}

absl::Status WriteTrace(const std::string& file, const Engine& engine, const Report& report,
                        Trace* trace) {
  for (const TraceSpan& step : engine.start()) trace->Add(step);
  trace->AddReport(report.delegate);
  const std::string text = trace->Text();
  return WriteFile(file, text.data(), text.size());
}

}  // namespace

absl::StatusOr<int> Run(const RunOptions& options) {
  Labels labels;
  if (!options.labels.empty()) {
    absl::StatusOr<Labels> read = Labels::Read(options.labels);
    if (!read.ok()) return read.status();
    labels = *std::move(read);
  }
  EngineOptions engine_options = options.engine;
  engine_options.trace = !options.trace.empty();
  Trace trace;  // outlives the engine, which writes to it
  const Stopwatch init;
  absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::Open(options.model, engine_options);
  if (!opened.ok()) return opened.status();
  Engine* engine = opened->get();
  if (engine_options.trace) engine->SetProfiler(&trace);
  absl::Status status = ResizeInputs(options.shapes, engine);
  if (status.ok()) status = engine->Prepare();
  if (!status.ok()) return status;
  const double init_ms = init.Ms();
  std::optional<Photo> photo;
  status = GiveInputs(options, engine, &photo);
  if (status.ok() && options.drop_slow_runs > 0) {
    status = engine->DropSlowParts(options.drop_slow_runs);
  }
  if (!status.ok()) return status;
  absl::StatusOr<Timing> timing = TimeRuns(engine, options.runs);
  if (!timing.ok()) return timing.status();
  const Report report = engine->MakeReport();
  const Activations activations = engine->ActivationBytes();
  const Figures figures = {init_ms,
                           timing->first_ms,
                           timing->Percentile(0.5),
                           timing->Percentile(0.9),
                           timing->Percentile(0),
                           activations.bytes,
                           activations.lower_bound,
                           PeakRssBytes()};
  PrintSummary(report, figures);
  if (!options.output_dir.empty()) status = WriteOutputs(options.output_dir, engine);
  if (status.ok() && photo) status = PrintAnswer(options, *photo, labels, engine);
  if (status.ok() && !options.report.empty()) {
    const std::string text = ReportText(report, figures);
    status = WriteFile(options.report, text.data(), text.size());
  }
  if (status.ok() && !options.trace.empty()) {
    status = WriteTrace(options.trace, *engine, report, &trace);
  }
  if (!status.ok()) return status;
  return 0;
}

}  // namespace tern::cli
