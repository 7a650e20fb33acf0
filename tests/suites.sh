# SPDX-License-Identifier: Apache-2.0
# The case suites of ./dev test, one run of `tern verify` per line: suite NAME ROOT... FLAGS...
# Drivers take their time to build so many programs, so the widths and precisions are crossed: wide slices with floats in
# memory and narrow ones with halves. With TERN_ALL_SUITES set all combinations run. The host backend compiles each
# program with the C++ compiler. OpenGL ES also runs with no more than its specification guarantees.
suite "conformance cpu" "$shared/conformance" --engine cpu
suite "goldens cpu" "$shared/goldens" --engine cpu
for form in "16 f32" "4 f16" ${TERN_ALL_SUITES:+"16 f16" "4 f32"}; do
  width=${form% *} precision=${form#* }
  suite "conformance opencl $form" "$shared/conformance" --engine opencl --slice-width $width --precision $precision
  suite "goldens opencl $form" "$shared/goldens" --engine opencl --slice-width $width --precision $precision
done
if [ -n "${TERN_ALL_SUITES:-}" ]; then
  suite "conformance host 4 f32" "$shared/conformance" --engine host --slice-width 4
  suite "conformance gles f16" "$shared/conformance" --engine gles --precision f16
  suite "conformance gles minimum" "$shared/conformance" --engine gles:min
else
  suite "conformance gles minimum f16" "$shared/conformance" --engine gles:min --precision f16
  suite "conformance host 16 f16" "$shared/conformance" --engine host --slice-width 16 --precision f16 --only '[A-F]*'
fi
suite "conformance gles f32" "$shared/conformance" --engine gles
suite "goldens gles f32" "$shared/goldens" --engine gles
