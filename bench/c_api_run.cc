// SPDX-License-Identifier: Apache-2.0
// Runs a model in any library that has the C API, ours or the reference's, and prints what that
// took as JSON:
//   c_api_run LIBRARY.so MODEL.tflite [--threads N] [--runs N] [--per-op] [--xnnpack]
// The library is loaded at run time and known by our own headers only.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tensorflow/lite/c/c_api.h"

namespace {

using Clock = std::chrono::steady_clock;

double MsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The largest resident size of this program so far; what the parent had before exec is not in it.
size_t PeakRssBytes() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  throw std::runtime_error("/proc/self/status has no VmHWM");
}

class Library {
 public:
  explicit Library(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  template <typename Function>
  Function* Find(const char* name) const {
    void* found = dlsym(handle_, name);
    if (found == nullptr) throw std::runtime_error(std::string(name) + ": not in the library");
    return reinterpret_cast<Function*>(found);
  }

 private:
  void* const handle_;
};

// A function of the library, typed as our header declares it.
#define FROM(library, name) (library).Find<decltype(name)>(#name)

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// The functions that the library calls for every operator, as
// `TfLiteInterpreterOptionsSetTelemetryProfiler` takes them.
struct TelemetryProfiler {
  void* data;
  void (*telemetry_event)(TelemetryProfiler*, const char* name, uint64_t status);
  void (*telemetry_op_event)(TelemetryProfiler*, const char* name, int64_t op, int64_t subgraph,
                             uint64_t status);
  void (*settings)(TelemetryProfiler*, const char* name, const void* settings);
  uint32_t (*begin_op)(TelemetryProfiler*, const char* name, int64_t op, int64_t subgraph);
  void (*end_op)(TelemetryProfiler*, uint32_t handle);
  void (*op)(TelemetryProfiler*, const char* name, uint64_t microseconds, int64_t op,
             int64_t subgraph);
};

// The beginning of what `TfLiteXNNPackDelegateCreate` takes in version 2.19, and room for the rest,
// whose default is zero. Its Python package takes quantized operators too, so these flags are set.
struct XnnpackOptions {
  int32_t threads;
  uint32_t flags;
  char rest[248];
};
constexpr uint32_t kSignedInt8 = 1;
constexpr uint32_t kUnsignedInt8 = 2;

// Sums per kind of operator. A delegate tells its operators one by one, at the end of its node;
// only what they leave of its time is its own.
class OpTimes {
 public:
  OpTimes() {
    profiler_.data = this;
    profiler_.telemetry_event = [](TelemetryProfiler*, const char*, uint64_t) {};
    profiler_.telemetry_op_event = [](TelemetryProfiler*, const char*, int64_t, int64_t, uint64_t) {
    };
    profiler_.settings = [](TelemetryProfiler*, const char*, const void*) {};
    profiler_.begin_op = [](TelemetryProfiler* p, const char* name, int64_t, int64_t) {
      return Of(p)->Begin(name);
    };
    profiler_.end_op = [](TelemetryProfiler* p, uint32_t) { Of(p)->End(); };
    profiler_.op = [](TelemetryProfiler* p, const char* name, uint64_t microseconds, int64_t,
                      int64_t) { Of(p)->Add(name, static_cast<double>(microseconds) / 1e3); };
  }
  TelemetryProfiler* profiler() { return &profiler_; }
  void Reset() { kinds_.clear(); }
  nlohmann::json PerRun(int runs) const {
    nlohmann::json rows = nlohmann::json::array();
    for (const auto& [name, kind] : kinds_) {
      rows.push_back({{"op", name}, {"nodes", kind.calls / runs}, {"ms", kind.ms / runs}});
    }
    return rows;
  }

 private:
  struct Kind {
    int calls = 0;
    double ms = 0;
  };
  struct Open {
    std::string name;
    Clock::time_point start;
    double inner_ms = 0;
  };

  static OpTimes* Of(TelemetryProfiler* profiler) { return static_cast<OpTimes*>(profiler->data); }
  uint32_t Begin(const char* name) {
    open_.push_back({name, Clock::now()});
    return static_cast<uint32_t>(open_.size());
  }
  void End() {
    const Open ended = open_.back();
    open_.pop_back();
    const double ms = MsSince(ended.start);
    Count(ended.name, ms - ended.inner_ms);
    if (!open_.empty()) open_.back().inner_ms += ms;
  }
  void Add(const char* name, double ms) {
    Count(name, ms);
    if (!open_.empty()) open_.back().inner_ms += ms;
  }
  void Count(const std::string& name, double ms) {
    ++kinds_[name].calls;
    kinds_[name].ms += ms;
  }

  TelemetryProfiler profiler_{};
  std::map<std::string, Kind> kinds_;
  std::vector<Open> open_;
};

// Floats in [-1, 1), small integers over their range, wide ones 0 or 1 (they are mostly indices).
void Fill(TfLiteType type, void* data, size_t bytes) {
  std::minstd_rand random(1);
  if (type == kTfLiteFloat32) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (size_t i = 0; i < bytes / sizeof(float); ++i)
      static_cast<float*>(data)[i] = uniform(random);
  } else if (type == kTfLiteInt32) {
    for (size_t i = 0; i < bytes / 4; ++i) static_cast<int32_t*>(data)[i] = random() % 2;
  } else if (type == kTfLiteInt64) {
    for (size_t i = 0; i < bytes / 8; ++i) static_cast<int64_t*>(data)[i] = random() % 2;
  } else if (type == kTfLiteBool) {
    for (size_t i = 0; i < bytes; ++i) static_cast<uint8_t*>(data)[i] = random() % 2;
  } else if (type == kTfLiteUInt8 || type == kTfLiteInt8 || type == kTfLiteInt16) {
    for (size_t i = 0; i < bytes; ++i) static_cast<uint8_t*>(data)[i] = random() >> 8;
  } else {
    throw std::runtime_error("an input of a type that is not filled here");
  }
}

void Check(bool fine, const char* what) {
  if (!fine) throw std::runtime_error(what);
}

struct Arguments {
  const char* library = nullptr;
  const char* model = nullptr;
  int threads = -1;  // the library's choice
  int runs = 1;
  bool per_op = false;
  bool xnnpack = false;  // through the library's own delegate, as its Python package does
};

Arguments Parse(int argc, char** argv) {
  Check(argc >= 3, "LIBRARY.so MODEL.tflite [--threads N] [--runs N] [--per-op] [--xnnpack]");
  Arguments arguments{argv[1], argv[2]};
  for (int i = 3; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--per-op") {
      arguments.per_op = true;
    } else if (flag == "--xnnpack") {
      arguments.xnnpack = true;
    } else if (flag == "--threads" && i + 1 < argc) {
      arguments.threads = std::atoi(argv[++i]);
    } else if (flag == "--runs" && i + 1 < argc) {
      arguments.runs = std::max(1, std::atoi(argv[++i]));
    } else {
      throw std::runtime_error(flag + ": not a flag, or without its number");
    }
  }
  return arguments;
}

nlohmann::json Run(const Arguments& arguments) {
  const Library library(arguments.library);
  const auto Invoke = FROM(library, TfLiteInterpreterInvoke);

  const Clock::time_point begin = Clock::now();
  const Owned<TfLiteModel> model(FROM(library, TfLiteModelCreateFromFile)(arguments.model),
                                 FROM(library, TfLiteModelDelete));
  Check(model != nullptr, "not a usable model");
  const Owned<TfLiteInterpreterOptions> options(FROM(library, TfLiteInterpreterOptionsCreate)(),
                                                FROM(library, TfLiteInterpreterOptionsDelete));
  FROM(library, TfLiteInterpreterOptionsSetNumThreads)(options.get(), arguments.threads);
  OpTimes times;
  if (arguments.per_op) {
    using SetProfiler = void(TfLiteInterpreterOptions*, TelemetryProfiler*);
    library.Find<SetProfiler>("TfLiteInterpreterOptionsSetTelemetryProfiler")(options.get(),
                                                                              times.profiler());
  }
  Owned<TfLiteDelegate> xnnpack(nullptr, nullptr);
  if (arguments.xnnpack) {
    const XnnpackOptions choice = {std::max(0, arguments.threads), kSignedInt8 | kUnsignedInt8, {}};
    xnnpack = {library.Find<TfLiteDelegate*(const XnnpackOptions*)>("TfLiteXNNPackDelegateCreate")(
                   &choice),
               library.Find<void(TfLiteDelegate*)>("TfLiteXNNPackDelegateDelete")};
    FROM(library, TfLiteInterpreterOptionsAddDelegate)(options.get(), xnnpack.get());
  }
  const Owned<TfLiteInterpreter> owner(
      FROM(library, TfLiteInterpreterCreate)(model.get(), options.get()),
      FROM(library, TfLiteInterpreterDelete));
  TfLiteInterpreter* interpreter = owner.get();
  Check(interpreter != nullptr, "no interpreter");
  Check(FROM(library, TfLiteInterpreterAllocateTensors)(interpreter) == kTfLiteOk,
        "tensors cannot be allocated");
  const double init_ms = MsSince(begin);
  const int inputs = FROM(library, TfLiteInterpreterGetInputTensorCount)(interpreter);
  for (int i = 0; i < inputs; ++i) {
    TfLiteTensor* input = FROM(library, TfLiteInterpreterGetInputTensor)(interpreter, i);
    Fill(FROM(library, TfLiteTensorType)(input), FROM(library, TfLiteTensorData)(input),
         FROM(library, TfLiteTensorByteSize)(input));
  }
  const Clock::time_point first = Clock::now();
  Check(Invoke(interpreter) == kTfLiteOk, "the run failed");
  const double first_ms = MsSince(first);
  times.Reset();
  std::vector<double> later_ms;
  for (int run = 1; run < arguments.runs; ++run) {
    const Clock::time_point start = Clock::now();
    Check(Invoke(interpreter) == kTfLiteOk, "the run failed");
    later_ms.push_back(MsSince(start));
  }
  if (later_ms.empty()) later_ms.push_back(first_ms);
  std::sort(later_ms.begin(), later_ms.end());
  nlohmann::json report = {{"init_ms", init_ms},
                           {"first_ms", first_ms},
                           {"median_ms", later_ms[(later_ms.size() - 1) / 2]},
                           {"peak_rss_bytes", PeakRssBytes()}};
  if (arguments.per_op) report["per_op"] = times.PerRun(std::max(1, arguments.runs - 1));
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::printf("%s\n", Run(Parse(argc, argv)).dump().c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "c_api_run: %s\n", e.what());
    return 1;
  }
  return 0;
}
