// SPDX-License-Identifier: Apache-2.0
// Which of the processor's instructions the optimized kernels of operators use.
#ifndef TERN_CPU_INSTRUCTION_SET_H_
#define TERN_CPU_INSTRUCTION_SET_H_

namespace tern {

// "AVX-512 with VNNI", "AVX-512", "AVX2" or "NEON"; "none" where operators run their reference
// kernels, because the processor has less or this build has no optimized kernels. The environment
// variable TERN_CPU_TARGET (none, avx2, avx512), read once, takes instructions away for tests.
const char* InstructionSet();

// False exactly where InstructionSet() is "none".
bool HasOptimizedKernels();

}  // namespace tern

#endif  // TERN_CPU_INSTRUCTION_SET_H_
