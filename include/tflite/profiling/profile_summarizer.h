// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/profile_summarizer.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_PROFILE_SUMMARIZER_H_
#define TERN_TFLITE_PROFILING_PROFILE_SUMMARIZER_H_

#include "tensorflow/lite/profiling/profile_summarizer.h"

#endif  // TERN_TFLITE_PROFILING_PROFILE_SUMMARIZER_H_
