// SPDX-License-Identifier: Apache-2.0
// Loads a model that may be bad in any way and runs it as far as it goes. No route may crash.
#ifndef TERN_OPS_TESTING_ATTEMPT_H_
#define TERN_OPS_TESTING_ATTEMPT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

enum class Route {
  kFile,       // what an application does
  kFileFast,   // with the fast CPU forms
  kUnchecked,  // without the checks of the file, as if an application had added the nodes
  kGpu,        // kFile with the GPU delegate, on a device that plans only
  kGpuAlone,   // kUnchecked, the delegate sees nodes that no CPU form has looked at
};
inline constexpr Route kAllRoutes[] = {Route::kFile, Route::kFileFast, Route::kUnchecked,
                                       Route::kGpu, Route::kGpuAlone};
const char* NameOf(Route route);

struct Outcome {
  bool ran = false;      // to the end of Invoke; of GPU routes: on the CPU after the delegate
  bool planned = false;  // the GPU would have taken every node
  int blocks = 0;        // of memory that tensors have asked for
  std::string message;   // all of the runtime
  std::string report;    // of the delegate
  std::vector<std::vector<int32_t>> shapes;  // of the outputs
};

// Values of the inputs, by tensor; others hold 0.5, ones or BOOLs.
using ElementsOfInputs = std::map<int32_t, std::vector<uint8_t>>;

// Runs the first subgraph once. Blocks of memory for tensors above `quota` bytes are refused, and
// so is block number `refused`, counted from 0.
Outcome Attempt(const tflite::ModelT& model, Route route, const ElementsOfInputs& inputs = {},
                int refused = -1, size_t quota = size_t{8} << 20);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_ATTEMPT_H_
