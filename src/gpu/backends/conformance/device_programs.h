// SPDX-License-Identifier: Apache-2.0
// For tests: small programs in the language of a device, without kernel files.
#ifndef TERN_GPU_BACKENDS_CONFORMANCE_DEVICE_PROGRAMS_H_
#define TERN_GPU_BACKENDS_CONFORMANCE_DEVICE_PROGRAMS_H_

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/str_cat.h"
#include "gpu/device/device.h"

namespace tern::gpu::conformance {

inline ProgramSource Program(const Device& device, Signature signature, const std::string& body) {
  ProgramSource source;
  const Language& language = device.language();
  source.text = StrCat(language.Prelude(signature), language.Declarations(signature),
                       language.EntryPoint(signature), body, "}\n");
  source.signature = std::move(signature);
  return source;
}

// dst[i] = src[i] * factor + number, for i < count.
inline ProgramSource ScaleProgram(const Device& device, const Int3& group = {8, 1, 1}) {
  Signature signature;
  signature.group = group;
  const BufferParam src = {"src", Element::kFloat32, false};
  const BufferParam dst = {"dst", Element::kFloat32, true};
  signature.buffers = {src, dst};
  signature.uniforms = {
      {.name = "count"}, {.name = "factor", .is_float = true}, {.name = "number"}};
  const std::string value =
      StrCat(device.language().LoadReal(src, "i"), " * factor + to_real(number)");
  return Program(device, signature,
                 StrCat("  int i = GLOBAL_ID_X;\n  if (i < count) { ",
                        device.language().StoreReal(dst, "i", value), " }\n"));
}

// dst[(z * 100 + y) * 100 + x] = group of x * 1000 + place of y in its group; inside 100 x 100 x 4.
inline ProgramSource IdsProgram(const Device& device, const Int3& group = {1, 1, 1}) {
  Signature signature;
  signature.group = group;
  const BufferParam dst = {"dst", Element::kFloat32, true};
  signature.buffers = {dst};
  const std::string store =
      device.language().StoreReal(dst, "(GLOBAL_ID_Z * 100 + GLOBAL_ID_Y) * 100 + GLOBAL_ID_X",
                                  "to_real(GROUP_ID_X * 1000 + LOCAL_ID_Y)");
  return Program(
      device, signature,
      StrCat("  if (GLOBAL_ID_X < 100 && GLOBAL_ID_Y < 100 && GLOBAL_ID_Z < 4) { ", store, " }\n"));
}

inline std::vector<uint32_t> ScaleWords(int count, float factor, int number) {
  return {static_cast<uint32_t>(count), std::bit_cast<uint32_t>(factor),
          static_cast<uint32_t>(number)};
}

inline BufferRange NewRange(Device& device, int64_t bytes) {
  auto buffer = device.CreateBuffer(bytes);
  EXPECT_TRUE(buffer.ok()) << buffer.status();
  return {buffer.ok() ? *buffer : nullptr, 0, bytes};
}

inline std::vector<float> Floats(Device& device, const BufferRange& range) {
  std::vector<float> values(range.bytes / 4);
  const absl::Status status = device.Download(range, values.data(), range.bytes);
  EXPECT_TRUE(status.ok()) << status;
  return values;
}

inline void Fill(Device& device, const BufferRange& range, float value) {
  const std::vector<float> values(range.bytes / 4, value);
  const absl::Status status = device.Upload(range, values.data(), range.bytes);
  EXPECT_TRUE(status.ok()) << status;
}

// Whether the text of a status has this in it.
inline bool Contains(const absl::Status& status, const std::string& text) {
  return Message(status).find(text) != std::string_view::npos;
}

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_BACKENDS_CONFORMANCE_DEVICE_PROGRAMS_H_
