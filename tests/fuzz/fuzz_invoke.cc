// SPDX-License-Identifier: Apache-2.0
// Models that are allocated, resized and run on the CPU.
// As files, and as graphs that an application adds node by node, which no check of a file has seen.
#include "fuzz/fuzz_run.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const tern::fuzz::Input input = tern::fuzz::Split(data, size);
  if (input.tail.route % 4 == 3) {
    tern::fuzz::RunUnchecked(input, nullptr);
  } else {
    tern::fuzz::RunFile(input, nullptr);
  }
  return 0;
}
