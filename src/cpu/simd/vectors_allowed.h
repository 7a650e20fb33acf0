// SPDX-License-Identifier: Apache-2.0
// Private to src/cpu/simd.
#ifndef TERN_CPU_SIMD_VECTORS_ALLOWED_H_
#define TERN_CPU_SIMD_VECTORS_ALLOWED_H_

namespace tern {

// Applies the user's limit on instruction sets; false when it allows none.
bool VectorsAllowed();

// What the exported `function` of the chosen instruction set returns for these arguments: a form or
// a table of forms. Null where no instruction set is allowed; asked before the vector library
// chooses, since a limit comes too late after that.
#define TERN_FAST_FORM(function, ...) \
  (::tern::VectorsAllowed() ? HWY_DYNAMIC_DISPATCH(function)(__VA_ARGS__) : nullptr)

}  // namespace tern

#endif  // TERN_CPU_SIMD_VECTORS_ALLOWED_H_
