// SPDX-License-Identifier: Apache-2.0
// Aligned memory: cache lines, no elements, and more than there is.
#include "cpu/aligned.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace tern {
namespace {

template <class T>
void ExpectAligned(size_t count) {
  AlignedArray<T> array = MakeAligned<T>(count);
  ASSERT_NE(array, nullptr) << count;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(array.get()) % 64, 0u) << count;
  std::memset(array.get(), 7, count * sizeof(T));
}

TEST(Aligned, BlocksBeginWithACacheLine) {
  for (size_t count : {0, 1, 3, 63, 64, 65, 1000003}) {
    ExpectAligned<uint8_t>(count);
    ExpectAligned<float>(count);
  }
}

TEST(Aligned, MoreThanThereIsGivesNull) {
  EXPECT_EQ(MakeAligned<float>(SIZE_MAX), nullptr);
  EXPECT_EQ(MakeAligned<float>(SIZE_MAX / sizeof(float)), nullptr);
  EXPECT_EQ(MakeAligned<uint8_t>(SIZE_MAX - 64), nullptr);
  EXPECT_EQ(MakeAligned<uint8_t>(SIZE_MAX / 2), nullptr);
}

TEST(Aligned, ScratchIsAligned) {
  for (size_t count : {size_t{1}, size_t{1} << 18, (size_t{1} << 18) + 1}) {
    Scratch<float> scratch(count);
    ASSERT_NE(scratch.data(), nullptr) << count;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(scratch.data()) % 64, 0u) << count;
    std::memset(scratch.data(), 7, count * sizeof(float));
  }
}

}  // namespace
}  // namespace tern
