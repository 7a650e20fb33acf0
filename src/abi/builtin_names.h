// SPDX-License-Identifier: Apache-2.0
// Names of the built-in operations without the generated schema header.
#ifndef TERN_ABI_BUILTIN_NAMES_H_
#define TERN_ABI_BUILTIN_NAMES_H_

namespace tern {

// "CONV_2D" and so on, as in the schema; nullptr outside of 0..209. Static storage.
const char* BuiltinOpName(int builtin_code);

}  // namespace tern

#endif  // TERN_ABI_BUILTIN_NAMES_H_
