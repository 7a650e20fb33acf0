// SPDX-License-Identifier: Apache-2.0
// Runs a model that may be bad in any way, as an application does: load, delegate, resize,
// allocate, invoke, read. Nothing may crash on the way; memory and time may have limits, so that a
// large sound model is no finding.
#ifndef TERN_OPS_TESTING_ATTEMPT_H_
#define TERN_OPS_TESTING_ATTEMPT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

// How a model comes to the runtime, and who runs its nodes.
struct Route {
  const char* name;
  bool checked = true;  // a file; else nodes that an application adds, which no check has seen
  bool fast = false;    // the optimized CPU kernels
  const char* device = nullptr;  // that the GPU delegate plans for; null: the CPU alone
  bool half = false;

  bool on_gpu() const { return device != nullptr; }
  // The delegate sees nodes that no CPU form has prepared.
  bool alone() const { return on_gpu() && !checked; }

  static const Route kFile, kFileOptimized, kUnchecked, kGpu, kGpuAlone;
};
inline constexpr Route Route::kFile{"file"};
inline constexpr Route Route::kFileOptimized{"file, optimized kernels", true, true};
inline constexpr Route Route::kUnchecked{"unchecked", false};
inline constexpr Route Route::kGpu{"GPU", true, false, "null:gles-min", true};
inline constexpr Route Route::kGpuAlone{"GPU alone", false, false, "null:nvidia"};
inline constexpr Route kAllRoutes[] = {Route::kFile, Route::kFileOptimized, Route::kUnchecked,
                                       Route::kGpu, Route::kGpuAlone};

// Values of inputs, by tensor.
using ElementsOfInputs = std::map<int32_t, std::vector<uint8_t>>;

struct Usage {
  ElementsOfInputs inputs = {};
  // Inputs without given elements: floats of 0.5, ones, texts; or all zeros, without texts;
  // or random bytes.
  enum class Fill { kPlain, kZeros, kRandom } fill = Fill::kPlain;
  uint32_t seed = 0;

  // Blocks of memory for tensors above `quota` bytes are refused, and so is block number `refused`,
  // counted from 0.
  size_t quota = size_t{8} << 20;
  int refused = -1;
  // Of one Invoke, polled between nodes; 0: no limit.
  double seconds = 0;

  struct Resize {
    size_t input = 0;  // modulo their number
    std::vector<int> shape = {};
    bool strict = false;
  };
  std::optional<Resize> resize = {};
  bool resize_first = false;   // before the first allocation
  bool resize_again = false;   // after the first run, for another one
  bool delegate_late = false;  // after a run on the CPU, for another one
  bool signatures = false;     // all of them run, too
};

enum class Stage { kLoad, kAllocate, kInvoke, kEnd };

struct Outcome {
  Stage stage = Stage::kLoad;                // of the first run: what failed, or the end
  bool planned = false;                      // the GPU would have taken every node
  int blocks = 0;                            // of memory that tensors have asked for
  bool scarce = false;                       // one of them is there on some machines only
  std::string message;                       // all of the runtime
  std::string report;                        // of the delegate
  std::vector<std::vector<int32_t>> shapes;  // of the outputs

  // To the end of Invoke; of GPU routes: on the CPU after the delegate.
  bool ran() const { return stage == Stage::kEnd; }
};

// Runs the first subgraph.
Outcome Attempt(const tflite::ModelT& model, const Route& route, const Usage& usage = {});
Outcome AttemptFile(std::span<const uint8_t> file, const Route& route, const Usage& usage = {});

// Ends the process with a line: something holds that must never hold.
[[noreturn]] void Fail(const std::string& what);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_ATTEMPT_H_
