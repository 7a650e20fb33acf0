// SPDX-License-Identifier: Apache-2.0
// What the checks of model files cost, in processor time.
//   verifier_bench [--all] FILE_OR_FOLDER...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "base/status.h"
#include "model/verify_model.h"
#include "tensorflow/lite/core/model_builder.h"

namespace tern::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kGoal = 1.0;      // ms per MiB
constexpr double kSampleMs = 0.5;  // a sample holds as many calls as fit
constexpr int kSamples = 9;
constexpr int kBlock = 32;  // calls between two looks at the clock
constexpr size_t kRows = 12;
constexpr double kMiB = 1 << 20;

// Other programs on the machine do not count.
double CpuMs() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<std::string> ModelFiles(const std::vector<std::string>& roots) {
  std::vector<std::string> files;
  for (const std::string& root : roots) {
    if (!fs::is_directory(root)) {
      files.push_back(root);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() == ".tflite") files.push_back(entry.path().string());
    }
  }
  return files;
}

struct Cost {
  std::string file;
  double mib = 0;
  double structure_ms = 0;  // VerifyContainer
  double ms = 0;            // VerifyModelFile, both parts
  double load_ms = 0;       // FlatBufferModel from the file and its end; the pages come in anew
  double PerMiB() const { return ms / mib; }
};

// Median over the samples of the time of one call.
template <typename Call>
double Median(const Call& call) {
  double samples[kSamples];
  for (double& sample : samples) {
    int calls = 0;
    double passed = 0;
    const double start = CpuMs();
    do {
      for (int i = 0; i < kBlock; ++i) (void)call();
      calls += kBlock;
      passed = CpuMs() - start;
    } while (passed < kSampleMs);
    sample = passed / calls;
  }
  std::nth_element(samples, samples + kSamples / 2, samples + kSamples);
  return samples[kSamples / 2];
}

StatusOr<Cost> Measure(const std::string& path) {
  TERN_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path));
  TERN_RETURN_IF_ERROR(VerifyModelFile(file.bytes()));
  Cost cost;
  cost.file = path;
  cost.mib = static_cast<double>(file.size()) / kMiB;
  cost.structure_ms = Median([&] { return VerifyContainer(file.bytes()); });
  cost.ms = Median([&] { return VerifyModelFile(file.bytes()); });
  cost.load_ms = Median([&] { return tflite::FlatBufferModel::BuildFromFile(path.c_str()); });
  return cost;
}

void Print(const Cost& cost) {
  std::printf("%-48.48s %9.1f %13.2f %10.2f %10.2f %10.3f\n",
              fs::path(cost.file).stem().string().c_str(), cost.mib * 1024, cost.structure_ms * 1e3,
              cost.ms * 1e3, cost.load_ms * 1e3, cost.PerMiB());
}

int Run(const std::vector<std::string>& roots, size_t rows) {
  std::vector<Cost> costs;
  bool fine = true;
  for (const std::string& file : ModelFiles(roots)) {
    StatusOr<Cost> cost = Measure(file);
    if (cost.ok()) {
      costs.push_back(*std::move(cost));
    } else {
      std::printf("%s: %s\n", file.c_str(), std::string(Message(cost.status())).c_str());
      fine = false;
    }
  }
  if (costs.empty()) return 1;
  std::sort(costs.begin(), costs.end(),
            [](const Cost& a, const Cost& b) { return a.PerMiB() > b.PerMiB(); });
  std::printf("%-48s %9s %13s %10s %10s %10s\n", "the dearest files", "KiB", "structure us",
              "verify us", "load us", "ms per MiB");
  for (size_t i = 0; i < std::min(rows, costs.size()); ++i) Print(costs[i]);
  const auto over = std::count_if(costs.begin(), costs.end(),
                                  [](const Cost& cost) { return cost.PerMiB() > kGoal; });
  std::printf(
      "mark: verifier, worst of %zu files %.2f ms per MiB, %td above %.0f (goal %.0f): %s\n",
      costs.size(), costs[0].PerMiB(), over, kGoal, kGoal, over == 0 ? "ok" : "MISSED");
  return fine ? 0 : 1;
}

}  // namespace
}  // namespace tern::bench

int main(int argc, char** argv) {
  std::vector<std::string> roots(argv + 1, argv + argc);
  size_t rows = tern::bench::kRows;
  if (!roots.empty() && roots[0] == "--all") {
    roots.erase(roots.begin());
    rows = SIZE_MAX;
  }
  if (!roots.empty()) return tern::bench::Run(roots, rows);
  std::fprintf(stderr, "usage: verifier_bench [--all] FILE_OR_FOLDER...\n");
  return 2;
}
