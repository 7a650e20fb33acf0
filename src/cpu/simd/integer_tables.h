// SPDX-License-Identifier: Apache-2.0
// Private to src/cpu/simd: who fills which part of IntegerKernels, for the instruction set that
// runs. Each returns false where there are no vectors.
#ifndef TERN_CPU_SIMD_INTEGER_TABLES_H_
#define TERN_CPU_SIMD_INTEGER_TABLES_H_

#include "cpu/integer_kernels.h"

namespace tern {

bool FillIntegerGemm(IntegerKernels& kernels);
bool FillIntegerRows(IntegerKernels& kernels);
bool FillIntegerDots(IntegerKernels& kernels);

}  // namespace tern

#endif  // TERN_CPU_SIMD_INTEGER_TABLES_H_
