// SPDX-License-Identifier: Apache-2.0
// The 64-bit fingerprint of bytes that FarmHash defines (Geoff Pike, 2014); it is part of what
// LSH_PROJECTION computes, so it is the same on every machine.
#ifndef TERN_OPS_LSH_PROJECTION_FINGERPRINT_H_
#define TERN_OPS_LSH_PROJECTION_FINGERPRINT_H_

#include <cstdint>
#include <span>

namespace tern {

uint64_t Fingerprint(std::span<const uint8_t> bytes);

}  // namespace tern

#endif  // TERN_OPS_LSH_PROJECTION_FINGERPRINT_H_
