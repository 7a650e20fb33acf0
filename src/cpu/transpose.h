// SPDX-License-Identifier: Apache-2.0
// Rows become columns.
#ifndef TERN_CPU_TRANSPOSE_H_
#define TERN_CPU_TRANSPOSE_H_

#include <cstdint>

namespace tern {

// Numbers of 32 bits: to[i * to_step + j] = from[j * from_step + i] for i below rows and j below
// columns, both multiples of 4.
using TransposeForm = void (*)(const uint32_t* from, int64_t from_step, uint32_t* to,
                               int64_t to_step, int64_t rows, int64_t columns);

// Null where this processor or build has no such form.
TransposeForm FastTranspose();

}  // namespace tern

#endif  // TERN_CPU_TRANSPOSE_H_
