// SPDX-License-Identifier: Apache-2.0
// Warm-up, measured runs, and the lines about them that scripts read.
#include "benchmark_model/benchmark.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark_model/inputs.h"
#include "benchmark_model/outputs.h"
#include "benchmark_model/result.h"
#include "benchmark_model/session.h"
#include "cli/inputs/fill.h"
#include "tensorflow/lite/optional_debug_tools.h"
#include "tensorflow/lite/profiling/memory_info.h"
#include "tensorflow/lite/profiling/memory_usage_monitor.h"
#include "tensorflow/lite/profiling/model_runtime_info.h"
#include "tensorflow/lite/profiling/profile_summarizer.h"
#include "tensorflow/lite/profiling/time.h"
#include "tensorflow/lite/tools/logging.h"

namespace tern::tools {
namespace {

using tflite::profiling::ProfileSummarizer;
using tflite::profiling::ProfileSummaryFormatter;
using tflite::profiling::Stat;
using tflite::profiling::memory::GetMemoryUsage;
using tflite::profiling::memory::MemoryUsage;
using tflite::profiling::memory::MemoryUsageMonitor;
using tflite::profiling::time::NowMicros;

constexpr int kMaxEvents = 1000000;  // some 100 MB

// Pages of the process in memory, and of those the shared ones, in MiB; zeros where the platform
// does not tell.
struct ResidentMb {
  size_t all = 0;
  size_t shared = 0;
};

ResidentMb GetResidentMb() {
  ResidentMb mb;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return mb;
  size_t all = 0;
  size_t shared = 0;
  if (std::fscanf(file, "%*u %zu %zu", &all, &shared) == 2) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mb = {all * page >> 20, shared * page >> 20};
  }
  std::fclose(file);
  return mb;
}

// Of a value of op_profiling_output_mode; null for an unknown one.
std::shared_ptr<ProfileSummaryFormatter> FormatterOf(const std::string& mode) {
  if (mode == "stdout")
    return std::make_shared<tflite::profiling::ProfileSummaryDefaultFormatter>();
  if (mode == "csv") return std::make_shared<tflite::profiling::ProfileSummaryCSVFormatter>();
  if (mode == "proto") return std::make_shared<tflite::profiling::ProfileSummaryProtoFormatter>();
  return nullptr;
}

class Benchmark {
 public:
  explicit Benchmark(Flags flags) : flags_(std::move(flags)) {}
  absl::Status Run();

 private:
  absl::Status Validate();
  absl::Status CheckWritable(const char* flag);
  absl::Status Init();
  void PrintState(const char* when);
  absl::Status RunOnce(bool measured, Stat* us);
  absl::Status Repeat(int runs, float min_secs, bool measured, Stat* us);
  void TellResults(const MemoryUsage& start);
  absl::Status WriteProfile();
  absl::Status WriteOutputs();
  absl::Status WriteResult();

  Flags flags_;
  std::vector<InputLayer> layers_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<MemoryUsageMonitor> monitor_;
  std::shared_ptr<ProfileSummaryFormatter> formatter_;
  ProfileSummarizer init_profile_;
  ProfileSummarizer run_profile_;
  BenchmarkResult result_;
};

// Found out before the runs, which may take minutes.
absl::Status Benchmark::CheckWritable(const char* flag) {
  const std::string& path = flags_.Text(flag);
  return path.empty() ? absl::OkStatus() : cli::WriteFile(path, "", 0);
}

absl::Status Benchmark::Validate() {
  if (flags_.Text("graph").empty()) {
    return absl::InvalidArgumentError(
        "Please specify the name of your TF Lite input file with --graph");
  }
  if (flags_.Bool("report_peak_memory_footprint") &&
      flags_.Int("memory_footprint_check_interval_ms") <= 0) {
    TFLITE_LOG(WARN) << "--memory_footprint_check_interval_ms="
                     << flags_.Int("memory_footprint_check_interval_ms") << " is replaced by 50.";
    flags_.Set("memory_footprint_check_interval_ms", "50");
  }
  if (flags_.Bool("enable_op_profiling")) {
    if (flags_.Int("max_profiling_buffer_entries") > kMaxEvents) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--max_profiling_buffer_entries: ", flags_.Int("max_profiling_buffer_entries"), " (",
          kMaxEvents, ")"));
    }
    if (!flags_.Text("profiling_output_csv_file").empty()) {
      flags_.Set("op_profiling_output_mode", "csv");
      flags_.Set("op_profiling_output_file", flags_.Text("profiling_output_csv_file"));
    }
    const std::string& mode = flags_.Text("op_profiling_output_mode");
    formatter_ = FormatterOf(mode);
    if (formatter_ == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("--op_profiling_output_mode: '", mode, "' (stdout, csv, proto)"));
    }
    if (mode == "proto" && flags_.Text("op_profiling_output_file").empty()) {
      return absl::InvalidArgumentError(
          "--op_profiling_output_mode=proto needs --op_profiling_output_file");
    }
    init_profile_ = ProfileSummarizer(formatter_);
    run_profile_ = ProfileSummarizer(formatter_);
  }
  if (flags_.Bool("export_model_runtime_info") &&
      flags_.Text("model_runtime_info_output_file").empty()) {
    return absl::InvalidArgumentError(
        "--export_model_runtime_info needs --model_runtime_info_output_file");
  }
  for (const char* flag : {"op_profiling_output_file", "model_runtime_info_output_file",
                           "output_filepath", "output_proto_filepath", "result_file_path"}) {
    absl::Status status = CheckWritable(flag);
    if (!status.ok()) return status;
  }
  absl::StatusOr<std::vector<InputLayer>> layers = ParseInputLayers(flags_);
  if (!layers.ok()) return layers.status();
  layers_ = *std::move(layers);
  return absl::OkStatus();
}

absl::Status Benchmark::Init() {
  session_ = std::make_unique<Session>(&flags_, &layers_);
  absl::Status status = session_->Load();
  if (!status.ok() || flags_.Bool("list_signatures")) return status;
  return session_->Prepare();
}

void Benchmark::PrintState(const char* when) {
  if (!flags_.Bool(absl::StrCat("print_", when, "_state"))) return;
  const std::string title =
      absl::StrCat("====Printing out TfLite interpreter ",
                   std::string(when) == "preinvoke" ? "pre-invoke" : "post-invoke", " state ");
  TFLITE_LOG(INFO) << "\n" << title << "begins====";
  tflite::PrintInterpreterState(session_->interpreter(), flags_.Int("tensor_name_display_length"),
                                flags_.Int("tensor_type_display_length"),
                                flags_.Int("alloc_type_display_length"));
  TFLITE_LOG(INFO) << title << "ends====\n";
}

absl::Status Benchmark::RunOnce(bool measured, Stat* us) {
  absl::Status status = session_->WriteInputs();
  if (!status.ok()) return status;
  auto* profiler = measured ? session_->profiler() : nullptr;
  if (profiler != nullptr) {
    profiler->Reset();
    profiler->StartProfiling();
  }
  const uint64_t start = NowMicros();
  status = session_->Invoke();
  us->Add(static_cast<int64_t>(NowMicros() - start));
  if (profiler != nullptr) {
    profiler->StopProfiling();
    run_profile_.ProcessProfiles(profiler->GetProfileEvents(), *session_->interpreter());
  }
  return status;
}

absl::Status Benchmark::Repeat(int runs, float min_secs, bool measured, Stat* us) {
  const float max_secs = flags_.Float("max_secs");
  TFLITE_LOG(INFO) << "Running benchmark for at least " << runs << " iterations and at least "
                   << min_secs << " seconds but terminate if exceeding " << max_secs << " seconds.";
  const auto start = static_cast<double>(NowMicros()) * 1e-6;
  const auto seconds = [start] { return static_cast<double>(NowMicros()) * 1e-6 - start; };
  const double frequency = flags_.Float("run_frequency");
  double pause = flags_.Float("run_delay");
  double passed = 0;
  for (int run = 0; (run < runs || passed < min_secs) && passed <= max_secs; ++run) {
    absl::Status status = RunOnce(measured, us);
    if (!status.ok()) return status;
    if (frequency > 0) pause = (run + 1) / frequency - seconds();
    if (pause > 0) std::this_thread::sleep_for(std::chrono::duration<double>(pause));
    passed = seconds();
  }
  TFLITE_LOG(INFO) << us->TextWithPercentiles() << "\n";
  return absl::OkStatus();
}

void Benchmark::TellResults(const MemoryUsage& start) {
  TFLITE_LOG(INFO) << "Inference timings in us: Init: " << result_.init_us
                   << ", First inference: " << result_.warmup_us.First()
                   << ", Warmup (avg): " << result_.warmup_us.Mean()
                   << ", Inference (avg): " << result_.us.Mean();
  if (!MemoryUsage::IsSupported()) return;
  TFLITE_LOG(INFO) << "Note: as the benchmark tool itself affects memory footprint, the following "
                      "is only APPROXIMATE to the actual memory footprint of the model at runtime. "
                      "Take the information at your discretion.";
  result_.overall_kb = GetMemoryUsage().mem_footprint_kb - start.mem_footprint_kb;
  TFLITE_LOG(INFO) << "Memory footprint delta from the start of the tool (MB): init="
                   << static_cast<double>(result_.init_kb) / 1024.0
                   << " overall=" << static_cast<double>(result_.overall_kb) / 1024.0;
  if (monitor_ == nullptr) return;
  monitor_->Stop();
  result_.peak_mb = monitor_->GetPeakMemUsageInMB();
  if (result_.peak_mb <= 0) return;
  TFLITE_LOG(INFO) << "Overall peak memory footprint (MB) via periodic monitoring: "
                   << result_.peak_mb;
  const ResidentMb mb = GetResidentMb();
  TFLITE_LOG(INFO) << "Memory status at the end of exeution:";  // spelled as scripts know it
  TFLITE_LOG(INFO) << "- VmRSS              : " << mb.all << " MB";
  TFLITE_LOG(INFO) << "+ RssAnnon           : " << mb.all - mb.shared << " MB";
  TFLITE_LOG(INFO) << "+ RssFile + RssShmem : " << mb.shared << " MB";
}

absl::Status Benchmark::WriteProfile() {
  if (session_->profiler() == nullptr) return absl::OkStatus();
  const std::string init = init_profile_.GetOutputString();
  const std::string runs = run_profile_.GetOutputString();
  const std::string& path = flags_.Text("op_profiling_output_file");
  if (!path.empty()) {
    const std::string text = formatter_->Combine(init, runs);
    return cli::WriteFile(path, text.data(), text.size());
  }
  TFLITE_LOG(INFO) << formatter_->Combine(init, "");
  TFLITE_LOG(INFO) << formatter_->Combine("", runs);
  return absl::OkStatus();
}

absl::Status Benchmark::WriteOutputs() {
  absl::Status status;
  const std::string& raw = flags_.Text("output_filepath");
  if (!raw.empty()) {
    const std::string bytes = OutputBytes(session_->Outputs());
    status.Update(cli::WriteFile(raw, bytes.data(), bytes.size()));
  }
  const std::string& proto = flags_.Text("output_proto_filepath");
  if (!proto.empty()) {
    const std::string bytes = OutputExample(session_->Outputs());
    status.Update(cli::WriteFile(proto, bytes.data(), bytes.size()));
  }
  return status;
}

absl::Status Benchmark::WriteResult() {
  const std::string& path = flags_.Text("result_file_path");
  if (path.empty()) return absl::OkStatus();
  result_.name = flags_.Text("benchmark_name");
  result_.model_mb = session_->model_mb();
  result_.input_bytes = session_->InputBytes();
  const std::string bytes = ResultMessage(result_);
  return cli::WriteFile(path, bytes.data(), bytes.size());
}

absl::Status Benchmark::Run() {
  absl::Status status = Validate();
  if (!status.ok()) return status;
  for (const std::string& line : flags_.LogLines(flags_.Bool("verbose"))) {
    TFLITE_LOG(INFO) << line;
  }
  if (flags_.Bool("report_peak_memory_footprint")) {
    monitor_ =
        std::make_unique<MemoryUsageMonitor>(flags_.Int("memory_footprint_check_interval_ms"));
    monitor_->Start();
  }
  const MemoryUsage start = GetMemoryUsage();
  const uint64_t start_us = NowMicros();
  status = Init();
  if (!status.ok()) return status;
  result_.init_us = static_cast<int64_t>(NowMicros() - start_us);
  result_.init_kb = GetMemoryUsage().mem_footprint_kb - start.mem_footprint_kb;
  if (flags_.Bool("list_signatures")) {
    const auto keys = session_->interpreter()->signature_keys();
    TFLITE_LOG(INFO) << "The Model contains " << keys.size() << " signature key(s).";
    if (!keys.empty()) TFLITE_LOG(INFO) << "They are listed below: ";
    for (const std::string* key : keys) TFLITE_LOG(INFO) << "-> Signature Key: " << *key;
    return absl::OkStatus();
  }
  TFLITE_LOG(INFO) << "The input model file size (MB): " << session_->model_mb();
  TFLITE_LOG(INFO) << "Initialized session in " << static_cast<double>(result_.init_us) / 1e3
                   << "ms.";

  status = session_->MakeInputs();
  if (!status.ok()) return status;
  if (flags_.Bool("dry_run")) {
    for (const char* runs : {"num_runs", "warmup_runs"}) flags_.Set(runs, "0");
    for (const char* seconds : {"min_secs", "warmup_min_secs"}) flags_.Set(seconds, "-1");
  }
  if (session_->profiler() != nullptr) {
    session_->profiler()->StopProfiling();
    init_profile_.ProcessProfiles(session_->profiler()->GetProfileEvents(),
                                  *session_->interpreter());
  }
  PrintState("preinvoke");
  if (flags_.Bool("export_model_runtime_info") &&
      tflite::profiling::GenerateModelRuntimeInfo(
          *session_->interpreter(), flags_.Text("model_runtime_info_output_file")) != kTfLiteOk) {
    return absl::InternalError("Failed to generate model runtime info");
  }
  status =
      Repeat(flags_.Int("warmup_runs"), flags_.Float("warmup_min_secs"), false, &result_.warmup_us);
  if (status.ok()) {
    status = Repeat(flags_.Int("num_runs"), flags_.Float("min_secs"), true, &result_.us);
  }
  if (!status.ok()) return status;
  TellResults(start);
  PrintState("postinvoke");
  status = WriteProfile();
  status.Update(WriteOutputs());
  status.Update(WriteResult());
  return status;
}

}  // namespace

absl::Status RunBenchmark(Flags flags) { return Benchmark(std::move(flags)).Run(); }

}  // namespace tern::tools
