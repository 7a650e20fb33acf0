// SPDX-License-Identifier: Apache-2.0
// Regions made simple, and copies of them.
#include "ops/cpu_kit/region.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace tern {
namespace {

TEST(Region, SimplifyJoinsDenseAxes) {
  Region r;
  r.sizes = {2, 1, 3, 4};
  r.source_strides = {12, 12, 4, 1};
  r.destination_strides = {24, 12, 4, 1};
  const Region s = Simplify(r);
  EXPECT_EQ(s.sizes, (std::vector<int64_t>{2, 12}));
  EXPECT_EQ(s.source_strides, (std::vector<int64_t>{12, 1}));
  EXPECT_EQ(s.destination_strides, (std::vector<int64_t>{24, 1}));
}

TEST(Region, CopiesWithStrides) {
  Region transpose;
  transpose.sizes = {3, 2};
  transpose.source_strides = {1, 3};
  transpose.destination_strides = {2, 1};
  const std::vector<int16_t> in = {1, 2, 3, 4, 5, 6};
  std::vector<int16_t> out(6);
  CopyRegion(transpose, in.data(), out.data(), 2, nullptr);
  EXPECT_EQ(out, (std::vector<int16_t>{1, 4, 2, 5, 3, 6}));
}

}  // namespace
}  // namespace tern
