// SPDX-License-Identifier: Apache-2.0
// Measures the processor time of the checks of model files.
//   verifier_bench [--all] FILE_OR_FOLDER...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>
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
constexpr int kSamples = 3;
constexpr int kPasses = 4;  // over all files, so that a busy moment spoils no file
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

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Cost {
  std::string file;
  double mib = 0;
  double structure_ms = kInfinity;  // VerifyContainer
  double ms = kInfinity;            // VerifyModelFile, both parts
  // FlatBufferModel from the file and its end; the pages come in again.
  double load_ms = kInfinity;
  double PerMiB() const { return ms / mib; }
};

// The time of one call in the best sample; whatever else the machine does only adds to it.
template <typename Call>
double Best(const Call& call) {
  double best = kInfinity;
  for (int sample = 0; sample < kSamples; ++sample) {
    int calls = 0;
    double passed = 0;
    const double start = CpuMs();
    do {
      for (int i = 0; i < kBlock; ++i) (void)call();
      calls += kBlock;
      passed = CpuMs() - start;
    } while (passed < kSampleMs);
    best = std::min(best, passed / calls);
  }
  return best;
}

// Keeps the better of `cost` and what is measured now.
Status Measure(Cost* cost) {
  TERN_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(cost->file));
  TERN_RETURN_IF_ERROR(VerifyModelFile(file.bytes()));
  cost->mib = static_cast<double>(file.size()) / kMiB;
  const auto keep = [](double& kept, double now) { kept = std::min(kept, now); };
  keep(cost->structure_ms, Best([&] { return VerifyContainer(file.bytes()); }));
  keep(cost->ms, Best([&] { return VerifyModelFile(file.bytes()); }));
  keep(cost->load_ms,
       Best([&] { return tflite::FlatBufferModel::BuildFromFile(cost->file.c_str()); }));
  return OkStatus();
}

void Print(const Cost& cost) {
  std::printf("%-48.48s %9.1f %13.2f %10.2f %10.2f %10.3f\n",
              fs::path(cost.file).stem().string().c_str(), cost.mib * 1024, cost.structure_ms * 1e3,
              cost.ms * 1e3, cost.load_ms * 1e3, cost.PerMiB());
}

int Run(const std::vector<std::string>& roots, size_t rows) {
  std::vector<Cost> costs;
  Status status;
  for (const std::string& file : ModelFiles(roots)) {
    Cost cost;
    cost.file = file;
    const Status measured = Measure(&cost);
    if (measured.ok()) {
      costs.push_back(std::move(cost));
    } else {
      status.Update(measured);
      std::printf("%s: %s\n", file.c_str(), std::string(Message(measured)).c_str());
    }
  }
  for (int pass = 1; pass < kPasses; ++pass) {
    for (Cost& cost : costs) status.Update(Measure(&cost));
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
  return status.ok() ? 0 : 1;
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
