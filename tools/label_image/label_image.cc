// SPDX-License-Identifier: Apache-2.0
// From a photo to lines "score: class label".
#include "label_image/label_image.h"

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/inputs/picture.h"
#include "flags/delegates.h"
#include "label_image/image_input.h"
#include "label_image/top_results.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"
#include "tensorflow/lite/optional_debug_tools.h"
#include "tensorflow/lite/profiling/buffered_profiler.h"
#include "tensorflow/lite/profiling/time.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::tools {
namespace {

void Tell(const std::string& text) { std::fprintf(stderr, "INFO: %s\n", text.c_str()); }
void Warn(const std::string& text) { std::fprintf(stderr, "WARN: %s\n", text.c_str()); }

// Lines as they stand in the file.
absl::StatusOr<std::vector<std::string>> ReadLabels(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> labels;
  std::string line;
  while (std::getline(file, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    labels.push_back(line);
  }
  if (labels.empty()) return absl::NotFoundError(absl::StrCat("Labels file ", path, " not found"));
  return labels;
}

void TellGraph(tflite::Interpreter* interpreter) {
  Tell(absl::StrCat("tensors size: ", interpreter->tensors_size()));
  Tell(absl::StrCat("nodes size: ", interpreter->nodes_size()));
  Tell(absl::StrCat("inputs: ", interpreter->inputs().size()));
  Tell(absl::StrCat("input(0) name: ", interpreter->GetInputName(0)));
  for (size_t i = 0; i < interpreter->tensors_size(); ++i) {
    const TfLiteTensor* tensor = interpreter->tensor(static_cast<int>(i));
    if (tensor->name == nullptr) continue;
    Tell(absl::StrCat(i, ": ", tensor->name, ", ", tensor->bytes, ", ",
                      static_cast<int>(tensor->type), ", ", tensor->params.scale, ", ",
                      tensor->params.zero_point));
  }
  Tell(absl::StrCat("input: ", interpreter->inputs().front()));
  Tell(absl::StrCat("number of inputs: ", interpreter->inputs().size()));
  Tell(absl::StrCat("number of outputs: ", interpreter->outputs().size()));
}

void TellProfile(const tflite::Interpreter& interpreter,
                 const std::vector<const tflite::profiling::ProfileEvent*>& events) {
  for (const auto* event : events) {
    if (event->event_type != tflite::profiling::ProfileEvent::EventType::OPERATOR_INVOKE_EVENT) {
      continue;
    }
    const auto* graph = interpreter.subgraph(static_cast<int>(event->extra_event_metadata));
    const auto* node = graph->node_and_registration(static_cast<int>(event->event_metadata));
    const auto code = static_cast<tflite::BuiltinOperator>(node->second.builtin_code);
    Tell(absl::StrFormat("%10.3f, Subgraph %3d, Node %3d, OpCode %3d, %s",
                         static_cast<double>(event->elapsed_time) / 1000.0,
                         event->extra_event_metadata, event->event_metadata, code,
                         tflite::EnumNameBuiltinOperator(code)));
  }
}

absl::Status ApplyDelegates(const std::vector<Delegate>& delegates,
                            tflite::Interpreter* interpreter) {
  for (const Delegate& made : delegates) {
    if (interpreter->ModifyGraphWithDelegate(made.delegate.get()) != kTfLiteOk) {
      return absl::InternalError(absl::StrCat("Failed to apply ", made.name, " delegate."));
    }
    Tell(absl::StrCat("Applied ", made.name, " delegate."));
  }
  return absl::OkStatus();
}

absl::Status Invoke(tflite::Interpreter* interpreter, int times) {
  for (int i = 0; i < times; ++i) {
    if (interpreter->Invoke() != kTfLiteOk) return absl::InternalError("Failed to invoke tflite!");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status LabelImage(const LabelSettings& settings, const Flags& delegate_flags) {
  for (const auto& [wanted, name] :
       {std::pair(settings.accelerated, "NNAPI"), std::pair(settings.hexagon, "Hexagon")}) {
    if (wanted) Warn(absl::StrCat(name, " delegate isn't supported on the platform!"));
  }
  const auto model = tflite::FlatBufferModel::VerifyAndBuildFromFile(settings.model.c_str());
  if (model == nullptr) {
    return absl::NotFoundError(absl::StrCat("Failed to mmap model ", settings.model));
  }
  Tell(absl::StrCat("Loaded model ", settings.model));
  Tell("resolved reporter");
  const absl::StatusOr<cli::Picture> photo = cli::LoadPicture(settings.image);
  if (!photo.ok()) return photo.status();
  const absl::StatusOr<std::vector<std::string>> labels = ReadLabels(settings.labels);
  if (!labels.ok()) return labels.status();
  const absl::StatusOr<std::vector<Delegate>> delegates = CreateDelegates(delegate_flags);
  if (!delegates.ok()) return delegates.status();

  tflite::profiling::BufferedProfiler profiler(static_cast<uint32_t>(settings.max_events));
  std::unique_ptr<tflite::Interpreter> interpreter;  // ends before what it uses
  const tflite::ops::builtin::BuiltinOpResolver resolver;
  tflite::InterpreterBuilder builder(*model, resolver);
  if (builder.SetNumThreads(settings.threads) != kTfLiteOk || builder(&interpreter) != kTfLiteOk ||
      interpreter == nullptr) {
    return absl::InternalError("Failed to construct interpreter");
  }
  if (interpreter->inputs().empty() || interpreter->outputs().empty()) {
    return absl::InvalidArgumentError("the model has no input or no output");
  }
  interpreter->SetAllowFp16PrecisionForFp32(settings.allow_fp16);
  if (settings.verbose) TellGraph(interpreter.get());
  interpreter->SetProfiler(&profiler);
  absl::Status status = ApplyDelegates(*delegates, interpreter.get());
  if (!status.ok()) return status;
  if (interpreter->AllocateTensors() != kTfLiteOk) {
    return absl::InternalError("Failed to allocate tensors!");
  }
  if (settings.verbose) tflite::PrintInterpreterState(interpreter.get());
  status = WriteImage(*photo, settings.mean, settings.deviation, interpreter->input_tensor(0));
  if (!status.ok()) return status;

  if (settings.profiling) profiler.StartProfiling();
  status = Invoke(interpreter.get(), settings.warmup_runs);
  const uint64_t start_us = tflite::profiling::time::NowMicros();
  if (status.ok()) status = Invoke(interpreter.get(), settings.runs);
  if (!status.ok()) return status;
  const auto passed_us = static_cast<double>(tflite::profiling::time::NowMicros() - start_us);
  profiler.StopProfiling();
  Tell("invoked");
  Tell(absl::StrCat("average time: ", passed_us / 1000.0 / settings.runs, " ms"));
  if (settings.profiling) TellProfile(*interpreter, profiler.GetProfileEvents());

  const auto results = TopResults(*interpreter->output_tensor(0), settings.results);
  if (!results.ok()) return results.status();
  for (const auto& [score, index] : *results) {
    const auto place = static_cast<size_t>(index);
    Tell(absl::StrCat(score, ": ", index, " ", place < labels->size() ? (*labels)[place] : ""));
  }
  return absl::OkStatus();
}

}  // namespace tern::tools
