# SPDX-License-Identifier: Apache-2.0
# ./dev test arm64: the tool and the unit tests for Linux on arm64, built by Debian's cross compiler and run by QEMU, on a
# processor without dot product, i8mm and half arithmetic and on one with them, so that each path of the dispatch runs.
# Programs that need a GPU's driver are left out.
build=build/arm64
programs="base_test abi_test model_test cpu_test runtime_test gpu_test ops_test api_test"

part "build for arm64 (minutes on the first call)"
mkdir -p build
cmake --preset arm64 >build/configure.log 2>&1 || { cat build/configure.log >&2; exit 1; }
cmake --build --preset arm64 --target tern make_malformed c_api_c11_test $programs -- -j "$(jobs)"

tern=$(by_qemu $build bin/tern)
make_malformed=$(by_qemu $build tests/make_malformed)

suites() {
  suite "conformance arm64 $1" "${ops[@]}" --engine cpu
  suite "goldens arm64 $1" "$shared/goldens" --engine cpu --every 3
}

# On each processor NAME: the test programs, the cases of operations and each third golden.
test_on() {
  export QEMU_CPU=$1
  local results=$build/results/${1%%,*}
  part "unit tests on arm64, $1"
  unit_tests $build -R "^($(echo "$programs" | tr ' ' '|')|c_api_c11_test)(_[0-9]+|_special)?$"
  python3 -B tests/malformed/malformed_test.py $tern $make_malformed || failed=1
  part "case suites on arm64, $1"
  case_suites suites "$1"
  say "result on arm64, $1"
  python3 tests/summary.py "$results" || failed=1
}

failed=0
test_on cortex-a53
test_on max,sve=off
print_parts
