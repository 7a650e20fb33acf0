// SPDX-License-Identifier: Apache-2.0
// The profiler of a build: buffered where TFLITE_PROFILING_ENABLED is defined, else one that does
// nothing.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_PROFILER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_PROFILER_H_

#include "tensorflow/lite/profiling/buffered_profiler.h"
#include "tensorflow/lite/profiling/noop_profiler.h"

namespace tflite {
namespace profiling {

#ifdef TFLITE_PROFILING_ENABLED
using Profiler = BufferedProfiler;
#else
using Profiler = NoopProfiler;
#endif

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_PROFILER_H_
