// SPDX-License-Identifier: Apache-2.0
// Whether a block of memory is worth asking for. Systems promise more memory than they have, and
// end the process that then uses it.
#ifndef TERN_RUNTIME_FREE_MEMORY_H_
#define TERN_RUNTIME_FREE_MEMORY_H_

#include <cstddef>

namespace tern {

// False where the system says that it has less than `bytes` left. Smaller blocks than a GiB, and
// systems that say nothing, are always worth it.
bool MemoryMayHold(size_t bytes);

}  // namespace tern

#endif  // TERN_RUNTIME_FREE_MEMORY_H_
