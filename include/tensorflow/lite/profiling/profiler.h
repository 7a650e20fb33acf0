// SPDX-License-Identifier: Apache-2.0
// The profiler of a build: buffered where TFLITE_PROFILING_ENABLED is defined, else one that does
// nothing.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_PROFILER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_PROFILER_H_

#include "tensorflow/lite/core/api/profiler.h"
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

// Older names of TFLITE_SCOPED_TAGGED_OPERATOR_PROFILE: one event for the rest of the scope.
#ifndef SCOPED_TAGGED_OPERATOR_PROFILE
#define SCOPED_TAGGED_OPERATOR_PROFILE(profiler, tag, node_index) \
  TFLITE_SCOPED_TAGGED_OPERATOR_PROFILE((profiler), (tag), (node_index))
#define SCOPED_OPERATOR_PROFILE(profiler, node_index) \
  SCOPED_TAGGED_OPERATOR_PROFILE((profiler), "OpInvoke", (node_index))
#endif

#endif  // TERN_TENSORFLOW_LITE_PROFILING_PROFILER_H_
