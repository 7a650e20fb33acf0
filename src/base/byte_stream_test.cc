// SPDX-License-Identifier: Apache-2.0
// Values through bytes and back, and bytes that nobody wrote.
#include "base/byte_stream.h"

#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace tern {
namespace {

enum class Colour { kRed, kGreen, kBlue };

std::vector<uint8_t> Some() {
  ByteWriter to;
  to.Value(int32_t{-7});
  to.Value(true);
  to.Value(Colour::kBlue);
  to.Value(0.5f);
  to.Text("text");
  to.Text("");
  to.List(std::vector<uint64_t>{1, 1u << 20, std::numeric_limits<uint64_t>::max()},
          [&](uint64_t v) { to.Value(v); });
  return to.Take();
}

TEST(ByteStream, WhatIsWrittenIsRead) {
  const std::vector<uint8_t> bytes = Some();
  ByteReader from(bytes);
  EXPECT_EQ(from.Value<int32_t>(), -7);
  EXPECT_TRUE(from.Bool());
  EXPECT_EQ(from.Enumerator(Colour::kBlue), Colour::kBlue);
  EXPECT_EQ(from.Value<float>(), 0.5f);
  EXPECT_EQ(from.Text(), "text");
  EXPECT_EQ(from.Text(), "");
  EXPECT_FALSE(from.Done());
  EXPECT_EQ(from.List<uint64_t>([&] { return from.Value<uint64_t>(); }),
            (std::vector<uint64_t>{1, 1u << 20, std::numeric_limits<uint64_t>::max()}));
  EXPECT_TRUE(from.Done());
  EXPECT_EQ(from.Value<int32_t>(), 0);  // there is no more
  EXPECT_FALSE(from.ok());
}

TEST(ByteStream, WhatIsNoValueFails) {
  const std::vector<uint8_t> two = {2}, three = {3, 0, 0, 0}, minus = {255, 255, 255, 255};
  ByteReader boolean(two);
  EXPECT_FALSE(boolean.Bool());
  EXPECT_FALSE(boolean.ok());
  for (const auto& bytes : {three, minus}) {
    ByteReader colour(bytes);
    EXPECT_EQ(colour.Enumerator(Colour::kBlue), Colour::kRed);
    EXPECT_FALSE(colour.ok());
  }
}

// Lengths that are not there take no memory.
TEST(ByteStream, HugeLengthsFail) {
  ByteWriter to;
  to.Value(std::numeric_limits<uint64_t>::max());
  const std::vector<uint8_t> bytes = to.Take();
  ByteReader text(bytes), list(bytes);
  EXPECT_EQ(text.Text(), "");
  EXPECT_FALSE(text.ok());
  EXPECT_TRUE(list.List<uint64_t>([&] { return list.Value<uint64_t>(); }).empty());
  EXPECT_FALSE(list.ok());
}

TEST(ByteStream, AnyEndIsNoticed) {
  const std::vector<uint8_t> bytes = Some();
  for (size_t end = 0; end < bytes.size(); ++end) {
    ByteReader from{std::span(bytes).first(end)};
    from.Value<int32_t>();
    from.Bool();
    from.Enumerator(Colour::kBlue);
    from.Value<float>();
    from.Text();
    from.Text();
    from.List<uint64_t>([&] { return from.Value<uint64_t>(); });
    EXPECT_FALSE(from.ok()) << end;
  }
}

}  // namespace
}  // namespace tern
