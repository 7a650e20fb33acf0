// SPDX-License-Identifier: Apache-2.0
// Two operators of one model's weights: what is made of these is made once.
#ifndef TERN_OPS_TESTING_PACKED_ONCE_H_
#define TERN_OPS_TESTING_PACKED_ONCE_H_

#include <gtest/gtest.h>

#include <cstring>

#include "cpu/instruction_set.h"
#include "cpu/packed_cache.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {

// Runs both with the first one's operand `weights`; they have the same values already.
inline void ExpectPackedOnce(OpRunner& first, OpRunner& second, int weights) {
  if (!HasOptimizedKernels())
    GTEST_SKIP() << "no optimized kernels on this processor or in this build";
  const TfLitePtrUnion own = second.input(weights).data;
  second.input(weights).data = first.input(weights).data;
  const int64_t before = PackedCount();
  EXPECT_EQ(first.Run(), kTfLiteOk) << first.error();
  EXPECT_EQ(second.Run(), kTfLiteOk) << second.error();
  EXPECT_EQ(PackedCount(), before + 1);
  EXPECT_EQ(first.output().bytes, second.output().bytes);
  EXPECT_EQ(std::memcmp(first.output().data.raw, second.output().data.raw, first.output().bytes),
            0);
  second.input(weights).data = own;
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_PACKED_ONCE_H_
