// SPDX-License-Identifier: Apache-2.0
#include "gpu/desc/driver_limits.h"

#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

TEST(DriverLimits, OnlyLlvmpipeEndsLoops) {
  EXPECT_EQ(MaxLoopIterations("llvmpipe (LLVM 15.0.6, 256 bits)"), 65535);
  EXPECT_EQ(MaxLoopIterations("Adreno (TM) 640"), std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace tern::gpu
