# SPDX-License-Identifier: Apache-2.0
# The case suites of ./dev test, one run of `tern verify` per line: suite NAME ROOT... FLAGS...
# OpenGL ES holds what is 8 bits in the model in 8 bits by default, Mesa's OpenCL because an option says so.
# Drivers take their time to build so many programs, so the cases are shared out. Of the cases of operations one quarter runs on
# OpenGL ES with floats, one on Mesa's OpenCL in narrow slices with halves in memory, one on PoCL in wide slices with floats, one on
# Vulkan with floats; the minimum limits of OpenGL ES and Vulkan, without texel buffers, and the host backend, which compiles each
# program with the C++ compiler, take a part of the operations. Their programs are built without LLVM's optimizations, those of whole
# models, of which the first three take a third each and Vulkan a twelfth, with them. With TERN_ALL_SUITES set all cases run in all
# combinations, optimized; where there is no Mesa, all run on PoCL and OpenGL ES.
mesa=/etc/OpenCL/vendors/rusticl.icd
standin=build/release/lib/libtensorflowlite_metal_standin.so
first="--every 3" second="--every 3 --from 1" third="--every 3 --from 2" twelfth="--every 12 --from 3"
quarter="--every 4" quarter2="--every 4 --from 1" quarter3="--every 4 --from 2" quarter4="--every 4 --from 3"
if [ -n "${TERN_ALL_SUITES:-}" ] || [ ! -f $mesa ]; then
  first="" second="" third="" twelfth="" quarter="" quarter2="" quarter3="" quarter4=""
fi
# The same for many small programs.
small() {
  if [ -n "${TERN_ALL_SUITES:-}" ]; then suite "$@"; else GALLIVM_PERF=nopt POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable suite "$@"; fi
}
small "conformance opencl 16 f32" "${ops[@]}" --engine opencl --slice-width 16 $quarter3
suite "goldens opencl 16 f32" "$shared/goldens" --engine opencl --slice-width 16 $first
suite "conformance cpu" "${ops[@]}" --engine cpu
suite "goldens cpu" "$shared/goldens" --engine cpu
small "conformance gles f32" "${ops[@]}" --engine gles $quarter
suite "goldens gles f32" "$shared/goldens" --engine gles $second
small "conformance vulkan f32" "${ops[@]}" --engine vulkan $quarter4
suite "goldens vulkan f16" "$shared/goldens" --engine vulkan --precision f16 $twelfth
if [ -f $mesa ]; then
  RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$mesa \
    small "conformance opencl mesa 4 f16" "${ops[@]}" --engine opencl --slice-width 4 --precision f16 --packed on $quarter2
  RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$mesa \
    suite "goldens opencl mesa 4 f16" "$shared/goldens" --engine opencl --slice-width 4 --precision f16 --packed on $third
else
  echo "skipped: the suites on Mesa's OpenCL (no $mesa)"
fi
if [ -z "${TERN_ALL_SUITES:-}" ]; then
  small "conformance gles minimum f16" "${ops[@]}" --engine gles:min --precision f16 --only '[A-L]*' $second
  small "conformance vulkan minimum f32" "${ops[@]}" --engine vulkan:min --only '[M-Z]*' $third
  suite "goldens gles minimum f32" "$shared/goldens" --engine gles:min --every 24
  small "conformance host 16 f16" "${ops[@]}" --engine host --slice-width 16 --precision f16 --only '[A-B]*' --every 2
  if [ -f $standin ]; then
    small "conformance metal f16" "${ops[@]}" --engine metal --precision f16 --only 'C*' --every 2
  else
    echo "skipped: the suites on Metal (no $standin)"
  fi
else
  for form in "16 f16" "4 f16" "4 f32"; do
    width=${form% *} precision=${form#* }
    suite "conformance opencl $form" "${ops[@]}" --engine opencl --slice-width $width --precision $precision
    suite "goldens opencl $form" "$shared/goldens" --engine opencl --slice-width $width --precision $precision
  done
  suite "conformance gles f16" "${ops[@]}" --engine gles --precision f16
  suite "conformance vulkan f16" "${ops[@]}" --engine vulkan --precision f16
  suite "conformance vulkan minimum" "${ops[@]}" --engine vulkan:min
  suite "goldens vulkan f32" "$shared/goldens" --engine vulkan
  suite "conformance gles minimum" "${ops[@]}" --engine gles:min
  suite "conformance gles minimum f16" "${ops[@]}" --engine gles:min --precision f16
  suite "goldens gles minimum" "$shared/goldens" --engine gles:min
  suite "conformance host 4 f32" "${ops[@]}" --engine host --slice-width 4
  if [ -f $standin ]; then
    for precision in f32 f16; do
      suite "conformance metal $precision" "${ops[@]}" --engine metal --precision $precision
      suite "goldens metal $precision" "$shared/goldens" --engine metal --precision $precision
    done
  else
    echo "skipped: the suites on Metal (no $standin)"
  fi
  suite "conformance host 16 f16" "${ops[@]}" --engine host --slice-width 16 --precision f16
fi
