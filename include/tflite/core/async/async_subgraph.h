// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/async_subgraph.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_ASYNC_ASYNC_SUBGRAPH_H_
#define TERN_TFLITE_CORE_ASYNC_ASYNC_SUBGRAPH_H_

#include "tensorflow/lite/core/async/async_subgraph.h"

#endif  // TERN_TFLITE_CORE_ASYNC_ASYNC_SUBGRAPH_H_
