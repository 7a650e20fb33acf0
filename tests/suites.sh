# SPDX-License-Identifier: Apache-2.0
# The case suites of ./dev test, one run of `tern verify` per line: suite NAME ROOT... FLAGS...
suite "conformance cpu" "$shared/conformance" --engine cpu
suite "goldens cpu" "$shared/goldens" --engine cpu
suite "conformance opencl" "$shared/conformance" --engine opencl
suite "goldens opencl" "$shared/goldens" --engine opencl
