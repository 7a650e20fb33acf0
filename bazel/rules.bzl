# SPDX-License-Identifier: Apache-2.0
"""How Tern's sources are compiled: the flags of cmake/warnings.cmake, in releases -O3 throughout."""

def _folder():
    # As a part of another project the sources lie below external/.
    name = native.repository_name()[1:]
    return "external/" + name + "/" if name else ""

def tern_library(name, **attributes):
    """A library of Tern: objects that no symbol asks for are a part of it, too."""
    native.cc_library(
        name = name,
        alwayslink = 1,
        copts = [
            "-std=c++20",
            "-fno-exceptions",
            "-fno-math-errno",
            "-ffp-contract=off",
            "-w",  # warnings are looked at in the build by CMake
            "-I" + _folder() + "src",
            "-I$(GENDIR)/" + _folder() + "kernels",
        ] + select({
            "//:opt": ["-O3"],
            "//conditions:default": [],
        }),
        linkstatic = 1,
        **attributes
    )

def tern_shared_library(name, exports, deps):
    """One file that is complete, with the functions that the map `exports` names."""
    native.cc_binary(
        name = name,
        additional_linker_inputs = [exports] if exports else [],
        linkopts = ["-Wl,-soname," + name, "-Wl,-z,defs"] +
                   (["-Wl,--version-script=$(location " + exports + ")"] if exports else []) +
                   select({
                       "//:android": [],
                       # gold, which Bazel prefers, exports variables of templates that the map hides.
                       "//conditions:default": ["-fuse-ld=bfd"],
                   }),
        linkshared = 1,
        linkstatic = 1,
        deps = deps,
    )
