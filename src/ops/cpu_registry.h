// SPDX-License-Identifier: Apache-2.0
// The registrations of all CPU ops, declared from op_table.inc.
#ifndef TERN_OPS_CPU_REGISTRY_H_
#define TERN_OPS_CPU_REGISTRY_H_

#include "ops/cpu_kit/op_kit.h"

namespace tern {

#define OP(builtin, Name, ...) TfLiteRegistration Name##Registration(OpForm form);
#define CUSTOM_OP(code, Name, ...) TfLiteRegistration Name##Registration(OpForm form);
#include "abi/op_table.inc"

}  // namespace tern

#endif  // TERN_OPS_CPU_REGISTRY_H_
