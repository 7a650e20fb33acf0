// SPDX-License-Identifier: Apache-2.0
// Texel buffers: what every device with them promises, drivers without them or with few, and
// failures.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "gpu/backends/conformance/texels_cases.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_device.h"
#include "gpu/backends/gles/testing/fixtures.h"

namespace tern::gpu {
namespace {

using conformance::RecordSlices;

GlFunctions real;

class GlesTexels : public testing::DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    if (IsSkipped()) return;
    real = gl_;
    device_ = *OpenGlesDevice(gl_, {});
    if (device_->info().max_texel_buffers == 0) GTEST_SKIP() << "the driver has no texture buffers";
  }

  // A device over functions of which some are others.
  static std::shared_ptr<Device> Changed(const std::function<void(GlFunctions&)>& change) {
    GlFunctions functions = real;
    change(functions);
    return *OpenGlesDevice(functions, {});
  }

  std::shared_ptr<Device> device_;
};

TEST_F(GlesTexels, Order) { conformance::RunTexelOrder(*device_); }
TEST_F(GlesTexels, Neighbours) { conformance::RunTexelNeighbours(*device_); }
TEST_F(GlesTexels, Limits) { conformance::RunTexelLimits(*device_); }
TEST_F(GlesTexels, Copies) { conformance::RunTexelCopies(*device_); }

TEST_F(GlesTexels, ViewsEndWithTheirCommands) {
  auto commands = RecordSlices(*device_, 8);
  ASSERT_TRUE(commands.ok()) << commands.status();
  const int with = GlHandle::live();
  commands->reset();
  EXPECT_LT(GlHandle::live(), with);
}

const GLubyte* GL_APIENTRY NoExtensions(GLenum what) {
  return what == GL_EXTENSIONS ? reinterpret_cast<const GLubyte*>("GL_EXT_texture_buffers")
                               : real.GetString(what);
}

TEST_F(GlesTexels, DriversWithout) {
  for (const auto& device : {Changed([](GlFunctions& gl) { gl.GetString = &NoExtensions; }),
                             Changed([](GlFunctions& gl) { gl.TexBufferRange = nullptr; })}) {
    EXPECT_EQ(device->info().max_texel_buffers, 0);
    conformance::RunOrder(*device);
  }
}

void GL_APIENTRY Few(GLenum what, GLint64* value) {
  real.GetInteger64v(what, value);
  if (what == GL_MAX_TEXTURE_BUFFER_SIZE_EXT) *value = 1;  // less than any driver may say
  if (what == GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS) *value = 1;
  if (what == GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT_EXT) *value = 192;
}

TEST_F(GlesTexels, FewAndFarApart) {
  const auto device = Changed([](GlFunctions& gl) { gl.GetInteger64v = &Few; });
  EXPECT_EQ(device->info().max_texels, 1 << 16);
  EXPECT_EQ(device->info().max_texel_buffers, 16);
  EXPECT_GE(device->info().buffer_alignment, 256);
  EXPECT_EQ(RecordSlices(*device, 1 << 16).status(), absl::OkStatus());
  EXPECT_EQ(RecordSlices(*device, (1 << 16) + 1).status().message(),
            "slices: too many texels (65537, limit 65536)");
}

void GL_APIENTRY NoTextures(GLsizei, GLuint* names) { *names = 0; }
void GL_APIENTRY WrongFormat(GLenum target, GLenum, GLuint buffer, GLintptr offset,
                             GLsizeiptr bytes) {
  real.TexBufferRange(target, GL_RGB565, buffer, offset, bytes);
}

TEST_F(GlesTexels, Faults) {
  const int before = GlHandle::live();
  EXPECT_EQ(RecordSlices(*Changed([](GlFunctions& gl) { gl.GenTextures = &NoTextures; }), 8)
                .status()
                .message(),
            "slices: glGenTextures: no texture");
  const auto wrong = Changed([](GlFunctions& gl) { gl.TexBufferRange = &WrongFormat; });
  EXPECT_EQ(RecordSlices(*wrong, 8).status().message(),
            "slices: glTexBufferRange of 128 bytes: GL_INVALID_ENUM");
  EXPECT_EQ(GlHandle::live(), before);
}

}  // namespace
}  // namespace tern::gpu
