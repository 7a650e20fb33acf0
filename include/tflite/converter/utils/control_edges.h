// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/graph_info.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONVERTER_UTILS_CONTROL_EDGES_H_
#define TERN_TFLITE_CONVERTER_UTILS_CONTROL_EDGES_H_

#include "tensorflow/lite/graph_info.h"

#endif  // TERN_TFLITE_CONVERTER_UTILS_CONTROL_EDGES_H_
