// SPDX-License-Identifier: Apache-2.0
// Telemetry: the settings of an interpreter, read from it and from its model.
#include "api/profiling/telemetry_settings.h"

#include <string_view>

#include "model/metadata.h"
#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting_internal.h"
#include "tensorflow/lite/profiling/telemetry/telemetry.h"

namespace tern {
namespace {

// The metadata that a converter writes under the name CONVERSION_METADATA: a file of its own, with
// the options as the root's second field and the modes as the options' first. Other fields are not
// read.
struct ConversionOptions : private flatbuffers::Table {
  static constexpr flatbuffers::voffset_t kModes = 4;
  const flatbuffers::Vector<int32_t>* modes() const {
    return GetPointer<const flatbuffers::Vector<int32_t>*>(kModes);
  }
  bool Verify(flatbuffers::Verifier& verifier) const {
    return VerifyTableStart(verifier) && VerifyOffset(verifier, kModes) &&
           verifier.VerifyVector(modes()) && verifier.EndTable();
  }
};

struct ConversionMetadata : private flatbuffers::Table {
  static constexpr flatbuffers::voffset_t kOptions = 6;
  const ConversionOptions* options() const {
    return GetPointer<const ConversionOptions*>(kOptions);
  }
  bool Verify(flatbuffers::Verifier& verifier) const {
    return VerifyTableStart(verifier) && VerifyOffset(verifier, kOptions) &&
           verifier.VerifyTable(options()) && verifier.EndTable();
  }
};

// Null for a model that does not say, or not readably.
std::unique_ptr<TfLiteTelemetryConversionMetadata> ReadConversion(const tflite::Model& model) {
  const std::string_view text = FindMetadata(model, "CONVERSION_METADATA");
  if (text.empty()) return nullptr;
  const std::vector<uint8_t> bytes(text.begin(), text.end());  // aligned
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  if (!verifier.VerifyBuffer<ConversionMetadata>(nullptr)) return nullptr;
  auto result = std::make_unique<TfLiteTelemetryConversionMetadata>();
  const auto* options = flatbuffers::GetRoot<ConversionMetadata>(bytes.data())->options();
  if (options != nullptr && options->modes() != nullptr) {
    result->model_optimization_modes.assign(options->modes()->begin(), options->modes()->end());
  }
  return result;
}

}  // namespace

void ReportTelemetrySettings(tflite::Interpreter& interpreter, const tflite::Model& model) {
  if (interpreter.GetProfiler() == nullptr) return;
  TfLiteTelemetryInterpreterSettings settings;
  settings.conversion_metadata = ReadConversion(model);
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    tflite::Subgraph& graph = *interpreter.subgraph(static_cast<int>(i));
    TfLiteTelemetrySubgraphInfo& info = settings.subgraph_infos.emplace_back();
    for (size_t t = 0; t < graph.tensors_size(); ++t) {
      info.quantizations.push_back(graph.tensor(static_cast<int>(t))->quantization);
    }
  }
  tflite::telemetry::TelemetryReportSettings(interpreter.primary_subgraph().context(),
                                             "InterpreterBuilder::operator()", &settings);
}

}  // namespace tern
