// SPDX-License-Identifier: Apache-2.0
// Tests that the tables of types agree.
#include "gpu/desc/element_type.h"

#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

TEST(ElementType, EveryTypeOfTheSetIsThatOfOneRow) {
  unsigned all = 0;
  for (const TypeRow& row : kTypeRows) {
    EXPECT_EQ(all & row.set, 0U);
    all |= row.set;
    EXPECT_EQ(FindType(row.type), &row);
  }
  EXPECT_EQ(all, kAllTypes | kIndices);
  EXPECT_EQ(FindType(kTfLiteString), nullptr);
  EXPECT_EQ(TypeSetOf(kTfLiteString), 0U);
  EXPECT_EQ(TypeSetOf(kTfLiteInt8), 0U);
}

TEST(ElementType, WhatIsCarriedAsItIsLiesInAsManyBytes) {
  for (const TypeRow& row : kTypeRows) {
    const int bits = BitsOf(row.element);
    switch (row.io_conversion) {
      case IoConversion::kAsIs:
      case IoConversion::kBools:
        EXPECT_EQ(NumberOf(row.element), row.number);
        EXPECT_EQ(row.io_conversion == IoConversion::kAsIs, bits == 8 * row.bytes);
        break;
      case IoConversion::kInt64Halves:
        EXPECT_EQ(2 * bits, 8 * row.bytes);
        break;
      case IoConversion::kPacked:
        EXPECT_EQ(bits % (8 * row.bytes), 0);
        EXPECT_EQ(row.set, 0U);
        break;
    }
  }
}

TEST(ElementType, PackedElementsStandForReals) {
  for (const Element e : {Element::kByte, Element::kNibble}) {
    EXPECT_TRUE(IsPacked(e));
    EXPECT_EQ(NumberOf(e), Number::kReal);
  }
  for (const Element e : {Element::kFloat32, Element::kFloat16, Element::kInt32})
    EXPECT_FALSE(IsPacked(e));
  EXPECT_EQ(BytesOf(Element::kNibble, 8), 4);
}

}  // namespace
}  // namespace tern::gpu
