// SPDX-License-Identifier: Apache-2.0
// Tests of the base layer.

#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "base/shared_library.h"
#include "base/status.h"
#include "base/tensor/half.h"
#include "base/tensor/shape_math.h"
#include "gtest/gtest.h"

namespace tern {
namespace {

StatusOr<int> Halve(int value) {
  if (value % 2 != 0) return Invalid("odd value (", value, ")");
  return value / 2;
}

StatusOr<int> HalveTwice(int value) {
  TERN_ASSIGN_OR_RETURN(int once, Halve(value));
  TERN_ASSIGN_OR_RETURN(const int twice, Halve(once));
  return twice;
}

Status CheckHalves(int value) {
  TERN_RETURN_IF_ERROR(HalveTwice(value).status());
  return OkStatus();
}

TEST(StatusTest, MacrosPassErrorsOn) {
  EXPECT_EQ(*HalveTwice(12), 3);
  EXPECT_EQ(Message(HalveTwice(6).status()), "odd value (3)");
  EXPECT_TRUE(CheckHalves(8).ok());
  EXPECT_FALSE(CheckHalves(2).ok());
}

TEST(StrCatTest, JoinsAllKindsOfParts) {
  EXPECT_EQ(StrCat("a", std::string("b"), std::string_view("c"), 1, -2ll, true, 0.5f, 'x'),
            "abc1-2true0.5x");
}

TEST(StatusTest, TextsNameOpAndIndex) {
  EXPECT_EQ(Message(OpError("CONV_2D", 3, "stride must be positive (", 0, ")")),
            "CONV_2D #3: stride must be positive (0)");
  EXPECT_EQ(Message(WithOp(Invalid("bad"), "ADD", 1)), "ADD #1: bad");
  EXPECT_TRUE(WithOp(OkStatus(), "ADD", 1).ok());
}

TEST(ShapeTest, ElementsAndStrides) {
  EXPECT_EQ(*CheckedElements({}), 1);
  EXPECT_EQ(*CheckedElements({3, INT32_MAX / 3, 1}), INT32_MAX / 3 * 3);
  EXPECT_EQ(*CheckedElements({INT32_MAX}), INT32_MAX);
  EXPECT_FALSE(CheckedElements({65536, 32768}).ok());
  EXPECT_FALSE(CheckedElements({0, int64_t{INT32_MAX} + 1}).ok());
  EXPECT_FALSE(CheckedElements({0, -1}).ok());
  // Beside a size of 0 the product of the others does not matter.
  for (const Shape& shape : {Shape{0, 65536, 65536},
                             {65536, 65536, 0},
                             {INT32_MAX, INT32_MAX, 0, INT32_MAX, INT32_MAX, INT32_MAX}}) {
    EXPECT_EQ(CheckedElements(shape).value_or(-1), 0);
    for (const int64_t stride : DenseStrides(shape)) EXPECT_LE(stride, kMaxElements);
  }
  EXPECT_EQ(DenseStrides({2, 3, 4}), (Shape{12, 4, 1}));
}

// The value of a half by definition, in double precision.
double HalfValue(uint16_t half) {
  const double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = (half >> 10) & 31;
  const int mantissa = half & 1023;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

TEST(HalfTest, EveryHalfBecomesItsValueAndComesBack) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = HalfToFloat(half);
    if ((half & 0x7C00) == 0x7C00) {
      EXPECT_EQ(std::isnan(value), (half & 0x3FF) != 0);
      const uint16_t quiet = (half & 0x3FF) != 0 ? half | 0x200 : half;
      EXPECT_EQ(FloatToHalf(value), quiet);
      continue;
    }
    ASSERT_EQ(static_cast<double>(value), HalfValue(half)) << bits;
    ASSERT_EQ(FloatToHalf(value), half) << bits;
  }
}

TEST(HalfTest, RoundsToNearestEven) {
  for (uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const auto low = static_cast<uint16_t>(bits);
    const auto high = static_cast<uint16_t>(bits + 1);
    const auto middle = static_cast<float>((HalfValue(low) + HalfValue(high)) / 2);
    const uint16_t even = (low & 1) == 0 ? low : high;
    ASSERT_EQ(FloatToHalf(middle), even) << bits;
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, 0.0f)), low) << bits;
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, 1e9f)), high) << bits;
    ASSERT_EQ(FloatToHalf(-middle), even | 0x8000) << bits;
  }
  EXPECT_EQ(FloatToHalf(65519.996f), 0x7BFF);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7C00);
  EXPECT_EQ(FloatToHalf(-std::numeric_limits<float>::infinity()), 0xFC00);
  EXPECT_EQ(FloatToHalf(-0.0f), 0x8000);
}

TEST(HalfTest, BulkFormsEqualScalarForms) {
  std::mt19937 random(7);
  std::vector<float> floats(100003);
  for (float& f : floats) f = std::bit_cast<float>(static_cast<uint32_t>(random()));
  for (size_t i = 0; i < floats.size(); i += 2) floats[i] = HalfToFloat(random() & 0xFFFF) * 1.01f;
  std::vector<uint16_t> halves(floats.size());
  FloatToHalf(floats, halves);
  std::vector<float> back(floats.size());
  HalfToFloat(halves, back);
  for (size_t i = 0; i < floats.size(); ++i) {
    ASSERT_EQ(halves[i], FloatToHalf(floats[i])) << std::bit_cast<uint32_t>(floats[i]);
    ASSERT_EQ(std::bit_cast<uint32_t>(back[i]), std::bit_cast<uint32_t>(HalfToFloat(halves[i])));
  }
}

TEST(HalfTest, Bfloat16RoundsToEven) {
  EXPECT_EQ(FloatToBfloat16(1.0f), 0x3F80);
  EXPECT_EQ(FloatToBfloat16(std::bit_cast<float>(0x3F808000u)), 0x3F80);
  EXPECT_EQ(FloatToBfloat16(std::bit_cast<float>(0x3F818000u)), 0x3F82);
  EXPECT_EQ(Bfloat16ToFloat(0xC000), -2.0f);
  EXPECT_TRUE(std::isnan(Bfloat16ToFloat(FloatToBfloat16(std::nanf("")))));
}

TEST(HashTest, StableAndSensitive) {
  EXPECT_EQ(HashText("kernel"), HashText("kernel"));
  EXPECT_NE(HashText("kernel"), HashText("kernem"));
  EXPECT_NE(HashText(""), HashText(std::string_view("\0", 1)));
  EXPECT_NE(HashText("a", 1), HashText("a", 2));
  EXPECT_EQ(HashText("tern"), HashText(std::string("tern")));
}

class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "/tern_mapped_XXXXXX";
    fd_ = mkstemp(path_.data());
    ASSERT_GE(fd_, 0);
    content_.resize(static_cast<size_t>(sysconf(_SC_PAGESIZE)) * 2);
    for (size_t i = 0; i < content_.size(); ++i)
      content_[i] = static_cast<uint8_t>(i * 31 + i / 256);
    ASSERT_EQ(write(fd_, content_.data(), content_.size()), static_cast<ssize_t>(content_.size()));
  }
  void TearDown() override {
    close(fd_);
    unlink(path_.c_str());
  }

  std::string path_;
  int fd_ = -1;
  std::vector<uint8_t> content_;
};

TEST_F(MappedFileTest, MapsWholeFileWithReadableSlack) {
  StatusOr<MappedFile> file = MappedFile::Open(path_);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->size(), content_.size());
  EXPECT_EQ(std::memcmp(file->data(), content_.data(), content_.size()), 0);
  for (size_t i = 0; i < MappedFile::kSlack; ++i) EXPECT_EQ(file->data()[file->size() + i], 0);
  MappedFile moved = std::move(*file);
  EXPECT_EQ(moved.data()[5], content_[5]);
  EXPECT_EQ(file->data(), nullptr);
}

TEST_F(MappedFileTest, MapsUnalignedPart) {
  StatusOr<MappedFile> file = MappedFile::FromDescriptor(fd_, 4099, 33);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->size(), 33u);
  EXPECT_EQ(std::memcmp(file->data(), content_.data() + 4099, 33), 0);
  EXPECT_LE(file->mapping_offset(), 4099u);
}

TEST_F(MappedFileTest, ReleasedPagesKeepWhatTheyHold) {
  StatusOr<MappedFile> shared = MappedFile::Open(path_);
  StatusOr<MappedFile> written = MappedFile::Open(path_, MappedFile::Access::kPrivate);
  ASSERT_TRUE(shared.ok() && written.ok());
  const_cast<uint8_t*>(written->data())[4] ^= 1;
  shared->ReleasePages();
  written->ReleasePages();
  MappedFile().ReleasePages();
  EXPECT_EQ(std::memcmp(shared->data(), content_.data(), content_.size()), 0);
  EXPECT_EQ(written->data()[4], content_[4] ^ 1);
}

TEST_F(MappedFileTest, RefusesBadRanges) {
  EXPECT_FALSE(MappedFile::FromDescriptor(fd_, content_.size() + 1, 0).ok());
  EXPECT_FALSE(MappedFile::FromDescriptor(fd_, 1, content_.size()).ok());
  EXPECT_FALSE(MappedFile::FromDescriptor(fd_, content_.size()).ok());
  EXPECT_FALSE(MappedFile::FromDescriptor(fd_, SIZE_MAX - 1, 8).ok());
  EXPECT_FALSE(MappedFile::FromDescriptor(-1).ok());
  EXPECT_FALSE(MappedFile::Open(path_ + ".missing").ok());
  EXPECT_FALSE(MappedFile::Open(testing::TempDir()).ok());
}

TEST(HashTest, EveryBitCountsIn128) {
  for (const size_t size : {1u, 7u, 8u, 31u, 32u, 33u, 200u}) {
    std::vector<uint8_t> bytes(size, 0x5A);
    const Hash128 before = HashBulk128(bytes.data(), size);
    for (size_t bit = 0; bit < size * 8; ++bit) {
      bytes[bit / 8] ^= 1u << (bit % 8);
      const Hash128 after = HashBulk128(bytes.data(), size);
      EXPECT_NE(after.words[0], before.words[0]);
      EXPECT_NE(after.words[1], before.words[1]);
      bytes[bit / 8] ^= 1u << (bit % 8);
    }
    EXPECT_EQ(HashBulk128(bytes.data(), size), before);
    bytes.push_back(0);
    EXPECT_NE(HashBulk128(bytes.data(), size + 1), before);
  }
}

TEST(SharedLibraryTest, MissingLibraryIsAnError) {
  StatusOr<SharedLibrary> library = SharedLibrary::Open("libtern_does_not_exist.so.9");
  ASSERT_FALSE(library.ok());
  EXPECT_NE(Message(library.status()).find("libtern_does_not_exist"), std::string::npos);
}

TEST(SharedLibraryTest, FindsSymbols) {
  StatusOr<SharedLibrary> library = SharedLibrary::Open("libm.so.6");
  if (!library.ok()) GTEST_SKIP() << library.status();
  double (*cosine)(double) = nullptr;
  EXPECT_TRUE(library->Load("cos", &cosine));
  EXPECT_EQ(cosine(0.0), 1.0);
  EXPECT_FALSE(library->Load("no_such_function", &cosine));
  EXPECT_EQ(cosine, nullptr);
}

TEST(ClockTest, NeverGoesBackwards) {
  const int64_t before = NowNanos();
  Stopwatch watch;
  EXPECT_GE(watch.nanos(), 0);
  EXPECT_GE(NowNanos(), before);
}

}  // namespace
}  // namespace tern
