// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/subgraph.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_SUBGRAPH_H_
#define TERN_TFLITE_CORE_SUBGRAPH_H_

#include "tensorflow/lite/core/subgraph.h"

#endif  // TERN_TFLITE_CORE_SUBGRAPH_H_
