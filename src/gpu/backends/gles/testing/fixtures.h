// SPDX-License-Identifier: Apache-2.0
// For tests that need a driver of OpenGL ES. Without one they are skipped.
#ifndef TERN_GPU_BACKENDS_GLES_TESTING_FIXTURES_H_
#define TERN_GPU_BACKENDS_GLES_TESTING_FIXTURES_H_

#include <gtest/gtest.h>

#include <memory>

#include "gpu/backends/gles/gl_device.h"
#include "gpu/backends/gles/testing/app_context.h"

namespace tern::gpu::testing {

// Has the driver's functions; devices over them can be opened. None is open yet.
class DriverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto functions = LoadGlFunctions(EglLibraryNames(), GlesLibraryNames());
    if (!functions.ok()) GTEST_SKIP() << functions.status();
    gl_ = *functions;
    const auto device = OpenGlesDevice(gl_);
    if (!device.ok()) GTEST_SKIP() << "OpenGL ES device: " << device.status();
  }

  GlFunctions gl_;
};

// Is an application with a context of its own, current on the thread of the test.
class AppTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto functions = LoadGlFunctions(EglLibraryNames(), GlesLibraryNames());
    if (!functions.ok()) GTEST_SKIP() << functions.status();
    gl_ = *functions;
    app_ = AppContext::Create(gl_);
    if (app_ == nullptr) GTEST_SKIP() << "no OpenGL ES context without a window here";
  }

  GlFunctions gl_;
  std::unique_ptr<AppContext> app_;
};

}  // namespace tern::gpu::testing

#endif  // TERN_GPU_BACKENDS_GLES_TESTING_FIXTURES_H_
