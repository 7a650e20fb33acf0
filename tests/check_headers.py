#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles every public header alone: as C++17, and those of the C API as C11 and as C99 without extensions.

Usage: check_headers.py C_COMPILER CXX_COMPILER BUILD_INCLUDE_FOLDER
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
API = INCLUDE / "tensorflow" / "lite"
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
C_FOLDERS = [
    "core/c",
    "c",
    "core/async/c",
    "core/async/interop/c",
    "async/c",
    "async/interop/c",
    "profiling/telemetry/c",
    "acceleration/configuration/c",
    "core/acceleration/configuration/c",
    "delegates/external",
    "delegates/xnnpack",
    "delegates/coreml",
    "delegates/hexagon",
]
C_HEADERS = [
    "builtin_ops.h",
    "builtin_op_data.h",
    "context.h",
    "version.h",
    "delegates/gpu/cache.h",
    "delegates/gpu/cl/gpu_api_delegate.h",
    "delegates/gpu/decisions.h",
    "delegates/gpu/delegate.h",
    "delegates/gpu/delegate_options.h",
    "delegates/gpu/gl_delegate.h",
    "delegates/gpu/metal_delegate.h",
    "delegates/gpu/node_lists.h",
    "delegates/gpu/report.h",
    "delegates/gpu/vulkan_delegate.h",
    "delegates/nnapi/nnapi_delegate_c_api.h",
]
# Headers that need another one, which not every machine has.
NEEDS = {
    "gl_delegate.h": "GLES3/gl31.h",
    "gpu_api_delegate.h": "GLES3/gl31.h",
    "vulkan_delegate.h": "vulkan/vulkan_core.h",
}
OPAQUE_DELEGATE = [f"TfLiteOpaqueDelegate{verb}" for verb in ("Create", "Delete", "GetData")]
ONLY_CPP = ["core/c/variant_data.h", "profiling/telemetry/c/telemetry_setting_internal.h"]


def compile_text(command: list, text: str) -> str:
    done = subprocess.run(command + ["-"], input=text, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def forwards(path: pathlib.Path) -> bool:
    """It has only lines of the preprocessor: each header that it includes compiles alone, so it does."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return all(line.startswith("#") for line in code.split("\n") if line.strip())


def main() -> int:
    cc, cxx, build_include = sys.argv[1:4]
    folders = [f"-I{INCLUDE}", "-isystem", build_include]
    as_c = [cc, "-std=c11", "-x", "c", "-Wstrict-prototypes"] + WARNINGS + folders
    as_c99 = [cc, "-std=c99", "-pedantic", "-x", "c"] + WARNINGS + folders
    as_cpp = [cxx, "-std=c++17", "-x", "c++"] + WARNINGS + folders
    left_out = {
        name for name, other in NEEDS.items() if compile_text(as_c, f"#include <{other}>\n")
    }
    for name in sorted(left_out):
        print(f"{name}: left out, {NEEDS[name]} is not there")
    jobs = []
    # One file that includes all of those that only forward is enough.
    others = [
        p
        for p in sorted(INCLUDE.rglob("*.h"))
        if API not in p.parents and p.name not in left_out
    ]
    for path in sorted(API.rglob("*.h")):
        if path.name in left_out:
            continue
        name = str(path.relative_to(API))
        text = f'#include "tensorflow/lite/{name}"\n'
        if forwards(path):
            others.append(path)
        else:
            jobs.append((f"{name} as C++17", as_cpp, text))
        in_c = name in C_HEADERS or str(path.parent.relative_to(API)) in C_FOLDERS
        if in_c and name not in ONLY_CPP:
            jobs.append((f"{name} as C11", as_c, text))
            declaration = "extern int one;\n"  # C99 has no empty files
            jobs.append((f"{name} as C99", as_c99, text + declaration))
    text = "".join(f'#include "{p.relative_to(INCLUDE)}"\n' for p in others)
    jobs.append(("all forwarding headers as C++17", as_cpp, text))
    # Bindings to the C++ API call these without a header of the C API.
    text = '#include "tensorflow/lite/interpreter.h"\n' + "".join(
        f"auto* {name[0].lower()}{name[1:]} = &{name};\n" for name in OPAQUE_DELEGATE
    )
    jobs.append(("opaque delegates by interpreter.h as C++17", as_cpp, text))

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: compile_text(job[1], job[2]), jobs)
        for (name, _, _), errors in zip(jobs, results):
            if errors:
                failed += 1
                print(f"{name}:\n{errors}")
    print(f"{len(jobs) - failed} of {len(jobs)} compilations without a word")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
