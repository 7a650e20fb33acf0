// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/graph_info.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_GRAPH_INFO_H_
#define TERN_TFLITE_GRAPH_INFO_H_

#include "tensorflow/lite/graph_info.h"

#endif  // TERN_TFLITE_GRAPH_INFO_H_
