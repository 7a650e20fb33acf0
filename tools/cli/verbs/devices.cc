// SPDX-License-Identifier: Apache-2.0
// `tern devices`: what this machine has to run models on, whether it computes right, and what to
// install where something is missing.
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/engine/engine.h"
#include "cli/model/model_file.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "nlohmann/json.hpp"
#include "tensorflow/lite/delegates/gpu/compatibility.h"
#include "tensorflow/lite/instruction_set.h"

namespace tern::cli {
namespace {

using ReportJson = nlohmann::ordered_json;

struct Backend {
  const char* engine;
  const char* packages;          // of Debian
  const char* choice = nullptr;  // the variable that takes one of its devices; null: it has one
};

constexpr Backend kBackends[] = {
    {"opencl",
     "ocl-icd-libopencl1, and for the GPU intel-opencl-icd (Intel), mesa-opencl-icd (AMD), "
     "nvidia-opencl-icd (NVIDIA) or, to use the processor, pocl-opencl-icd",
     "TERN_OPENCL_DEVICE"},
    {"gles", "libegl1 libgles2 libgl1-mesa-dri"},
    {"vulkan",
     "libvulkan1, and for the GPU mesa-vulkan-drivers (AMD, Intel; also to use the processor) or "
     "nvidia-vulkan-icd (NVIDIA)",
     "TERN_VULKAN_DEVICE"},
};

ReportJson Describe(const Backend& backend) {
  const Progress progress(absl::StrCat("trying ", backend.engine));
  return ReportJson::parse(TfLiteGpuDelegateV2DescribeDevice(backend.engine));
}

// All devices of a backend, by their numbers; the variable that chooses one is as before
// afterwards.
std::vector<ReportJson> DescribeAll(const Backend& backend) {
  constexpr int kMost = 64;
  const char* const set = std::getenv(backend.choice);
  const std::string before = set == nullptr ? "" : set;
  std::vector<ReportJson> all;
  for (int i = 0; i < kMost; ++i) {
    setenv(backend.choice, absl::StrCat(i).c_str(), 1);
    ReportJson reported = Describe(backend);
    const std::string none = absl::StrCat("no device '", i, "'");
    if (i > 0 && absl::StrContains(reported.value("error", ""), none)) break;
    const bool nothing = i == 0 && reported.contains("error");
    all.push_back(std::move(reported));
    if (nothing) break;
  }
  set == nullptr ? unsetenv(backend.choice) : setenv(backend.choice, before.c_str(), 1);
  return all;
}

ReportJson DescribeMachine() {
  ReportJson machine = {{"cpu",
                         {{"name", CpuName()},
                          {"instruction_set", TfLiteInstructionSet()},
                          {"threads", std::thread::hardware_concurrency()}}},
                        {"devices", ReportJson::array()}};
  for (const Backend& backend : kBackends) {
    const std::vector<ReportJson> devices = backend.choice != nullptr
                                                ? DescribeAll(backend)
                                                : std::vector<ReportJson>{Describe(backend)};
    for (const ReportJson& device : devices) {
      machine["devices"].push_back(device);
      if (device.contains("error")) machine["devices"].back()["packages"] = backend.packages;
    }
  }
  return machine;
}

std::string Mebibytes(const ReportJson& bytes) {
  return absl::StrCat(bytes.get<int64_t>() >> 20, " MiB");
}

// Of a driver's long text the name alone.
std::string PlatformName(const ReportJson& device) {
  const auto text = device["platform"].get<std::string>();
  const std::string name = text.substr(0, text.find(','));
  return device["backend"] == "opencl" && !name.empty() ? absl::StrCat(" of ", name) : "";
}

std::string DeviceLines(const Backend& backend, int number, const ReportJson& device) {
  std::string text = absl::StrFormat("%-7s ", backend.engine);
  if (device.contains("error")) {
    return absl::StrCat(text, "is not usable: ", device["error"].get<std::string>(),
                        "\n        Debian packages: ", backend.packages, "\n");
  }
  const bool halves = device["half_types"] != 0;
  absl::StrAppend(&text, "device ", number, ": ", device["name"].get<std::string>(),
                  PlatformName(device), device["class"] == "cpu" ? " (a processor)" : "",
                  "\n        driver: ", device["driver"].get<std::string>(), "\n        ",
                  device["compute_units"].get<int>(), " compute units, groups of ",
                  device["max_group_items"].get<int>(), ", ", device["max_buffers"].get<int>(),
                  " buffers of ", Mebibytes(device["max_buffer_bytes"]), ", ",
                  device["local_memory_bytes"].get<int64_t>() >> 10, " KiB of local memory",
                  halves ? ", types for halves" : "", "\n        four kernels against the CPU: ",
                  device["self_test"].get<std::string>(), "\n");
  return text;
}

std::string DevicesTable(const ReportJson& machine) {
  const ReportJson& cpu = machine["cpu"];
  std::string text =
      absl::StrFormat("%-7s %s, %s, %d threads at once\n", "cpu", cpu["name"].get<std::string>(),
                      cpu["instruction_set"].get<std::string>(), cpu["threads"].get<int>());
  for (const Backend& backend : kBackends) {
    int number = 0;
    for (const ReportJson& device : machine["devices"]) {
      if (device["backend"] == backend.engine) text += DeviceLines(backend, number++, device);
    }
    if (number > 1) absl::StrAppend(&text, "        ", backend.choice, "=N takes device N\n");
  }
  return text;
}

}  // namespace

absl::StatusOr<int> Devices(const DevicesOptions& options) {
  const ReportJson machine = DescribeMachine();
  const absl::Status status = options.json.empty()
                                  ? WriteText(DevicesTable(machine), "-")
                                  : WriteText(machine.dump(2, ' ', /*ensure_ascii=*/true,
                                                           ReportJson::error_handler_t::replace) +
                                                  "\n",
                                              options.json);
  if (!status.ok()) return status;
  for (const ReportJson& device : machine["devices"]) {
    if (!device.contains("error") && device["self_test"] != "passed") return 1;
  }
  return 0;
}

}  // namespace tern::cli
