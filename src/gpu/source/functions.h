// SPDX-License-Identifier: Apache-2.0
// Words of the dialect that no language has in a form exact enough: functions in the dialect
// itself, printed once for all languages and only where they are used.
#ifndef TERN_GPU_SOURCE_FUNCTIONS_H_
#define TERN_GPU_SOURCE_FUNCTIONS_H_

#include <string>

#include "gpu/desc/words.h"
#include "gpu/source/language.h"

namespace tern::gpu {

// The functions behind those of `used`, in the dialect: reals without suffixes.
std::string FunctionsFor(const Words& used, const Language& language);

}  // namespace tern::gpu

#endif  // TERN_GPU_SOURCE_FUNCTIONS_H_
