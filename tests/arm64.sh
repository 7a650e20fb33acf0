# SPDX-License-Identifier: Apache-2.0
# The tool and the unit tests for Linux on arm64, cross-built over Debian's libraries and run by QEMU, for ./dev test arm64 and
# ./dev ci. Programs that need a GPU's driver are left out.
arm64_programs="base_test abi_test model_test cpu_test runtime_test api_test c_api_c11_test"
# Those whose answers depend least on a processor, or that take longest by QEMU.
more_arm64_programs="gpu_test ops_test"

# build_arm64 PRESET PROGRAMS [OPTION...]: sets build.
build_arm64() {
  local preset=$1 programs=$2
  shift 2
  build=build/$preset
  build_preset "$preset" "tern make_malformed $programs" "$@"
}

# arm64_suites NAME STEP
arm64_suites() {
  suite "conformance arm64 $1" "${ops[@]}" --engine cpu
  suite "goldens arm64 $1" "$shared/goldens" --engine cpu --every "$2"
  # Compilers for arm64 join products and sums where they may; elements of 16 bits show it.
  suite "goldens arm64 $1 rsqrt" "$shared/goldens" --engine cpu --only '*rsqrt*'
}

# test_arm64_on PROCESSOR PROGRAMS STEP: test programs, the pack of malformed models, the cases of operations and each STEPth
# whole model's case. Sets failed.
test_arm64_on() {
  export QEMU_CPU=$1
  local results=$build/results/${1%%,*} programs=${2// /|} tern
  tern=$(by_qemu aarch64 "$build" bin/tern)
  part "unit tests on arm64, $1"
  unit_tests "$build" -R "^($programs)(_[0-9]+|_special)?$"
  python3 -B tests/malformed/malformed_test.py "$tern" "$(by_qemu aarch64 "$build" tests/make_malformed)" || failed=1
  part "case suites on arm64, $1"
  case_suites arm64_suites "$1" "$3"
  say "result on arm64, $1"
  python3 tests/summary.py "$results" || failed=1
  unset QEMU_CPU
}
