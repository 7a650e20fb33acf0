// SPDX-License-Identifier: Apache-2.0
// Private to src/cpu/simd.
#ifndef TERN_CPU_SIMD_VECTORS_ALLOWED_H_
#define TERN_CPU_SIMD_VECTORS_ALLOWED_H_

namespace tern {

// Applies the user's limit on instruction sets; false when it allows none. A table of functions is
// dispatched only after this: `return VectorsAllowed() ? HWY_DYNAMIC_DISPATCH(Table)() : nullptr`.
bool VectorsAllowed();

}  // namespace tern

#endif  // TERN_CPU_SIMD_VECTORS_ALLOWED_H_
