// SPDX-License-Identifier: Apache-2.0
// Parts that the targets that run models share: the way from the bytes to a run, and the mutators.
#ifndef TERN_TESTS_FUZZ_FUZZ_RUN_H_
#define TERN_TESTS_FUZZ_FUZZ_RUN_H_

#include "fuzz/input.h"

namespace tern::fuzz {

// As a file on the CPU, or with the GPU delegate for an invented device; the tail says how.
void RunFile(const Input& input, const char* device);

// As nodes that no check has seen.
void RunUnchecked(const Input& input, const char* device);

}  // namespace tern::fuzz

#endif  // TERN_TESTS_FUZZ_FUZZ_RUN_H_
