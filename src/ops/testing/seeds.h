// SPDX-License-Identifier: Apache-2.0
// Which random graphs a run makes, and where those that fail are kept.
#ifndef TERN_OPS_TESTING_SEEDS_H_
#define TERN_OPS_TESTING_SEEDS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "ops/testing/check_model.h"
#include "ops/testing/cpu_seconds.h"

namespace tern::testing {

inline constexpr uint64_t kGraphsBetweenReports = 100;

inline uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Calls `check` with the asked seeds, or with so many from 1 on.
template <class Check>
inline void ForEachSeed(uint64_t seeds, const Check& check) {
  const uint64_t first = FromEnvironment("TERN_RANDOM_SEED", 1);
  const uint64_t count = FromEnvironment("TERN_RANDOM_GRAPHS", seeds);
  ASSERT_GT(count, 0u) << "TERN_RANDOM_GRAPHS must be a number above 0";
  const bool asked = std::getenv("TERN_RANDOM_GRAPHS") != nullptr;
  const double start = CpuSeconds();
  for (uint64_t done = 0; done < count;) {
    check(first + done++);
    if (!asked || done % kGraphsBetweenReports != 0) continue;
    std::printf("%llu of %llu graphs, %.0f s\n", static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(count), CpuSeconds() - start);
    std::fflush(stdout);
  }
  std::printf("random graphs: seeds %llu to %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + count - 1));
}

// Writes NAME.tflite into the current folder. Returns the file's name.
inline std::string WriteCase(const std::string& name, const ModelCase& c) {
  const std::string file = name + ".tflite";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(c.bytes.data()),
             static_cast<std::streamsize>(c.bytes.size()));
  return file;
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_SEEDS_H_
