# SPDX-License-Identifier: Apache-2.0
# The case suites of ./dev test, one run of `tern verify` per line: suite NAME ROOT... FLAGS...
# OpenGL ES holds what is 8 bits in the model in 8 bits by default, Mesa's OpenCL because it is told to.
# Drivers take their time to build so many programs. So the widths and precisions are crossed: narrow slices with halves in
# memory on Mesa's OpenCL, of whole models each third; wide ones with floats, which take longest, on PoCL for each third case of
# an operation; and the least limits of OpenGL ES and the host backend, which compiles each program with the C++ compiler, take
# a part of the operations. With TERN_ALL_SUITES set all cases run in all combinations; where there is no Mesa, all run on PoCL.
mesa=/etc/OpenCL/vendors/rusticl.icd
part_of_pocl="--every 3" part_of_models="--every 3"
if [ -n "${TERN_ALL_SUITES:-}" ] || [ ! -f $mesa ]; then
  part_of_pocl="" part_of_models=""
fi
suite "conformance opencl 16 f32" "${ops[@]}" --engine opencl --slice-width 16 $part_of_pocl
suite "goldens opencl 16 f32" "$shared/goldens" --engine opencl --slice-width 16
suite "conformance cpu" "${ops[@]}" --engine cpu
suite "goldens cpu" "$shared/goldens" --engine cpu
suite "conformance gles f32" "${ops[@]}" --engine gles
suite "goldens gles f32" "$shared/goldens" --engine gles
if [ -f $mesa ]; then
  RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$mesa \
    suite "conformance opencl mesa 4 f16" "${ops[@]}" --engine opencl --slice-width 4 --precision f16 --packed on
  RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$mesa \
    suite "goldens opencl mesa 4 f16" "$shared/goldens" --engine opencl --slice-width 4 --precision f16 --packed on $part_of_models
else
  echo "skipped: the suites on Mesa's OpenCL (no $mesa)"
fi
if [ -z "${TERN_ALL_SUITES:-}" ]; then
  suite "conformance gles minimum f16" "${ops[@]}" --engine gles:min --precision f16 --only '[A-L]*'
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
