// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/partition_times.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_PARTITION_TIMES_H_
#define TERN_TFLITE_DELEGATES_PARTITION_TIMES_H_

#include "tensorflow/lite/delegates/partition_times.h"

#endif  // TERN_TFLITE_DELEGATES_PARTITION_TIMES_H_
