// SPDX-License-Identifier: Apache-2.0
// Parts that the targets that run models share: the way from the bytes to a run, and the mutators.
#ifndef TERN_TESTS_FUZZ_FUZZ_RUN_H_
#define TERN_TESTS_FUZZ_FUZZ_RUN_H_

#include "fuzz/input.h"
#include "ops/testing/attempt.h"

namespace tern::fuzz {

// Loads the file with all checks and plays with it (fuzz/play.h).
void RunFile(const Input& input, const char* device);

// Adds the first subgraph of a sound flatbuffer to an interpreter without looking at it.
void RunUnchecked(const Input& input, testing::Route route);

}  // namespace tern::fuzz

#endif  // TERN_TESTS_FUZZ_FUZZ_RUN_H_
