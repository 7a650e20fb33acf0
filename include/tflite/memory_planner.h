// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/memory_planner.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_MEMORY_PLANNER_H_
#define TERN_TFLITE_MEMORY_PLANNER_H_

#include "tensorflow/lite/memory_planner.h"

#endif  // TERN_TFLITE_MEMORY_PLANNER_H_
