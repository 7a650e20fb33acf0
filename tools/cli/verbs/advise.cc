// SPDX-License-Identifier: Apache-2.0
// `tern advise`: what makes a model slow on a GPU, and what to change, the largest gain first.
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/engine/engine.h"
#include "cli/engine/measure.h"
#include "cli/engine/timing.h"
#include "cli/model/model_file.h"
#include "cli/model/model_json.h"
#include "cli/page/inspect_page.h"
#include "cli/progress.h"
#include "cli/reports/advice.h"
#include "cli/reports/inspect_run.h"
#include "cli/verbs.h"
#include "nlohmann/json.hpp"
#include "tensorflow/lite/model.h"

namespace tern::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLines = 9;  // under the heading
constexpr int kSteps = 6;     // of the progress
constexpr double kTuneSeconds = 2;

// An empty folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code none;
    std::string name = (fs::temp_directory_path(none) / "tern_advise_XXXXXX").string();
    if (!none && mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Timed {
  double init_ms = 0, run_ms = 0;
  Report report;
};

std::map<int, int> ChannelsOf(Engine* engine, int nodes) {
  std::map<int, int> channels;
  for (int node = 0; node < nodes; ++node) {
    const TfLiteTensor* output = engine->NodeOutput(0, node);
    if (output == nullptr || output->dims == nullptr || output->dims->size == 0) continue;
    channels[node] = output->dims->data[output->dims->size - 1];
  }
  return channels;
}

// Times a run; fills `channels`, where given, with the channels that GpuRun has.
absl::StatusOr<Timed> Time(const AdviseOptions& options, const EngineOptions& engine,
                           std::map<int, int>* channels = nullptr) {
  absl::StatusOr<StartedModel> started = StartModel(options.model, engine);
  if (!started.ok()) return started.status();
  const absl::StatusOr<Timing> timing = TimeRuns(started->engine.get(), options.runs + 1);
  if (!timing.ok()) return timing.status();
  Timed timed{started->init_ms, timing->Percentile(0.5), started->engine->MakeReport()};
  if (channels != nullptr) *channels = ChannelsOf(started->engine.get(), timed.report.nodes);
  return timed;
}

struct Findings {
  Timed gpu;
  std::vector<LaunchTime> launches;
  std::map<int, int> channels;
  double cpu_ms = 0;
  std::vector<Advice> advice;
  std::vector<std::string> failed;  // trials that did not run, and why

  void Append(std::vector<Advice> more) { advice.insert(advice.end(), more.begin(), more.end()); }
};

// The CPU as it is asked for, and with all processors. The quicker one stands against the GPU.
absl::Status TryCpu(const AdviseOptions& options, Findings* findings) {
  EngineOptions cpu = options.engine;
  cpu.engine = "cpu";
  absl::StatusOr<Timed> best = Time(options, cpu);
  if (!best.ok()) return best.status();
  std::string how = "--engine cpu";
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  if (cpu.threads < 0 && processors > 1) {
    cpu.threads = processors;
    absl::StatusOr<Timed> all = Time(options, cpu);
    if (!all.ok()) return all.status();
    if (all->run_ms < best->run_ms) {
      best = std::move(all);
      absl::StrAppend(&how, " --threads ", processors);
    }
  }
  findings->cpu_ms = best->run_ms;
  if (findings->gpu.report.delegated > 0) {
    findings->Append(AdviceOfTrial(
        {absl::StrCat("run it on the CPU (", how, ")"), findings->gpu.run_ms, best->run_ms}));
  }
  return absl::OkStatus();
}

// Times the GPU with one thing changed.
void TryChange(const AdviseOptions& options, const std::string& text,
               const std::function<void(EngineOptions*)>& change, Findings* findings) {
  EngineOptions changed = options.engine;
  change(&changed);
  const absl::StatusOr<Timed> timed = Time(options, changed);
  if (!timed.ok()) {
    findings->failed.push_back(absl::StrCat(text, ": ", timed.status().message()));
    return;
  }
  findings->Append(AdviceOfTrial({text, findings->gpu.run_ms, timed->run_ms}));
}

// A start over what the one before it saved.
void TryCache(const AdviseOptions& options, Findings* findings) {
  const std::string text =
      "start from a cache (--cache-dir FOLDER; serialization_dir and model_token in the API)";
  const TemporaryFolder folder;
  EngineOptions cached = options.engine;
  cached.cache_dir = folder.path();
  absl::Status status = cached.cache_dir.empty()
                            ? absl::InternalError("there is no folder for temporary files")
                            : absl::OkStatus();
  double init_ms = 0;
  for (int start = 0; start < 2 && status.ok(); ++start) {
    absl::StatusOr<StartedModel> started = StartModel(options.model, cached);
    status = started.status();
    if (!status.ok()) break;
    init_ms = started->init_ms;
    status = started->engine->Invoke();  // programs are saved behind it
  }
  if (!status.ok()) {
    findings->failed.push_back(absl::StrCat(text, ": ", status.message()));
    return;
  }
  findings->Append(AdviceOfTrial({text, findings->gpu.init_ms, init_ms, /*of_start=*/true}));
}

absl::Status TryOnGpu(const AdviseOptions& options, Progress* progress, Findings* findings) {
  absl::StatusOr<std::vector<LaunchTime>> launches =
      TimeLaunches(options.model, options.engine, options.runs);
  if (!launches.ok()) return launches.status();
  findings->launches = *std::move(launches);
  const Timed& gpu = findings->gpu;
  findings->Append(
      AdviceOfPlan({gpu.report.delegate, findings->launches, findings->channels, gpu.run_ms}));
  progress->Step();
  if (options.engine.precision == "f32") {
    TryChange(
        options,
        "compute in halves (--precision f16; is_precision_loss_allowed in the API; `tern "
        "diff --precision f16` tells what that changes)",
        [](EngineOptions* engine) { engine->precision = "f16"; }, findings);
  }
  progress->Step();
  if (options.engine.tune_seconds < 0) {
    TryChange(
        options, "tune it (--tune 2; TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED in the API)",
        [](EngineOptions* engine) { engine->tune_seconds = kTuneSeconds; }, findings);
  }
  progress->Step();
  if (options.engine.cache_dir.empty()) TryCache(options, findings);
  return absl::OkStatus();
}

nlohmann::json Lines(const Findings& findings) {
  nlohmann::json lines = nlohmann::json::array();
  for (const Advice& advice : findings.advice) {
    lines.push_back({{"gain_ms", advice.gain_ms},
                     {"measured", advice.measured},
                     {"of", advice.of_start ? "start" : "run"},
                     {"text", advice.text}});
  }
  return lines;
}

std::string JsonText(const AdviseOptions& options, const Findings& findings) {
  const Report& report = findings.gpu.report;
  const nlohmann::json reported = {{"model", options.model},
                                   {"engine", report.engine},
                                   {"device", report.device},
                                   {"nodes", report.nodes},
                                   {"delegated", report.delegated},
                                   {"gpu_ms", findings.gpu.run_ms},
                                   {"gpu_start_ms", findings.gpu.init_ms},
                                   {"cpu_ms", findings.cpu_ms},
                                   {"advice", Lines(findings)},
                                   {"failed", findings.failed}};
  // Names in a file may be any bytes.
  return reported.dump(1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace) +
         "\n";
}

absl::StatusOr<std::string> Page(const AdviseOptions& options, const Findings& findings) {
  const auto loaded = LoadModel(options.model);
  if (!loaded.ok()) return loaded.status();
  nlohmann::ordered_json description =
      DescribeModel(*(*loaded)->GetModel(), options.model, (*loaded)->allocation()->bytes());
  description["run"] = DescribeRun(options.model, options.engine, options.runs);
  const Timed& gpu = findings.gpu;
  DescribeGpu(options.model, options.engine.max_partitions,
              {gpu.report, gpu.init_ms, gpu.run_ms, gpu.report.delegated > 0 ? options.runs : 0,
               findings.launches},
              &description);
  description["advice"] = {{"lines", Lines(findings)}, {"failed", findings.failed}};
  return InspectPage(description.dump(-1, ' ', /*ensure_ascii=*/true,
                                      nlohmann::ordered_json::error_handler_t::replace));
}

void Print(const AdviseOptions& options, const Findings& findings) {
  const Report& report = findings.gpu.report;
  const std::string cpu = MillisText(findings.cpu_ms);
  if (report.delegated == 0) {
    const std::string why = !report.not_applied.empty() ? report.not_applied
                            : report.refused.empty()    ? "the model has no nodes"
                                                        : report.refused[0].Text();
    std::printf("%s: no node runs on %s (%s; `tern explain` tells more). CPU: %s a run\n",
                options.model.c_str(), report.engine.c_str(), why.c_str(), cpu.c_str());
    return;
  }
  std::printf("%s: %d of %d nodes on %s, %s a run, %s to start; CPU: %s a run\n",
              options.model.c_str(), report.delegated, report.nodes, report.engine.c_str(),
              MillisText(findings.gpu.run_ms).c_str(), MillisText(findings.gpu.init_ms).c_str(),
              cpu.c_str());
  if (findings.advice.empty()) std::printf("nothing was found that makes it quicker\n");
  for (const Advice& advice : findings.advice) {
    const char* part = advice.of_start ? "start" : "run";
    if (advice.gain_ms > 0) {
      std::printf("%s %s of a %s: %s\n", advice.measured ? "saves" : "saves up to",
                  MillisText(advice.gain_ms).c_str(), part, advice.text.c_str());
    } else {
      std::printf("may save time of a %s: %s\n", part, advice.text.c_str());
    }
  }
}

}  // namespace

absl::StatusOr<int> Advise(const AdviseOptions& options) {
  AdviseOptions asked = options;
  asked.engine.allow_fallback = true;
  Findings findings;
  {
    Progress progress(absl::StrCat("trying ", options.model), kSteps);
    absl::StatusOr<Timed> gpu = Time(asked, asked.engine, &findings.channels);
    if (!gpu.ok()) return gpu.status();
    findings.gpu = *std::move(gpu);
    progress.Step();
    absl::Status status = TryCpu(asked, &findings);
    if (!status.ok()) return status;
    progress.Step();
    if (findings.gpu.report.delegated > 0) status = TryOnGpu(asked, &progress, &findings);
    if (!status.ok()) return status;
  }
  findings.advice = Largest(std::move(findings.advice), kLines);
  for (const std::string& failed : findings.failed) {
    std::fprintf(stderr, "tern: advise: not tried: %s\n", failed.c_str());
  }
  if (options.json != "-" && options.html != "-") Print(asked, findings);
  absl::Status status;
  if (!options.json.empty()) status = WriteText(JsonText(asked, findings), options.json);
  if (!options.html.empty()) {
    const absl::StatusOr<std::string> page = Page(asked, findings);
    status.Update(page.ok() ? WriteText(*page, options.html) : page.status());
  }
  if (!status.ok()) return status;
  return 0;
}

}  // namespace tern::cli
