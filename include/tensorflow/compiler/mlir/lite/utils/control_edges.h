// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/graph_info.h (tools/make_forwards.py).
#ifndef TERN_TENSORFLOW_COMPILER_MLIR_LITE_UTILS_CONTROL_EDGES_H_
#define TERN_TENSORFLOW_COMPILER_MLIR_LITE_UTILS_CONTROL_EDGES_H_

#include "tensorflow/lite/graph_info.h"

#endif  // TERN_TENSORFLOW_COMPILER_MLIR_LITE_UTILS_CONTROL_EDGES_H_
