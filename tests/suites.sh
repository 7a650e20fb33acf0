# SPDX-License-Identifier: Apache-2.0
# The case suites of ./dev test, one run of `tern verify` per line: suite NAME ROOT... FLAGS...
# OpenGL ES holds what is 8 bits in the model in 8 bits by default, Mesa's OpenCL because it is told to.
# Drivers take their time to build so many programs, so the widths and precisions are crossed. Of the cases of operations one half
# runs on OpenGL ES with floats, the other on Mesa's OpenCL in narrow slices with halves in memory, and each third on PoCL in wide
# slices with floats; the least limits of OpenGL ES and the host backend, which compiles each program with the C++ compiler, take
# a part of the operations. All models run on PoCL, one half on OpenGL ES, each third on Mesa's OpenCL. With TERN_ALL_SUITES set
# all cases run in all combinations; where there is no Mesa, all run on PoCL and OpenGL ES.
mesa=/etc/OpenCL/vendors/rusticl.icd
one_half="--every 2" other_half="--every 2 --from 1" third="--every 3"
if [ -n "${TERN_ALL_SUITES:-}" ] || [ ! -f $mesa ]; then
  one_half="" other_half="" third=""
fi
suite "conformance opencl 16 f32" "${ops[@]}" --engine opencl --slice-width 16 $third
suite "goldens opencl 16 f32" "$shared/goldens" --engine opencl --slice-width 16
suite "conformance cpu" "${ops[@]}" --engine cpu
suite "goldens cpu" "$shared/goldens" --engine cpu
suite "conformance gles f32" "${ops[@]}" --engine gles $one_half
suite "goldens gles f32" "$shared/goldens" --engine gles $one_half
if [ -f $mesa ]; then
  RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$mesa \
    suite "conformance opencl mesa 4 f16" "${ops[@]}" --engine opencl --slice-width 4 --precision f16 --packed on $other_half
  RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$mesa \
    suite "goldens opencl mesa 4 f16" "$shared/goldens" --engine opencl --slice-width 4 --precision f16 --packed on $third
else
  echo "skipped: the suites on Mesa's OpenCL (no $mesa)"
fi
if [ -z "${TERN_ALL_SUITES:-}" ]; then
  suite "conformance gles minimum f16" "${ops[@]}" --engine gles:min --precision f16 --only '[A-L]*' $other_half
  suite "conformance host 16 f16" "${ops[@]}" --engine host --slice-width 16 --precision f16 --only '[A-C]*' --every 2
else
  for form in "16 f16" "4 f16" "4 f32"; do
    width=${form% *} precision=${form#* }
    suite "conformance opencl $form" "${ops[@]}" --engine opencl --slice-width $width --precision $precision
    suite "goldens opencl $form" "$shared/goldens" --engine opencl --slice-width $width --precision $precision
  done
  suite "conformance gles f16" "${ops[@]}" --engine gles --precision f16
  suite "conformance gles minimum" "${ops[@]}" --engine gles:min
  suite "conformance gles minimum f16" "${ops[@]}" --engine gles:min --precision f16
  suite "conformance host 4 f32" "${ops[@]}" --engine host --slice-width 4
  suite "conformance host 16 f16" "${ops[@]}" --engine host --slice-width 16 --precision f16
fi
