// SPDX-License-Identifier: Apache-2.0
// Private to src/cpu/simd.
#ifndef TERN_CPU_SIMD_VECTORS_ALLOWED_H_
#define TERN_CPU_SIMD_VECTORS_ALLOWED_H_

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

namespace tern {

// Applies the user's limit on instruction sets; false when it allows none.
bool VectorsAllowed();

// The instruction sets that the processor has and the user allows, in the mask of the vector
// library's tables. Found once: the library asks the processor at each call, which takes a
// microsecond in a virtual machine.
int64_t AllowedForms();

// The place in the vector library's tables of functions of the best instruction set that the
// processor has among those of `compiled`, the mask of a file's own. The library's function for
// that is inline and has the mask in it: where nothing is inlined, as in debug builds, all files
// call the one of some file, and those compiled for fewer instruction sets find null.
inline size_t ChosenForm(int64_t compiled) {
  return static_cast<size_t>(__builtin_ctzll(static_cast<uint64_t>(AllowedForms() & compiled)));
}

// The exported `function` of the chosen instruction set.
#if HWY_IDE || ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0)
#define TERN_DISPATCH(function) HWY_DYNAMIC_DISPATCH(function)
#else
#define TERN_DISPATCH(function) \
  (*HWY_DISPATCH_TABLE(function)[::tern::ChosenForm(HWY_CHOSEN_TARGET_MASK_TARGETS)])
#endif

// Calls the dispatched `function`, which returns a form or a table of forms. Null where no
// instruction set is allowed; asked before the vector library chooses, since a limit comes too late
// after that.
#define TERN_OPTIMIZED_KERNEL(function, ...) \
  (::tern::VectorsAllowed() ? TERN_DISPATCH(function)(__VA_ARGS__) : nullptr)

}  // namespace tern

#endif  // TERN_CPU_SIMD_VECTORS_ALLOWED_H_
