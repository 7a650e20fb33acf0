#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the headers that are only another spelling of a header below include/tensorflow/lite.

Programs include the same API as tensorflow/lite/X, tflite/X and through a few older paths. Run it after adding a
public header; with --check it writes nothing and fails when a forwarding header is missing, stale or different.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
API = "tensorflow/lite"
COMPILER = "tensorflow/compiler/mlir/lite"
# Made by the build, so it is not found below include/.
GENERATED = ["schema/schema_generated.h", "acceleration/configuration/configuration_generated.h"]

# Other spellings below include/ -> header below include/tensorflow/lite. The files of the converter that the runtime
# uses have two places: an older and a newer one.
CONVERTER = "tflite/converter"
CONVERTER_FILES = {
    "allocation.h": "allocation.h",
    "core/api/error_reporter.h": "core/api/error_reporter.h",
    "core/api/verifier.h": "core/api/verifier.h",
    "core/c/builtin_op_data.h": "core/c/builtin_op_data.h",
    "core/c/tflite_types.h": "core/c/c_api_types.h",
    "core/macros.h": "core/macros.h",
    "core/model_builder_base.h": "core/model_builder.h",
    "experimental/remat/metadata_util.h": "experimental/remat/metadata_util.h",
    "kernels/padding.h": "kernels/padding.h",
    "kernels/internal/common.h": "kernels/internal/common.h",
    "kernels/internal/quantization_util.h": "kernels/internal/quantization_util.h",
    "kernels/internal/runtime_shape.h": "kernels/internal/runtime_shape.h",
    "schema/schema_conversion_utils.h": "schema/schema_conversion_utils.h",
    "schema/schema_generated.h": "schema/schema_generated.h",
    "schema/schema_utils.h": "schema/schema_utils.h",
    "stateful_error_reporter.h": "stateful_error_reporter.h",
    "utils/control_edges.h": "graph_info.h",
}
ALIASES = {f"{place}/{name}": header for place in (COMPILER, CONVERTER) for name, header in CONVERTER_FILES.items()}
MARK = "// Another spelling of "


def forwarding_text(path: str, target: str) -> str:
    guard = "TERN_" + re.sub(r"[^A-Za-z0-9]", "_", path).upper() + "_"
    return (
        "// SPDX-License-Identifier: Apache-2.0\n"
        f"{MARK}{target} (tools/make_forwards.py).\n"
        f"#ifndef {guard}\n#define {guard}\n\n"
        f'#include "{target}"\n\n'
        f"#endif  // {guard}\n"
    )


def wanted() -> dict:
    headers = sorted(str(p.relative_to(INCLUDE / API)) for p in (INCLUDE / API).rglob("*.h"))
    headers = sorted(set(headers) | set(GENERATED))
    files = {}
    for header in headers:
        path = f"tflite/{header}"
        files[path] = forwarding_text(path, f"{API}/{header}")
    for path, header in ALIASES.items():
        if header in headers:
            files[path] = forwarding_text(path, f"{API}/{header}")
    return files


def present() -> dict:
    found = {}
    for folder in ("tflite", COMPILER):
        for path in (INCLUDE / folder).rglob("*.h"):
            found[str(path.relative_to(INCLUDE))] = path.read_text()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    want, have = wanted(), present()
    wrong = [path for path in want if have.get(path) != want[path]]
    stale = [path for path in have if path not in want]
    if check:
        for path in wrong + stale:
            print(f"include/{path}: not up to date, run tools/make_forwards.py", file=sys.stderr)
        return 1 if wrong or stale else 0
    for path in wrong:
        target = INCLUDE / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(want[path])
    for path in stale:
        (INCLUDE / path).unlink()
    print(f"{len(wrong)} written, {len(stale)} removed, {len(want)} in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
