// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/profile_summary_formatter.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_PROFILE_SUMMARY_FORMATTER_H_
#define TERN_TFLITE_PROFILING_PROFILE_SUMMARY_FORMATTER_H_

#include "tensorflow/lite/profiling/profile_summary_formatter.h"

#endif  // TERN_TFLITE_PROFILING_PROFILE_SUMMARY_FORMATTER_H_
