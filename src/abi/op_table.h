// SPDX-License-Identifier: Apache-2.0
// The table of operators (op_table.inc) by code. Names are in builtin_names.h, sizes of parameters
// in util.h.
#ifndef TERN_ABI_OP_TABLE_H_
#define TERN_ABI_OP_TABLE_H_

namespace tern {

// The codes are 0..kBuiltinCodes - 1.
inline constexpr int kBuiltinCodes = 0
#define OP(...) +1
#define CODE(...) +1
#include "abi/op_table.inc"
    ;

struct NoParams {};  // of an operator without a parameter struct

// Whether the operator may do more than make its outputs, even where no operand is a resource.
bool BuiltinOpIsImpure(int builtin_code);

}  // namespace tern

#endif  // TERN_ABI_OP_TABLE_H_
