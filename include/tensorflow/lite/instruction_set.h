// SPDX-License-Identifier: Apache-2.0
// The instructions of the processor that the CPU engine uses. An extension of this library.
// C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_INSTRUCTION_SET_H_
#define TERN_TENSORFLOW_LITE_INSTRUCTION_SET_H_

#include "tensorflow/lite/core/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// The instructions that the optimized kernels of operators use here: "AVX-512 with VNNI",
// "AVX-512", "AVX2", "NEON" or "none". Lives for the whole program.
TFL_CAPI_EXPORT const char* TfLiteInstructionSet(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_INSTRUCTION_SET_H_
