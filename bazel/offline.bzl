# SPDX-License-Identifier: Apache-2.0
"""Repositories that Bazel's own packages name, and that Bazel would download: rules that are built in, by another name, and
a tool that only `bazel coverage` runs."""

_CC = ["cc_binary", "cc_library", "cc_proto_library", "cc_toolchain", "cc_toolchain_suite", "objc_library"]
_JAVA = ["java_binary", "java_import", "java_library", "java_runtime", "java_toolchain"]

def _built_in(rules):
    return "".join(["{0} = native.{0}\n".format(rule) for rule in rules])

_REPOSITORIES = {
    "remote_coverage_tools": {
        "BUILD": """filegroup(
    name = "coverage_report_generator",
    visibility = ["//visibility:public"],
)
""",
    },
    "rules_cc": {"cc/BUILD": "", "cc/defs.bzl": _built_in(_CC)},
    "rules_java": {"java/BUILD": "", "java/defs.bzl": _built_in(_JAVA)},
}

def _offline_repository_impl(ctx):
    for path, text in ctx.attr.files.items():
        ctx.file(path, text)

_offline_repository = repository_rule(
    implementation = _offline_repository_impl,
    attrs = {"files": attr.string_dict()},
)

def offline_repositories():
    for name, files in _REPOSITORIES.items():
        if not native.existing_rule(name):
            _offline_repository(name = name, files = files)
