// SPDX-License-Identifier: Apache-2.0
// An application's GL and EGL state is the same before and after every call of the device, those
// that fail included, and so are the errors that the application has not asked for yet.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/gles/gl_device.h"
#include "gpu/backends/gles/testing/fixtures.h"
#include "gpu/backends/gles/testing/gl_state.h"
#include "gpu/backends/gles/testing/unusual_state.h"

namespace tern::gpu {
namespace {

using testing::AppContext;
using testing::AppFunctions;
using testing::Differences;
using testing::GlState;

constexpr int kCount = 300;
constexpr EGLint kNoSuchAttribute = 0x7777;

class GlesState : public testing::AppTest {
 protected:
  void SetUp() override {
    AppTest::SetUp();
    if (IsSkipped()) return;
    display_ = gl_.egl.GetCurrentDisplay();
  }
  void TearDown() override {
    app_.reset();
    if (surface_ != EGL_NO_SURFACE) AppFunctions(gl_).eglDestroySurface(display_, surface_);
    if (gl_.egl.BindAPI != nullptr) gl_.egl.BindAPI(EGL_OPENGL_ES_API);
  }

  // Draws into a surface of its own, if the driver has such.
  void MakeSurface() {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES3_BIT_KHR, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!gl_.egl.ChooseConfig(display_, wanted, &config, 1, &count) || count < 1) return;
    surface_ = AppFunctions(gl_).eglCreatePbufferSurface(display_, config, size);
    gl_.egl.MakeCurrent(display_, surface_, surface_, app_->context());
  }

  // A program of the application with the value 4.5 in its uniform.
  GLuint MakeProgram() {
    const char* text =
        "#version 310 es\n"
        "layout(local_size_x = 1) in;\n"
        "layout(std430, binding = 0) buffer Memory { float data[]; };\n"
        "uniform float value;\n"
        "void main() { data[0] = value; }\n";
    const GLuint shader = gl_.CreateShader(GL_COMPUTE_SHADER);
    gl_.ShaderSource(shader, 1, &text, nullptr);
    gl_.CompileShader(shader);
    const GLuint program = gl_.CreateProgram();
    gl_.AttachShader(program, shader);
    gl_.LinkProgram(program);
    gl_.UseProgram(program);
    gl_.Uniform1f(gl_.GetUniformLocation(program, "value"), 4.5f);
    return program;
  }
  float ValueOf(GLuint program) {
    const auto get =
        reinterpret_cast<decltype(&glGetUniformfv)>(gl_.egl.GetProcAddress("glGetUniformfv"));
    float value = 0;
    get(program, gl_.GetUniformLocation(program, "value"), &value);
    return value;
  }

  // Does something for the device and looks at the application's side of it. A context of another
  // share group is never asked anything, so that even EGL's last error stays.
  template <typename Operation>
  void Same(const std::string& what, Operation operation, bool egl_error_stays = true) {
    SCOPED_TRACE(what);
    const GlState before = testing::StateReader(gl_).Read();
    ASSERT_EQ(gl_.GetError(), static_cast<GLenum>(GL_NO_ERROR));
    const bool odd = ++operations_ % 2 == 1;
    if (odd) gl_.BindBuffer(GL_TEXTURE_2D, 0);
    if (!odd) gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1 << 20, 0);
    EGLint nothing = 0;
    gl_.egl.QueryContext(display_, app_->context(), kNoSuchAttribute, &nothing);
    operation();
    const EGLint egl_error = gl_.egl.GetError();
    if (egl_error_stays) {
      EXPECT_EQ(egl_error, EGL_BAD_ATTRIBUTE);
    }
    EXPECT_EQ(Differences(before, testing::StateReader(gl_).Read()), "");
    EXPECT_EQ(gl_.GetError(), static_cast<GLenum>(odd ? GL_INVALID_ENUM : GL_INVALID_VALUE));
    EXPECT_EQ(gl_.GetError(), static_cast<GLenum>(GL_NO_ERROR));
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLSurface surface_ = EGL_NO_SURFACE;
  int operations_ = 0;
};

// The tests below say something only if the reader sees what changes.
TEST_F(GlesState, TheReaderSeesEveryChange) {
  const GlState before = testing::StateReader(gl_).Read();
  MakeSurface();
  testing::MakeUnusual(gl_, MakeProgram());
  const GlState after = testing::StateReader(gl_).Read();
  EXPECT_EQ(gl_.GetError(), static_cast<GLenum>(GL_NO_ERROR));
  // A name without a number stands for itself, all numbered ones of a name for each other.
  std::map<std::string, bool> changed;
  for (const auto& [name, value] : before)
    changed[name.substr(0, name.find(' '))] |= after.at(name) != value;
  // These follow from the context, or need what this application does not have.
  for (const char* fixed :
       {"eglQueryAPI", "eglGetCurrentContext", "eglGetCurrentDisplay", "GL_DRAW_BUFFER0",
        "GL_IMAGE_BINDING_LAYERED", "GL_IMAGE_BINDING_LAYER", "GL_TEXTURE_BINDING_2D_ARRAY",
        "GL_TEXTURE_BINDING_3D", "GL_TEXTURE_BINDING_CUBE_MAP", "GL_VERTEX_BINDING_DIVISOR",
        "GL_TEXTURE_BINDING_2D_MULTISAMPLE", "GL_VERTEX_ATTRIB_ARRAY_STRIDE",
        "GL_VERTEX_ATTRIB_ARRAY_INTEGER", "GL_VERTEX_ATTRIB_ARRAY_DIVISOR"}) {
    EXPECT_EQ(changed.erase(fixed), 1u) << fixed;
  }
  if (surface_ == EGL_NO_SURFACE) changed.erase("eglGetCurrentSurface");
  for (const auto& [name, seen] : changed) EXPECT_TRUE(seen) << name;
}

TEST_F(GlesState, EveryOperationLeavesItAlone) {
  MakeSurface();
  const GLuint program = MakeProgram();
  testing::MakeUnusual(gl_, program);
  std::shared_ptr<Device> device;
  Same("open", [&] { device = OpenGlesDevice().value_or(nullptr); });
  ASSERT_NE(device, nullptr);
  Same("a second device", [] { EXPECT_TRUE(OpenGlesDevice({.minimum_limits = true}).ok()); });

  BufferRange a, b;
  Same("CreateBuffer", [&] { a = conformance::NewRange(*device, kCount * 4); });
  Same("CreateBuffer again", [&] { b = conformance::NewRange(*device, kCount * 4); });
  Same("CreateBuffer refused", [&] {
    EXPECT_FALSE(device->CreateBuffer(device->info().max_buffer_bytes + 1).ok());
    EXPECT_FALSE(device->CreateBuffer(0).ok());
  });
  Same("Upload", [&] { conformance::Fill(*device, a, 5.0f); });
  Same("Upload refused", [&] {
    char byte = 0;
    EXPECT_FALSE(device->Upload({a.buffer, 1 << 20, 1}, &byte, 1).ok());
  });
  Same("Download", [&] { EXPECT_EQ(conformance::Floats(*device, a)[0], 5.0f); });
  Same("Download refused", [&] {
    char byte = 0;
    EXPECT_FALSE(device->Download({a.buffer, 1 << 20, 1}, &byte, 1).ok());
  });
  Same("Import refused", [&] { EXPECT_FALSE(device->Import(1).ok()); });

  std::shared_ptr<Pipeline> pipeline;
  Same("Compile",
       [&] { pipeline = device->Compile(conformance::ScaleProgram(*device)).value_or(nullptr); });
  ASSERT_NE(pipeline, nullptr);
  Same("Compile refused", [&] {
    ProgramSource broken = conformance::ScaleProgram(*device);
    broken.text += "no program";
    EXPECT_FALSE(device->Compile(broken).ok());
  });
  std::unique_ptr<Commands> commands;
  const auto words = conformance::ScaleWords(kCount, 2.0f, 1);
  Same("Record", [&] {
    auto recorded = device->Record({{"double", pipeline, {a, b}, words, {kCount, 1, 1}, {8, 1, 1}},
                                    {"again", pipeline, {a, b}, words, {kCount, 1, 1}, {8, 1, 1}}});
    if (recorded.ok()) commands = *std::move(recorded);
  });
  ASSERT_NE(commands, nullptr);
  Same("Record refused", [&] {
    EXPECT_FALSE(device->Record({{"one", pipeline, {a}, words, {kCount, 1, 1}, {8, 1, 1}}}).ok());
  });
  Same("Submit", [&] { EXPECT_TRUE(device->Submit(*commands).ok()); });
  Same("Wait", [&] { EXPECT_TRUE(device->Wait().ok()); });
  EXPECT_EQ(conformance::Floats(*device, b), std::vector<float>(kCount, 11.0f));

  Same("the end of Commands", [&] { commands.reset(); });
  Same("the end of a Pipeline", [&] { pipeline.reset(); });
  Same("the end of a Buffer", [&] { a.buffer.reset(); });
  Same("the end of the Device", [&] { device.reset(); });
  Same("the end of a Buffer after its Device", [&] { b.buffer.reset(); });
  EXPECT_EQ(ValueOf(program), 4.5f);
}

TEST_F(GlesState, ASharingDeviceLeavesItAlone) {
  MakeSurface();
  const GLuint program = MakeProgram();
  testing::MakeUnusual(gl_, program);
  const std::vector<float> fives(kCount, 5.0f);
  GLuint names[2] = {};
  gl_.GenBuffers(2, names);
  for (const GLuint name : names) {
    gl_.BindBuffer(GL_COPY_READ_BUFFER, name);
    gl_.BufferData(GL_COPY_READ_BUFFER, kCount * 4, fives.data(), GL_DYNAMIC_COPY);
  }
  // The device has to ask EGL for the context of the thread.
  constexpr bool kStays = false;
  std::shared_ptr<Device> device;
  Same(
      "open", [&] { device = OpenGlesDevice({.share_current = true}).value_or(nullptr); }, kStays);
  ASSERT_NE(device, nullptr);
  BufferRange a, b;
  Same(
      "Import",
      [&] {
        a = device->Import(names[0]).value_or(BufferRange());
        b = device->Import(names[1]).value_or(BufferRange());
      },
      kStays);
  ASSERT_NE(b.buffer, nullptr);
  Same(
      "Import refused", [&] { EXPECT_FALSE(device->Import(4000).ok()); }, kStays);
  Same(
      "Upload", [&] { conformance::Fill(*device, a, 6.0f); }, kStays);
  Same(
      "Download", [&] { EXPECT_EQ(conformance::Floats(*device, a)[0], 6.0f); }, kStays);
  std::shared_ptr<Pipeline> pipeline;
  Same("Compile",
       [&] { pipeline = device->Compile(conformance::ScaleProgram(*device)).value_or(nullptr); });
  ASSERT_NE(pipeline, nullptr);
  std::unique_ptr<Commands> commands;
  Same("Record", [&] {
    auto recorded = device->Record({{"double",
                                     pipeline,
                                     {a, b},
                                     conformance::ScaleWords(kCount, 2.0f, 1),
                                     {kCount, 1, 1},
                                     {8, 1, 1}}});
    if (recorded.ok()) commands = *std::move(recorded);
  });
  ASSERT_NE(commands, nullptr);
  Same(
      "Submit", [&] { EXPECT_TRUE(device->Submit(*commands).ok()); }, kStays);
  Same("Wait", [&] { EXPECT_TRUE(device->Wait().ok()); });
  EXPECT_EQ(conformance::Floats(*device, b), std::vector<float>(kCount, 13.0f));
  Same("the end of Commands", [&] { commands.reset(); });
  Same("the end of a Pipeline", [&] { pipeline.reset(); });
  Same("the end of a Buffer", [&] { a.buffer.reset(); });
  Same("the end of the Device", [&] { device.reset(); });
  EXPECT_EQ(ValueOf(program), 4.5f);
}

EGLBoolean EGLAPIENTRY NoInitialize(EGLDisplay, EGLint*, EGLint*) { return EGL_FALSE; }
std::atomic<bool> context_lost = false;
GLenum GL_APIENTRY ResetStatus() {
  return context_lost ? GL_INNOCENT_CONTEXT_RESET_EXT : GL_NO_ERROR;
}

TEST_F(GlesState, FailingDriversLeaveItAlone) {
  MakeSurface();
  testing::MakeUnusual(gl_, MakeProgram());
  GlFunctions failing = gl_;
  failing.egl.Initialize = &NoInitialize;
  Same("no display", [&] { EXPECT_FALSE(OpenGlesDevice(failing).ok()); });
  Same("no library", [] { EXPECT_FALSE(LoadGlFunctions({"libno_such.so"}, {}).ok()); });
  context_lost = false;
  GlFunctions losing = gl_;
  losing.GetGraphicsResetStatus = &ResetStatus;
  std::shared_ptr<Device> device;
  Same("open", [&] { device = OpenGlesDevice(losing).value_or(nullptr); });
  ASSERT_NE(device, nullptr);
  BufferRange range = conformance::NewRange(*device, 64);
  context_lost = true;
  Same("the context gets lost", [&] { (void)device->Wait(); });
  Same("a call after that", [&] { (void)device->Wait(); });
  Same("the end of a lost Device", [&] {
    range.buffer.reset();
    device.reset();
  });
}

// The API that the application's thread has bound stays bound, with and without a context.
TEST_F(GlesState, OtherApisStayBound) {
  app_.reset();
  for (const bool with_context : {true, false}) {
    SCOPED_TRACE(with_context);
    if (with_context) app_ = AppContext::Create(gl_, {.api = EGL_OPENGL_API});
    if (with_context && app_ == nullptr) continue;  // no desktop OpenGL here
    if (!gl_.egl.BindAPI(EGL_OPENGL_API)) continue;
    if (!with_context) app_.reset();
    const auto read = [&] {
      GlState state = testing::ReadEglState(gl_);
      if (app_ != nullptr) state["the context's"] = app_->State();
      return state;
    };
    const GlState before = read();
    EXPECT_EQ(before.at("eglQueryAPI"), std::to_string(EGL_OPENGL_API));
    std::shared_ptr<Device> device;
    BufferRange range;
    const std::vector<std::pair<const char*, std::function<void()>>> operations = {
        {"open", [&] { device = OpenGlesDevice().value_or(nullptr); }},
        {"CreateBuffer", [&] { range = conformance::NewRange(*device, 64); }},
        {"Upload", [&] { conformance::Fill(*device, range, 2.0f); }},
        {"Download", [&] { EXPECT_EQ(conformance::Floats(*device, range)[3], 2.0f); }},
        {"Compile", [&] { EXPECT_TRUE(device->Compile(conformance::ScaleProgram(*device)).ok()); }},
        {"Wait", [&] { EXPECT_TRUE(device->Wait().ok()); }},
        {"sharing", [] { EXPECT_FALSE(OpenGlesDevice({.share_current = true}).ok()); }},
        {"the end", [&] {
           range.buffer.reset();
           device.reset();
         }}};
    for (const auto& [what, operation] : operations) {
      operation();
      ASSERT_TRUE(device != nullptr || std::string(what) == "the end");
      EXPECT_EQ(Differences(before, read()), "") << what;
    }
  }
}

}  // namespace
}  // namespace tern::gpu
