// SPDX-License-Identifier: Apache-2.0
// Time limits of tests count what a process computes: a machine with other work to do changes
// nothing.
#ifndef TERN_OPS_TESTING_CPU_SECONDS_H_
#define TERN_OPS_TESTING_CPU_SECONDS_H_

#include <sys/resource.h>

namespace tern::testing {

// Processor time in seconds since the start of this process, of all its threads and of the
// compilers that it has run to their end.
inline double CpuSeconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval& t : {used.ru_utime, used.ru_stime}) {
      seconds += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    }
  }
  return seconds;
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_CPU_SECONDS_H_
