// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/gpu/node_lists.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_GPU_NODE_LISTS_H_
#define TERN_TFLITE_DELEGATES_GPU_NODE_LISTS_H_

#include "tensorflow/lite/delegates/gpu/node_lists.h"

#endif  // TERN_TFLITE_DELEGATES_GPU_NODE_LISTS_H_
