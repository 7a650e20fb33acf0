// SPDX-License-Identifier: Apache-2.0
// The CPU engine's instruction set, for users.
#include "tensorflow/lite/instruction_set.h"

#include "cpu/instruction_set.h"

const char* TfLiteInstructionSet(void) { return tern::InstructionSet(); }
