// SPDX-License-Identifier: Apache-2.0
// Models that the GPU delegate plans for the smallest device and for a large one.
// Graphs whose nodes no CPU form has looked at, too. The delegate only plans, so all nodes run on
// the CPU.
#include "fuzz/fuzz_run.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const tern::fuzz::Input input = tern::fuzz::Split(data, size);
  switch (input.tail.route % 4) {
    case 3:
      tern::fuzz::RunUnchecked(input, "null:nvidia");
      break;
    case 2:
      tern::fuzz::RunFile(input, "null:nvidia");
      break;
    default:
      tern::fuzz::RunFile(input, "null:gles-min");
  }
  return 0;
}
