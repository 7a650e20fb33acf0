// SPDX-License-Identifier: Apache-2.0
// Stands in for src/cpu/simd in a build without the vector library: nothing is fast.
#include "cpu/instruction_set.h"

namespace tern {

const char* InstructionSet() { return "none"; }
bool HasFastForms() { return false; }

}  // namespace tern
