# SPDX-License-Identifier: Apache-2.0
"""Libraries and programs that are installed, as a repository."""

# Names of pkg-config -> Debian package. Of the others the headers are enough; an NDK has those of EGL, OpenGL ES and Vulkan.
_LINKED = {"absl_status absl_statusor absl_strings": "libabsl-dev", "libhwy": "libhwy-dev"}
_HEADERS = {"flatbuffers": "libflatbuffers-dev", "OpenCL-Headers": "opencl-headers"}
_DRIVER_HEADERS = {"egl": "libegl-dev", "glesv2": "libgles-dev", "vulkan": "libvulkan-dev"}
_PROGRAMS = {"flatc": "flatbuffers-compiler", "cmake": "cmake"}

def _flags(ctx, kind, names, environment):
    run = ctx.execute(["pkg-config", kind] + names.split(" "), environment = environment)
    return run.stdout.strip().split(" ") if run.return_code == 0 else None

def _system_libraries_impl(ctx):
    environment = {}
    libraries = dict(_LINKED)
    libraries.update(_HEADERS)
    if ctx.attr.prefix_variable:
        prefix = ctx.os.environ.get(ctx.attr.prefix_variable)
        if not prefix:
            fail(("{} must name the folder below which Abseil, FlatBuffers, Highway and the headers of OpenCL are installed " +
                  "for Android.").format(ctx.attr.prefix_variable))
        environment["PKG_CONFIG_LIBDIR"] = "{0}/lib/pkgconfig:{0}/share/pkgconfig".format(prefix)
    else:
        libraries.update(_DRIVER_HEADERS)
    if not ctx.which("pkg-config"):
        fail("Tern cannot be built without pkg-config (Debian package pkg-config).")
    missing = ["{} (Debian package {})".format(name, package) for name, package in _PROGRAMS.items() if not ctx.which(name)]
    folders, link_flags = [], []
    for names, package in libraries.items():
        found = _flags(ctx, "--cflags-only-I", names, environment)
        if found == None:
            missing.append("{} (Debian package {})".format(names.split(" ")[0], package))
            continue
        folders += [flag[2:] for flag in found if flag and flag[2:] not in folders]
        if names in _LINKED:
            link_flags += [flag for flag in _flags(ctx, "--libs", names, environment) if flag]
    if missing:
        fail("Tern cannot be built without {}.".format(", ".join(missing)))
    includes = []
    for folder in folders:  # those that a compiler does not know by itself
        includes.append("include%d" % len(includes))
        ctx.symlink(folder, includes[-1])
    # Bazel's toolchain would let a library depend on each of them, used or not.
    link_flags = ["-Wl,--push-state,--as-needed"] + link_flags + ["-Wl,--pop-state"]
    ctx.file("BUILD", """cc_library(
    name = "libraries",
    hdrs = glob({hdrs}),
    includes = {includes},
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
)
""".format(hdrs = [name + "/**" for name in includes], includes = includes, linkopts = link_flags))

system_libraries = repository_rule(
    implementation = _system_libraries_impl,
    attrs = {"prefix_variable": attr.string()},
    configure = True,
    environ = ["PATH", "PKG_CONFIG_PATH", "TERN_ANDROID_PREFIX"],
    local = True,
)
