// SPDX-License-Identifier: Apache-2.0
// Lists and texts in FlexBuffer maps, and damaged ones.
#include "base/flex_map.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "flatbuffers/flexbuffers.h"

namespace tern {
namespace {

using Integers = std::vector<int64_t>;

std::vector<uint8_t> Lists() {
  flexbuffers::Builder b;
  b.Map([&] {
    b.TypedVector("typed", [&] {
      for (const int v : {1, -2, 300}) b.Int(v);
    });
    b.Vector("mixed", [&] {
      b.Int(-1);
      b.UInt(70000);
      b.IndirectInt(5);
    });
    b.Vector("fractions", [&] {
      b.Int(1);
      b.Float(0.5f);
    });
    const int three[] = {7, -8, 9};
    b.FixedTypedVector("fixed", three, 3);
    const unsigned two[] = {200, 4};
    b.FixedTypedVector("two", two, 2);
    b.Vector("empty", [] {});
    b.Int("number", 3);
    b.String("text", "words");
    b.Map("map", [&] { b.Int("inner", 5); });
  });
  b.Finish();
  return b.GetBuffer();
}

TEST(FlexMap, MapsAndKeys) {
  const std::vector<uint8_t> bytes = Lists();
  const FlexMap map = *FlexMap::Open(bytes.data(), bytes.size());
  EXPECT_EQ(map.Keys(), (std::vector<std::string_view>{"empty", "fixed", "fractions", "map",
                                                       "mixed", "number", "text", "two", "typed"}));
  const FlexMap inner = map.FindMap("map")->value();
  EXPECT_EQ(inner.Find("inner")->value().as_integer, 5);
  EXPECT_EQ(inner.Keys(), std::vector<std::string_view>{"inner"});
  EXPECT_FALSE(map.FindMap("absent")->has_value());
  EXPECT_FALSE(map.FindMap("number").ok());
}

TEST(FlexMap, ListsAndTexts) {
  const std::vector<uint8_t> bytes = Lists();
  const FlexMap map = *FlexMap::Open(bytes.data(), bytes.size());
  const auto list = [&](const char* key) { return map.FindIntegers(key)->value(); };
  EXPECT_EQ(list("typed"), (Integers{1, -2, 300}));
  EXPECT_EQ(list("mixed"), (Integers{-1, 70000, 5}));
  EXPECT_EQ(list("fixed"), (Integers{7, -8, 9}));
  EXPECT_EQ(list("two"), (Integers{200, 4}));
  EXPECT_EQ(list("empty"), Integers{});
  EXPECT_EQ(map.FindText("text")->value(), "words");
  EXPECT_FALSE(map.FindIntegers("absent")->has_value());
  EXPECT_FALSE(map.FindText("absent")->has_value());
  for (const char* key : {"fractions", "number", "text"}) {
    EXPECT_FALSE(map.FindIntegers(key).ok()) << key;
  }
  EXPECT_FALSE(map.FindText("number").ok());
}

TEST(FlexMap, AKeyWithoutAnEndIsNotReadPastTheBytes) {
  // The key, the vector of keys, the map and the root: no byte is zero.
  const std::vector<uint8_t> good = {'k', 1, 2, 1, 1, 1, 5, 4, 2, 36, 1};
  const auto bytes = std::make_unique<uint8_t[]>(good.size());
  std::memcpy(bytes.get(), good.data(), good.size());
  const auto map = FlexMap::Open(bytes.get(), good.size());
  if (map.ok()) {
    EXPECT_EQ(map->Keys().front().size(), good.size());
  }
}

// Where an allocation is as long as the bytes, AddressSanitizer sees what lies outside.
TEST(FlexMap, DamagedListsAreNeverReadOutside) {
  const std::vector<uint8_t> good = Lists();
  std::mt19937 random(3);
  int found = 0;
  for (int round = 0; round < 20000; ++round) {
    const size_t cut = round % 2 == 0 ? random() % good.size() : 0, size = good.size() - cut;
    const auto bytes = std::make_unique<uint8_t[]>(size);
    std::memcpy(bytes.get(), good.data() + cut, size);
    for (auto changes = random() % 4; changes > 0; --changes) {
      bytes[random() % size] = static_cast<uint8_t>(random());
    }
    const auto map = FlexMap::Open(bytes.get(), size);
    if (!map.ok()) continue;
    for (const char* key : {"typed", "mixed", "fixed"}) {
      const auto list = map->FindIntegers(key);
      found += list.ok() && list->has_value();
    }
    const auto text = map->FindText("text");
    found += text.ok() && text->has_value();
    const auto inner = map->FindMap("map");
    if (inner.ok() && inner->has_value()) found += !(*inner)->Keys().empty();
    found += !map->Keys().empty();
  }
  EXPECT_GT(found, 1000);
}

}  // namespace
}  // namespace tern
