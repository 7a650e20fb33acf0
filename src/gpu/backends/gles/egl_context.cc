// SPDX-License-Identifier: Apache-2.0
// Displays are tried from the one with the fewest needs to the one that may need a window system.
#include "gpu/backends/gles/egl_context.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/backends/gles/gl_error.h"

namespace tern::gpu {
namespace {

constexpr EGLint kMaxDevices = 16;

struct Candidate {
  std::string name;
  EGLDisplay display = EGL_NO_DISPLAY;
};

std::vector<Candidate> Displays(const EglFunctions& egl) {
  std::vector<Candidate> displays;
  const char* client = egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  auto platform = [&](const std::string& name, const char* extension, EGLenum kind, void* native) {
    if (egl.GetPlatformDisplay == nullptr || !HasExtension(client, extension)) return;
    displays.push_back({name, egl.GetPlatformDisplay(kind, native, nullptr)});
  };
  platform("surfaceless", "EGL_MESA_platform_surfaceless", EGL_PLATFORM_SURFACELESS_MESA,
           EGL_DEFAULT_DISPLAY);
  EGLDeviceEXT devices[kMaxDevices];
  EGLint count = 0;
  if (egl.QueryDevices != nullptr && egl.QueryDevices(kMaxDevices, devices, &count)) {
    for (EGLint i = 0; i < std::min(count, kMaxDevices); ++i)
      platform(StrCat("device ", i), "EGL_EXT_platform_device", EGL_PLATFORM_DEVICE_EXT,
               devices[i]);
  }
  // Without a device of ours the driver opens the first one.
  platform("gbm", "EGL_KHR_platform_gbm", EGL_PLATFORM_GBM_KHR, EGL_DEFAULT_DISPLAY);
  displays.push_back({"default", egl.GetDisplay(EGL_DEFAULT_DISPLAY)});
  return displays;
}

}  // namespace

absl::StatusOr<std::unique_ptr<EglContext>> EglContext::Create(const GlFunctions& gl) {
  std::string problems;
  for (const Candidate& candidate : Displays(gl.egl)) {
    absl::Status status;
    if (candidate.display == EGL_NO_DISPLAY) {
      status = EglFailure(gl.egl, "no display");
    } else {
      std::unique_ptr<EglContext> made(new EglContext(gl, candidate.display, candidate.name));
      status = made->Open();
      if (status.ok()) return made;
    }
    problems += StrCat(problems.empty() ? "" : "; ", candidate.name, ": ", Message(status));
  }
  return Unavailable("OpenGL ES: no display gives a context (", problems, ")");
}

absl::StatusOr<std::unique_ptr<EglContext>> EglContext::CreateShared(const GlFunctions& gl,
                                                                     const ForeignContext& with) {
  std::unique_ptr<EglContext> made(
      new EglContext(gl, with.display, "the application's", with.context));
  const absl::Status status = made->Open();
  if (status.ok()) return made;
  return Unavailable("OpenGL ES: no context shares buffers with the application's (",
                     Message(status), ")");
}

EglContext::~EglContext() {
  if (context_ != EGL_NO_CONTEXT) {
    gl_.egl.MakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    gl_.egl.DestroyContext(display_, context_);
  }
}

absl::Status EglContext::Open() {
  const EglFunctions& egl = gl_.egl;
  // The application initialised its display itself.
  if (share_ == EGL_NO_CONTEXT && !egl.Initialize(display_, nullptr, nullptr))
    return EglFailure(egl, "eglInitialize");
  const char* extensions = egl.QueryString(display_, EGL_EXTENSIONS);
  for (const char* needed : {"EGL_KHR_create_context", "EGL_KHR_surfaceless_context"}) {
    if (!HasExtension(extensions, needed)) return Unavailable("the display has no ", needed);
  }
  if (!egl.BindAPI(EGL_OPENGL_ES_API)) return EglFailure(egl, "eglBindAPI");
  const bool may_be_none = HasExtension(extensions, "EGL_KHR_no_config_context");
  TERN_ASSIGN_OR_RETURN(const EGLConfig config, ChooseConfig(may_be_none));
  absl::Status status = OpenWith(config, extensions);
  if (status.ok() || !may_be_none || config == EGL_NO_CONFIG_KHR) return status;
  // The application's configuration may be one for older versions only.
  return OpenWith(EGL_NO_CONFIG_KHR, extensions).ok() ? absl::OkStatus() : status;
}

// Chooses the configuration of the application's context if there is one, because drivers share
// between contexts with equal configurations.
absl::StatusOr<EGLConfig> EglContext::ChooseConfig(bool may_be_none) const {
  const EglFunctions& egl = gl_.egl;
  EGLint id = 0;
  if (share_ != EGL_NO_CONTEXT && !egl.QueryContext(display_, share_, EGL_CONFIG_ID, &id))
    return EglFailure(egl, "eglQueryContext");
  if (id == 0 && may_be_none) return EGL_NO_CONFIG_KHR;
  const EGLint any[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE,
                        EGL_OPENGL_ES3_BIT_KHR, EGL_NONE};
  const EGLint known[] = {EGL_CONFIG_ID, id, EGL_NONE};
  EGLConfig config = EGL_NO_CONFIG_KHR;
  EGLint count = 0;
  if (!egl.ChooseConfig(display_, id == 0 ? any : known, &config, 1, &count))
    return EglFailure(egl, "eglChooseConfig");
  if (count < 1) return Unavailable("the display has no configuration for OpenGL ES 3");
  return config;
}

absl::Status EglContext::OpenWith(EGLConfig config, const char* extensions) {
  if (HasExtension(extensions, "EGL_EXT_create_context_robustness") &&
      OpenContext(config, true).ok()) {
    const auto* all = reinterpret_cast<const char*>(gl_.GetString(GL_EXTENSIONS));
    reports_reset_ =
        gl_.GetGraphicsResetStatus != nullptr &&
        (HasExtension(all, "GL_KHR_robustness") || HasExtension(all, "GL_EXT_robustness"));
    return absl::OkStatus();
  }
  // Contexts share only when they agree on robustness.
  return OpenContext(config, false);
}

absl::Status EglContext::OpenContext(EGLConfig config, bool robust) {
  const EglFunctions& egl = gl_.egl;
  std::vector<EGLint> attributes = {EGL_CONTEXT_MAJOR_VERSION_KHR, 3, EGL_CONTEXT_MINOR_VERSION_KHR,
                                    1};
  if (robust) {
    attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                                         EGL_LOSE_CONTEXT_ON_RESET_EXT});
  }
  attributes.push_back(EGL_NONE);
  context_ = egl.CreateContext(display_, config, share_, attributes.data());
  if (context_ == EGL_NO_CONTEXT) {
    absl::Status status = EglFailure(egl, "eglCreateContext of OpenGL ES 3.1");
    if (robust || share_ != EGL_NO_CONTEXT) return status;
    return WithPrefix(MissingVersion(config), Message(status));
  }
  if (egl.MakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) return absl::OkStatus();
  absl::Status status = EglFailure(egl, "eglMakeCurrent");
  egl.DestroyContext(display_, context_);
  context_ = EGL_NO_CONTEXT;
  return status;
}

// Returns an error that names the version that the display has instead.
absl::Status EglContext::MissingVersion(EGLConfig config) const {
  const EglFunctions& egl = gl_.egl;
  const EGLint any[] = {EGL_CONTEXT_MAJOR_VERSION_KHR, 2, EGL_NONE};
  const EGLContext context = egl.CreateContext(display_, config, EGL_NO_CONTEXT, any);
  std::string version = "nothing";
  if (context != EGL_NO_CONTEXT) {
    if (egl.MakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      const auto* text = reinterpret_cast<const char*>(gl_.GetString(GL_VERSION));
      if (text != nullptr) version = text;
      egl.MakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    egl.DestroyContext(display_, context);
  }
  return Unavailable("it has ", version);
}

}  // namespace tern::gpu
