// SPDX-License-Identifier: Apache-2.0
// Convolutions of MobileNet on OpenCL and on the CPU engine, in turns, beside the peak of the
// machine. Of each side a round counts the best run of some milliseconds; it prints the medians
// over the rounds, and the extremes.
//   shapes_bench [rounds]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "bench/cpu_layer.h"
#include "bench/fma_probe.h"
#include "gpu/backends/backend_list.h"
#include "gpu/compile.h"
#include "gpu/device/executor.h"
#include "gpu/plan/tuning_table.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::bench {
namespace {

constexpr double kMeasureMs = 40;        // of one side in one round
constexpr double kProbeMs = 20;          // before and after our side
constexpr double kPointwiseGoal = 0.60;  // of the probe, geometric mean
constexpr double kQuiet = 0.95;          // below, others disturb the rates
constexpr double kTolerance = 1e-4;

constexpr Layer kLayers[] = {
    {"3x3 s2    224x224   3-  32", false, 224, 3, 32, 3, 2},
    {"pointwise 112x112  32-  64", false, 112, 32, 64, 1, 1},
    {"pointwise  56x 56 128- 128", false, 56, 128, 128, 1, 1},
    {"pointwise  28x 28 256- 256", false, 28, 256, 256, 1, 1},
    {"pointwise  14x 14 512- 512", false, 14, 512, 512, 1, 1},
    {"pointwise   7x  7 1024-1024", false, 7, 1024, 1024, 1, 1},
    {"depthwise 112x112  32 s1", true, 112, 32, 32, 3, 1},
    {"depthwise 112x112  64 s2", true, 112, 64, 64, 3, 2},
    {"depthwise  56x 56 128 s1", true, 56, 128, 128, 3, 1},
    {"depthwise  28x 28 256 s1", true, 28, 256, 256, 3, 1},
    {"depthwise  14x 14 512 s1", true, 14, 512, 512, 3, 1},
};

std::vector<float> Numbers(size_t count, uint32_t seed, float scale) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = (static_cast<float>(seed >> 8) / (1 << 24) - 0.5f) * scale;
  }
  return values;
}

struct Data {
  explicit Data(const Layer& layer) {
    const size_t taps = size_t{1} * layer.filter * layer.filter * layer.in;
    input = Numbers(size_t{1} * layer.size * layer.size * layer.in, 1, 2.0f);
    weights = Numbers(layer.depthwise ? taps : taps * layer.out, 2, 0.2f);
    bias = Numbers(layer.out, 3, 1.0f);
  }
  std::vector<float> input, weights, bias;
};

// A layer as a graph of one node, and as many launches of it as asked for in one run.
class ClLayer {
 public:
  static absl::StatusOr<std::unique_ptr<ClLayer>> Create(const Layer& layer, const Data& data,
                                                         const gpu::OpenedDevice& device,
                                                         bool edges, int launches) {
    gpu::GraphBuilder builder;
    const int out = layer.out_size();
    const gpu::TensorId input = builder.Input({1, layer.size, layer.size, layer.in});
    const gpu::TensorId bias = builder.Constant({layer.out}, data.bias);
    gpu::TensorId output;
    if (layer.depthwise) {
      TfLiteDepthwiseConvParams params{};
      params.padding = kTfLitePaddingSame;
      params.stride_width = params.stride_height = layer.stride;
      params.dilation_width_factor = params.dilation_height_factor = 1;
      params.depth_multiplier = 1;
      const gpu::TensorId filter =
          builder.Constant({1, layer.filter, layer.filter, layer.in}, data.weights);
      output = builder.Op(kTfLiteBuiltinDepthwiseConv2d, "DEPTHWISE_CONV_2D", {input, filter, bias},
                          {1, out, out, layer.out}, params);
    } else {
      TfLiteConvParams params{};
      params.padding = kTfLitePaddingSame;
      params.stride_width = params.stride_height = layer.stride;
      params.dilation_width_factor = params.dilation_height_factor = 1;
      const gpu::TensorId filter =
          builder.Constant({layer.out, layer.filter, layer.filter, layer.in}, data.weights);
      output = builder.Op(kTfLiteBuiltinConv2d, "CONV_2D", {input, filter, bias},
                          {1, out, out, layer.out}, params);
    }
    builder.Output(output);
    TERN_ASSIGN_OR_RETURN(
        gpu::Compiled compiled,
        gpu::Compile(builder.graph(), device.device->info(), gpu::GpuLoweringTable(), {}));
    gpu::Plan& plan = compiled.plan;
    // Inside a network tensors lie in slices. Whole slices take as many bytes in either layout.
    const int slice_width = plan.tuning.slice_width;
    for (const gpu::TensorId id : {plan.inputs[0], plan.outputs[0]}) {
      gpu::TensorDesc& desc = plan.tensors[id].desc;
      if (!edges && desc.box.c % slice_width == 0) desc.layout = gpu::Layout::kSlices;
    }
    const std::vector<gpu::Dispatch> once = plan.dispatches;
    for (int i = 1; i < launches; ++i)
      plan.dispatches.insert(plan.dispatches.end(), once.begin(), once.end());
    std::unique_ptr<ClLayer> made(new ClLayer());
    TERN_ASSIGN_OR_RETURN(made->executor_, gpu::Executor::Create(plan, compiled.constants(),
                                                                 device.device, *device.programs));
    made->output_.resize(size_t{1} * out * out * layer.out);
    TERN_RETURN_IF_ERROR(made->executor_->io().Write(gpu::Input(0), data.input.data(),
                                                     int64_t{4} * data.input.size()));
    TERN_RETURN_IF_ERROR(made->executor_->Run());
    return made;
  }

  absl::Status Run() {
    TERN_RETURN_IF_ERROR(executor_->Run());
    return executor_->Wait();
  }

  absl::StatusOr<std::vector<float>> Output() {
    TERN_RETURN_IF_ERROR(
        executor_->io().Read(gpu::Output(0), output_.data(), int64_t{4} * output_.size()));
    return output_;
  }

 private:
  ClLayer() = default;
  std::unique_ptr<gpu::Executor> executor_;
  std::vector<float> output_;
};

// Of the CPU engine and of the probe: as many as OpenCL has, but no more than this process may run
// at once.
int Threads(const gpu::DeviceInfo& info) { return std::min(info.compute_units, UsableCpus()); }

struct Spread {
  explicit Spread(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    low = values.front();
    median = values[values.size() / 2];
    high = values.back();
  }
  double low, median, high;
};

// Layers per second in the fastest call within about kMeasureMs; one call of `run` makes `layers`
// of them.
template <typename Run>
double Rate(int layers, const Run& run) {
  using Clock = std::chrono::steady_clock;
  const auto now = [] {
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  };
  const double start = now();
  double before = start;
  double best = std::numeric_limits<double>::infinity();
  do {
    run();
    const double after = now();
    best = std::min(best, after - before);
    before = after;
  } while ((before - start) * 1e3 < kMeasureMs);
  return layers / best;
}

struct Measured {
  Spread cl_gflops, cpu_gflops, probe_gflops;
  Spread share;    // of the probe, within a round
  Spread ratio;    // time / time of the CPU engine, within a round
  Spread running;  // of the probe
};

absl::Status CheckSame(const Layer& layer, const Data& data, CpuLayer& cpu,
                       const gpu::OpenedDevice& device) {
  TERN_ASSIGN_OR_RETURN(std::unique_ptr<ClLayer> cl,
                        ClLayer::Create(layer, data, device, /*edges=*/true, 1));
  TERN_ASSIGN_OR_RETURN(const std::vector<float> ours, cl->Output());
  cpu.SetInput(data.input);
  cpu.Run(1);
  for (size_t i = 0; i < ours.size(); ++i) {
    const float want = cpu.output()[i];
    if (!(std::abs(ours[i] - want) <= kTolerance * std::max(1.0f, std::abs(want))))
      return Invalid(layer.name, ": results differ (", ours[i], ", ", want, ")");
  }
  return absl::OkStatus();
}

absl::StatusOr<Measured> Measure(const Layer& layer, const gpu::OpenedDevice& device, int rounds) {
  const Data data(layer);
  const int threads = Threads(device.device->info());
  std::unique_ptr<CpuLayer> cpu = CpuLayer::Create(layer, data.weights, data.bias, threads);
  if (cpu == nullptr) return Unavailable("the CPU engine has no optimized kernels here");
  TERN_RETURN_IF_ERROR(CheckSame(layer, data, *cpu, device));
  // One run waits once, however many launches it holds: about 1e9 operations.
  const int launches = std::clamp(static_cast<int>(1e9 / layer.flops()), 2, 40);
  TERN_ASSIGN_OR_RETURN(std::unique_ptr<ClLayer> cl,
                        ClLayer::Create(layer, data, device, /*edges=*/false, launches));
  std::vector<double> cl_rates, cpu_rates, peaks, running, shares, ratios;
  absl::Status status;
  for (int round = 0; round < rounds; ++round) {
    const FmaPeak before = MeasureFmaPeak(threads, kProbeMs);
    const double ours = Rate(launches, [&] { status.Update(cl->Run()); }) * layer.flops() * 1e-9;
    const FmaPeak after = MeasureFmaPeak(threads, kProbeMs);
    const double peak = std::max(before.gflops, after.gflops);
    const double theirs = Rate(launches, [&] { cpu->Run(launches); }) * layer.flops() * 1e-9;
    TERN_RETURN_IF_ERROR(status);
    cl_rates.push_back(ours);
    cpu_rates.push_back(theirs);
    peaks.push_back(peak);
    running.push_back((before.running + after.running) / 2);
    shares.push_back(ours / peak);
    ratios.push_back(theirs / ours);
  }
  return Measured{Spread(cl_rates), Spread(cpu_rates), Spread(peaks),
                  Spread(shares),   Spread(ratios),    Spread(running)};
}

void Print(const Layer& layer, const Measured& m) {
  std::printf(
      "%-30s %6.1f GF/s %6.1f GF/s %6.1f GF/s %5.0f %% (%3.0f to %3.0f) %6.2f (%.2f to %.2f)\n",
      layer.name, m.cl_gflops.median, m.cpu_gflops.median, m.probe_gflops.median,
      m.share.median * 100, m.share.low * 100, m.share.high * 100, m.ratio.median, m.ratio.low,
      m.ratio.high);
  std::fflush(stdout);
}

absl::Status RunAll(int rounds) {
  TERN_ASSIGN_OR_RETURN(const gpu::OpenedDevice device, gpu::OpenDevice("opencl"));
  const gpu::DeviceInfo& info = device.device->info();
  if (info.device_class != gpu::DeviceClass::kCpu)
    return Unavailable(info.name,
                       " is no CPU: neither the CPU engine nor the probe runs where it runs");
  const int width = gpu::TuningFor(info, 0).slice_width;
  std::printf("%s, %s, W=%d\n", info.name.c_str(), info.driver.c_str(), width);
  const int threads = Threads(info);
  std::printf("probe with %s: %.0f GFLOP/s on 1 thread, %.0f on %d; reading %.1f and %.1f GB/s\n",
              FmaInstructions(), MeasureFmaPeak(1, 200).gflops, MeasureFmaPeak(threads, 200).gflops,
              threads, ReadGigabytes(1, 200), ReadGigabytes(threads, 200));
  std::printf("%-30s %11s %11s %11s %21s %21s\n", "layer", "OpenCL", "CPU engine", "probe",
              "OpenCL / probe", "time / CPU engine");
  double log_share[2] = {}, log_ratio[2] = {}, largest = 0, running = 0;
  int count[2] = {};
  for (const Layer& layer : kLayers) {
    TERN_ASSIGN_OR_RETURN(const Measured m, Measure(layer, device, rounds));
    Print(layer, m);
    largest = std::max(largest, m.share.high);
    running += m.running.median / std::size(kLayers);
    if (layer.filter > 1 && !layer.depthwise) continue;
    const int kind = layer.depthwise ? 1 : 0;
    log_share[kind] += std::log(m.share.median);
    log_ratio[kind] += std::log(m.ratio.median);
    ++count[kind];
  }
  std::printf("mean time / CPU engine: pointwise %.2f, depthwise %.2f\n",
              std::exp(log_ratio[0] / count[0]), std::exp(log_ratio[1] / count[1]));
  const bool busy = running < kQuiet;
  std::printf("the probe had a processor %.0f %% of its time%s\n", running * 100,
              busy ? ": other programs take part of this machine" : "");
  const double share = std::exp(log_share[0] / count[0]);
  std::printf("mark: pointwise at W=%d, %.0f %% of the probe (goal %.0f %%): %s\n", width,
              share * 100, kPointwiseGoal * 100,
              share >= kPointwiseGoal ? "ok"
              : busy                  ? "MISSED, on a busy machine"
                                      : "MISSED");
  std::printf("mark: largest share of the probe in any round, %.0f %% (goal 100 %%): %s\n",
              largest * 100, largest <= 1 ? "ok" : "MISSED");
  return absl::OkStatus();
}

}  // namespace
}  // namespace tern::bench

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
  const absl::Status status = tern::bench::RunAll(rounds);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return 1;
}
