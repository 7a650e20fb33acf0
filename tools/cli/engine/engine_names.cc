// SPDX-License-Identifier: Apache-2.0
// Names of engines and devices.
#include "cli/engine/engine_names.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cli/engine/engine.h"
#include "cli/flag_values.h"
#include "cli/usage.h"
#include "tensorflow/lite/delegates/gpu/report.h"

namespace tern::cli {
namespace {

#ifdef __APPLE__
constexpr bool kOnApple = true;
#else
constexpr bool kOnApple = false;  // the build tree runs Metal's text on the processor
#endif

bool IsOneOf(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string> KnownEngines::Names() const {
  std::vector<std::string> names = {"opencl", "gles", "vulkan", "gpu", "auto"};
  if (cpu) names.insert(names.begin(), "cpu");
  if (threads) names.insert(names.begin() + 1, "cpu:N");
  if (host) names.push_back("host");
  if (host || kOnApple) names.push_back("metal");
  return names;
}

std::string KnownEngines::Check(std::string* name) const {
  constexpr FlagValues kThreads = Whole(1, 1024);
  const std::string given = *name;
  if (absl::StartsWith(given, "null:")) return "";  // tests, and planners of other tools
  absl::AsciiStrToLower(name);
  if (IsOneOf(Names(), *name)) return "";
  if (absl::StartsWith(*name, "vulkan:")) return "";  // "vulkan:1", one of several devices
  if (IsOneOf({"gles:min", "metal", "metal:active", "metal:aggressive"}, *name)) return "";
  if (threads && absl::StartsWith(*name, "cpu:")) {
    const std::string wrong = kThreads.WhyWrong(name->substr(4));
    return wrong.empty() ? "" : absl::StrCat(wrong, " for the threads of ", given);
  }
  return absl::StrCat("expected ", OrList(Names()), ", got '", given, "'");
}

const std::vector<std::string>& InventedDevices() {
  static const auto* const names = new std::vector<std::string>{
      "gles-min", "adreno", "mali",          "videocore",   "amd",
      "nvidia",   "cpu16",  "adreno-vulkan", "mali-vulkan", "videocore-vulkan"};
  return *names;
}

std::string EngineOfDevice(const std::string& device) {
  const bool backend =
      IsOneOf({"opencl", "gles", "gles:min", "vulkan", "vulkan:min", "metal", "host"}, device);
  return backend ? device : absl::StrCat("null:", device);
}

absl::Status ResolveEngine(bool cpu_too, EngineOptions* options) {
  const std::string asked = options->engine;
  if (asked != "gpu" && asked != "auto") return absl::OkStatus();
  EngineOptions any;
  any.engine.clear();  // the delegate's own choice
  std::string error;
  const auto delegate = CreateGpuDelegate(any, &error);
  if (delegate != nullptr) {
    Report report;
    ReadDelegateReport(TfLiteGpuDelegateV2Report(delegate.get()), &report);
    options->engine = report.choice.substr(0, report.choice.find(':'));
    options->why = absl::StrCat("the GPU engine of this machine, as --engine ", asked, " asks");
    return absl::OkStatus();
  }
  if (asked == "gpu" || !cpu_too) {
    return absl::UnavailableError(absl::StrCat(asked, ": ", error, kSeeDevices));
  }
  options->engine = "cpu";
  options->why = error;
  return absl::OkStatus();
}

}  // namespace tern::cli
