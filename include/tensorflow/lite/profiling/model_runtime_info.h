// SPDX-License-Identifier: Apache-2.0
// The graphs of an interpreter as they run, in a file that tools can read.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_MODEL_RUNTIME_INFO_H_
#define TERN_TENSORFLOW_LITE_PROFILING_MODEL_RUNTIME_INFO_H_

#include <string_view>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite {
namespace profiling {

// Writes a protocol buffer tflite.profiling.ModelRuntimeDetails: tensors, nodes, plans and what
// delegates replaced. kTfLiteError, with a message in the log, where the file cannot be written.
TfLiteStatus GenerateModelRuntimeInfo(const Interpreter& interpreter,
                                      std::string_view output_file_path);

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_MODEL_RUNTIME_INFO_H_
