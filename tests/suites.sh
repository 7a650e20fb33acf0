# SPDX-License-Identifier: Apache-2.0
# The case suites of ./dev test, one run of `tern verify` per line: suite NAME ROOT... FLAGS...
# OpenCL runs everything with the widest and the narrowest slices, with floats and with halves in memory. The host
# backend compiles each program with the C++ compiler, so it takes the two extremes. OpenGL ES also runs with no more than
# its specification guarantees.
suite "conformance cpu" "$shared/conformance" --engine cpu
suite "goldens cpu" "$shared/goldens" --engine cpu
for width in 16 4; do
  for precision in f32 f16; do
    suite "conformance opencl $width $precision" "$shared/conformance" --engine opencl \
      --slice-width $width --precision $precision
    suite "goldens opencl $width $precision" "$shared/goldens" --engine opencl \
      --slice-width $width --precision $precision
  done
done
suite "conformance host 4 f32" "$shared/conformance" --engine host --slice-width 4
suite "conformance host 16 f16" "$shared/conformance" --engine host --slice-width 16 --precision f16
for precision in f32 f16; do
  suite "conformance gles $precision" "$shared/conformance" --engine gles --precision $precision
done
suite "conformance gles minimum" "$shared/conformance" --engine gles:min
suite "goldens gles f32" "$shared/goldens" --engine gles
