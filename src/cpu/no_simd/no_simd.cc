// SPDX-License-Identifier: Apache-2.0
// Stands in for src/cpu/simd in a build without the vector library: nothing is fast.
#include "cpu/block_kernel.h"
#include "cpu/float_depthwise.h"
#include "cpu/float_gemm.h"
#include "cpu/instruction_set.h"
#include "cpu/integer_kernels.h"

namespace tern {

const char* InstructionSet() { return "none"; }
bool HasOptimizedKernels() { return false; }
const FloatGemm* GetFloatGemm() { return nullptr; }
const FloatDepthwise* GetFloatDepthwise() { return nullptr; }
const IntegerKernels* GetIntegerKernels() { return nullptr; }
const BlockKernel* GetBlockKernel() { return nullptr; }

}  // namespace tern
