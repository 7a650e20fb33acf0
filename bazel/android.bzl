# SPDX-License-Identifier: Apache-2.0
"""The compiler of an Android NDK, for --config android_arm64."""

_TARGET = "aarch64-linux-android26"
_BIN = "toolchains/llvm/prebuilt/linux-x86_64/bin/"
_BUILD = """load("@bazel_tools//tools/cpp:unix_cc_toolchain_config.bzl", "cc_toolchain_config")

filegroup(name = "empty")

cc_toolchain_suite(
    name = "toolchain",
    toolchains = {{
        "arm64-v8a": ":arm64",
        "arm64-v8a|clang": ":arm64",
    }},
    visibility = ["//visibility:public"],
)

cc_toolchain(
    name = "arm64",
    all_files = ":empty",
    compiler_files = ":empty",
    dwp_files = ":empty",
    linker_files = ":empty",
    objcopy_files = ":empty",
    strip_files = ":empty",
    supports_param_files = 1,
    toolchain_config = ":arm64_config",
)

cc_toolchain_config(
    name = "arm64_config",
    abi_libc_version = "local",
    abi_version = "local",
    compile_flags = ["--target={target}", "-ffunction-sections", "-fdata-sections"],
    compiler = "clang",
    cpu = "arm64-v8a",
    cxx_builtin_include_directories = ["{home}"],
    host_system_name = "local",
    link_flags = ["--target={target}", "-static-libstdc++", "-Wl,--gc-sections", "-llog"],
    opt_compile_flags = ["-O2", "-DNDEBUG"],
    target_libc = "android",
    target_system_name = "{target}",
    tool_paths = {tools},
    toolchain_identifier = "android_arm64",
)
"""

def _android_ndk_impl(ctx):
    home = ctx.os.environ.get("ANDROID_NDK_HOME")
    if not home:
        fail("--config android_arm64 needs an Android NDK (r26 or newer): set ANDROID_NDK_HOME to its folder.")
    if not ctx.path(home + "/" + _BIN + "clang++").exists:
        fail("ANDROID_NDK_HOME is {}, which is no Android NDK (r26 or newer): it has no {}clang++.".format(home, _BIN))
    tools = {name: home + "/" + _BIN + "llvm-" + name for name in ["ar", "cov", "nm", "objcopy", "objdump", "strip"]}
    for name, tool in {"cpp": "clang++", "gcc": "clang++", "gcov": "llvm-cov", "ld": "ld.lld", "llvm-cov": "llvm-cov"}.items():
        tools[name] = home + "/" + _BIN + tool
    ctx.file("BUILD", _BUILD.format(home = home, target = _TARGET, tools = tools))

android_ndk = repository_rule(
    implementation = _android_ndk_impl,
    configure = True,
    environ = ["ANDROID_NDK_HOME"],
    local = True,
)
