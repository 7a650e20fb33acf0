// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/stat.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_STAT_H_
#define TERN_TFLITE_PROFILING_STAT_H_

#include "tensorflow/lite/profiling/stat.h"

#endif  // TERN_TFLITE_PROFILING_STAT_H_
