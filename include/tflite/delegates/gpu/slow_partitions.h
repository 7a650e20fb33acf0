// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/gpu/slow_partitions.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_GPU_SLOW_PARTITIONS_H_
#define TERN_TFLITE_DELEGATES_GPU_SLOW_PARTITIONS_H_

#include "tensorflow/lite/delegates/gpu/slow_partitions.h"

#endif  // TERN_TFLITE_DELEGATES_GPU_SLOW_PARTITIONS_H_
