# SPDX-License-Identifier: Apache-2.0
"""Tern is built over the libraries of the system, without a download (docs/build.md)."""

load(":android.bzl", "android_ndk")
load(":offline.bzl", "offline_repositories")
load(":system.bzl", "system_libraries")

def tern_dependencies():
    """The repositories that Tern and Bazel itself name; those that a project has already stay as they are."""
    system_libraries(name = "tern_system")
    system_libraries(name = "tern_android", prefix_variable = "TERN_ANDROID_PREFIX")
    android_ndk(name = "android_ndk")
    offline_repositories()
