// SPDX-License-Identifier: Apache-2.0
// The one table of integer kernels.
#include "cpu/integer_kernels.h"

#include "cpu/simd/integer_tables.h"
#include "cpu/simd/vectors_allowed.h"

namespace tern {

const IntegerKernels* GetIntegerKernels() {
  static IntegerKernels kernels{};
  static const bool filled = VectorsAllowed() && FillIntegerGemm(kernels) &&
                             FillIntegerRows(kernels) && FillIntegerDots(kernels);
  return filled ? &kernels : nullptr;
}

}  // namespace tern
