// SPDX-License-Identifier: Apache-2.0
// The outputs of a model as the content of files.
#ifndef TERN_TOOLS_BENCHMARK_MODEL_OUTPUTS_H_
#define TERN_TOOLS_BENCHMARK_MODEL_OUTPUTS_H_

#include <string>
#include <vector>

#include "tensorflow/lite/c/common.h"

namespace tern::tools {

// The elements of all of them, one tensor after the other.
std::string OutputBytes(const std::vector<const TfLiteTensor*>& outputs);
// A message tensorflow.Example: a list of floats or integers by tensor name. Types that it has no
// list for are left out.
std::string OutputExample(const std::vector<const TfLiteTensor*>& outputs);

}  // namespace tern::tools

#endif  // TERN_TOOLS_BENCHMARK_MODEL_OUTPUTS_H_
