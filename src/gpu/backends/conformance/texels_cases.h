// SPDX-License-Identifier: Apache-2.0
// For tests: what every device promises that has texel buffers.
#ifndef TERN_GPU_BACKENDS_CONFORMANCE_TEXELS_CASES_H_
#define TERN_GPU_BACKENDS_CONFORMANCE_TEXELS_CASES_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/conformance/dialect_cases.h"

namespace tern::gpu::conformance {

// dst[i] = src[i] * 0.5 + number in slices of which i < count, by `sources` sources that are the
// same.
inline ProgramSource TexelsProgram(const Device& device, Element element, int sources = 1) {
  const Language& language = device.language();
  Signature signature;
  signature.group = {8, 1, 1};
  std::string sum = "splat(to_real(number))";
  for (int i = 0; i < sources; ++i) {
    const BufferParam src = {StrCat("src", i), element, false, false, /*texels=*/true};
    signature.buffers.push_back(src);
    if (i == 0) sum = StrCat(language.LoadSlice(src, "i", 4), " * splat(0.5) + ", sum);
    if (i == 1) sum += StrCat(" - splat(", language.LoadReal(src, "4 * i + 3"), ")");
  }
  const BufferParam dst = {"dst", element, true};
  signature.buffers.push_back(dst);
  signature.uses_half = element == Element::kFloat16;
  signature.uniforms = {{.name = "count"}, {.name = "number"}};
  return Program(device, signature,
                 StrCat("  int i = GLOBAL_ID_X;\n  if (i < count) { ",
                        language.StoreSlice(dst, "i", sum, 4), " }\n"));
}

inline std::vector<float> Numbers(Device& device, const BufferRange& range, Element element) {
  if (element == Element::kFloat32) return Floats(device, range);
  std::vector<uint16_t> halves(range.bytes / 2);
  EXPECT_TRUE(device.Download(range, halves.data(), range.bytes).ok());
  std::vector<float> numbers(halves.size());
  HalfToFloat(halves, numbers);
  return numbers;
}

// A launch that reads so many slices of floats.
inline absl::StatusOr<std::unique_ptr<Commands>> RecordSlices(Device& device, int64_t slices) {
  TERN_ASSIGN_OR_RETURN(const auto pipeline,
                        device.Compile(TexelsProgram(device, Element::kFloat32)));
  const BufferRange src = NewRange(device, 16 * slices);
  const BufferRange dst = NewRange(device, 64);
  return device.Record({{"slices", pipeline, {src, dst}, {4, 1}, {4, 1, 1}, {8, 1, 1}}});
}

// A launch fetches what those before it stored, of the same commands and of others, from parts of
// one buffer.
inline void RunTexelOrder(Device& device) {
  for (const Element element : {Element::kFloat32, Element::kFloat16}) {
    SCOPED_TRACE(RowOf(element).name);
    auto pipeline = device.Compile(TexelsProgram(device, element));
    ASSERT_TRUE(pipeline.ok()) << pipeline.status();
    constexpr int kSlices = 1000;
    const int64_t alignment = device.info().buffer_alignment;
    const int64_t bytes = BytesOf(element, 4 * kSlices);
    const int64_t second = (bytes + alignment - 1) / alignment * alignment;
    const BufferRange all = NewRange(device, second + bytes);
    Fill(device, all, 0.0f);
    const BufferRange a = {all.buffer, 0, bytes}, b = {all.buffer, second, bytes};
    const auto step = [&](int i) {
      const bool back = i % 2 == 1;
      return Launch{
          "step",          *pipeline, {back ? b : a, back ? a : b}, {kSlices, uint32_t(i)},
          {kSlices, 1, 1}, {8, 1, 1}};
    };
    auto first = device.Record({step(0), step(1), step(2)}), last = device.Record({step(3)});
    ASSERT_TRUE(first.ok()) << first.status();
    ASSERT_TRUE(last.ok()) << last.status();
    float want = 0.0f;
    for (int round = 0; round < 3; ++round) {
      ASSERT_TRUE(device.Submit(**first).ok());
      ASSERT_TRUE(device.Submit(**last).ok());
      for (int i = 0; i < 4; ++i) want = want * 0.5f + static_cast<float>(i);
    }
    const std::vector<float> got = Numbers(device, a, element);
    for (const float number : got)
      ASSERT_NEAR(number, want, element == Element::kFloat16 ? 0.01f : 0);
    // An upload is seen by the next fetch, too.
    Fill(device, all, 0.0f);
    ASSERT_TRUE(device.Submit(**last).ok());
    EXPECT_EQ(Numbers(device, a, element), std::vector<float>(4 * kSlices, 3.0f));
  }
}

// One launch fetches what lies beside that which the other stores, in either order. The size of the
// part is such that texel buffers over it may be longer (device/texel_forms.h).
inline void RunTexelNeighbours(Device& device) {
  auto pipeline = device.Compile(TexelsProgram(device, Element::kFloat32));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  constexpr int kSlices = 4096;
  constexpr int64_t kBytes = 16 * kSlices;
  const BufferRange all = NewRange(device, 2 * kBytes), apart = NewRange(device, 2 * kBytes);
  const BufferRange part = {all.buffer, 0, kBytes}, beside = {all.buffer, kBytes, kBytes};
  const BufferRange to = {apart.buffer, 0, kBytes}, from = {apart.buffer, kBytes, kBytes};
  Fill(device, all, 2.0f);
  Fill(device, apart, 4.0f);
  const auto launch = [&](const BufferRange& src, const BufferRange& dst) {
    return Launch{"launch", *pipeline, {src, dst}, {kSlices, 1}, {kSlices, 1, 1}, {8, 1, 1}};
  };
  for (const bool store_first : {false, true}) {
    std::vector<Launch> launches = {launch(part, to), launch(from, beside)};
    if (store_first) std::swap(launches[0], launches[1]);
    auto commands = device.Record(launches);
    ASSERT_TRUE(commands.ok()) << commands.status();
    ASSERT_TRUE(device.Submit(**commands).ok());
    EXPECT_EQ(Floats(device, to), std::vector<float>(4 * kSlices, 2.0f));
    EXPECT_EQ(Floats(device, beside), std::vector<float>(4 * kSlices, 3.0f));
  }
}

// All texel buffers that the device has, and one more.
inline void RunTexelLimits(Device& device) {
  const int limit = device.info().max_texel_buffers;
  constexpr int kSlices = 4;
  const BufferRange src = NewRange(device, 16 * kSlices), dst = NewRange(device, 16 * kSlices);
  Fill(device, src, 3.0f);
  for (const int count : {limit, limit + 1}) {
    const ProgramSource source = TexelsProgram(device, Element::kFloat32, count);
    auto pipeline = device.Compile(source);
    if (count > limit && !pipeline.ok()) continue;
    ASSERT_TRUE(pipeline.ok()) << pipeline.status();
    Launch launch = {"many",       *pipeline,       std::vector<BufferRange>(count, src),
                     {kSlices, 1}, {kSlices, 1, 1}, {8, 1, 1}};
    launch.buffers.push_back(dst);
    auto commands = device.Record({launch});
    const int buffers = static_cast<int>(launch.buffers.size());
    if (count > limit || buffers > device.info().max_buffers) {
      EXPECT_TRUE(Contains(commands.status(), "many: too many")) << commands.status();
      continue;
    }
    ASSERT_TRUE(commands.ok()) << commands.status();
    ASSERT_TRUE(device.Submit(**commands).ok());
    EXPECT_EQ(Floats(device, dst), std::vector<float>(4 * kSlices, 3.0f * 0.5f + 1 - 3.0f));
  }
}

// Every word that reads, of a tensor that is read by texels.
inline void RunTexelCopies(Device& device) {
  for (const int channels : {1, 3, 4, 7, 8, 17}) {
    for (const Element element : {Element::kFloat32, Element::kFloat16, Element::kByte}) {
      SCOPED_TRACE(StrCat("channels ", channels, ", ", RowOf(element).name));
      const CopyForm form = {Layout::kSlices, Layout::kRows, element, false, /*texels=*/true};
      ASSERT_NO_FATAL_FAILURE(CheckCopy(device, 4, form, channels));
    }
  }
}

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_BACKENDS_CONFORMANCE_TEXELS_CASES_H_
