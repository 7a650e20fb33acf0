// SPDX-License-Identifier: Apache-2.0
// The C API: what a telemetry profiler is told, and what it asks about the settings.
#include <string_view>

#include "api/c_api_internal.h"
#include "model/metadata.h"
#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting_internal.h"
#include "tensorflow/lite/profiling/telemetry/telemetry.h"

namespace tern::c_api {
namespace {

// What a converter leaves under the name CONVERSION_METADATA: a file of its own, with the options
// as the root's second field and the modes as the options' first. Other fields are not read.
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

TfLiteStatus Ended(tflite::Interpreter& interpreter, const char* event, TfLiteStatus status) {
  tflite::telemetry::TelemetryReportEvent(interpreter.primary_subgraph().context(), event, status);
  return status;
}

void ReportSettings(tflite::Interpreter& interpreter, const tflite::FlatBufferModel& model) {
  TfLiteTelemetryInterpreterSettings settings;
  settings.conversion_metadata = ReadConversion(*model.GetModel());
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

}  // namespace tern::c_api

const int32_t* TfLiteTelemetryConversionMetadataGetModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata) {
  return metadata == nullptr ? nullptr : metadata->model_optimization_modes.data();
}

size_t TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata) {
  return metadata == nullptr ? 0 : metadata->model_optimization_modes.size();
}

const TfLiteTelemetryConversionMetadata* TfLiteTelemetryInterpreterSettingsGetConversionMetadata(
    const TfLiteTelemetryInterpreterSettings* settings) {
  return settings == nullptr ? nullptr : settings->conversion_metadata.get();
}

size_t TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(
    const TfLiteTelemetryInterpreterSettings* settings) {
  return settings == nullptr ? 0 : settings->subgraph_infos.size();
}

const TfLiteTelemetrySubgraphInfo* TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(
    const TfLiteTelemetryInterpreterSettings* settings) {
  return settings == nullptr ? nullptr : settings->subgraph_infos.data();
}

size_t TfLiteTelemetrySubgraphInfoGetNumQuantizations(TfLiteTelemetrySubgraphInfo* subgraph_info) {
  return subgraph_info == nullptr ? 0 : subgraph_info->quantizations.size();
}

const TfLiteQuantization* TfLiteTelemetrySubgraphInfoGetQuantizations(
    TfLiteTelemetrySubgraphInfo* subgraph_info) {
  return subgraph_info == nullptr ? nullptr : subgraph_info->quantizations.data();
}

size_t TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(
    const TfLiteTelemetryGpuDelegateSettings* settings) {
  return settings == nullptr ? 0 : settings->num_nodes_delegated;
}

int TfLiteTelemetryGpuDelegateSettingsGetBackend(
    const TfLiteTelemetryGpuDelegateSettings* settings) {
  return settings == nullptr ? 0 : settings->backend;
}
