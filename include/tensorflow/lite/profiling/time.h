// SPDX-License-Identifier: Apache-2.0
// The clock of the profilers.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_TIME_H_
#define TERN_TENSORFLOW_LITE_PROFILING_TIME_H_

#include <cstdint>

namespace tflite {
namespace profiling {
namespace time {

// Microseconds since a fixed moment; never goes back.
uint64_t NowMicros();
void SleepForMicros(uint64_t micros);

}  // namespace time
}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_TIME_H_
