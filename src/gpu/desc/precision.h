// SPDX-License-Identifier: Apache-2.0
// How numbers are kept in device memory. Arithmetic and accumulation are float in both modes, so a
// device needs no half arithmetic for kF16.
#ifndef TERN_GPU_DESC_PRECISION_H_
#define TERN_GPU_DESC_PRECISION_H_

namespace tern::gpu {

enum class Precision {
  kF32,  // float storage
  kF16,  // half storage of intermediates and constants
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_PRECISION_H_
