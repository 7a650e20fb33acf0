# SPDX-License-Identifier: Apache-2.0
# ./dev test arm64: the tool and the unit tests for Linux on arm64, built by Debian's cross compiler and run by QEMU, on a
# processor without dot product, i8mm and half arithmetic and on one with them, so that each path of the dispatch runs.
# Programs that need a GPU's driver are left out.
build=build/arm64
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
programs="base_test abi_test model_test cpu_test runtime_test gpu_test ops_test api_test"

part "build for arm64 (minutes on the first call)"
mkdir -p build
cmake --preset arm64 >build/configure.log 2>&1 || { cat build/configure.log >&2; exit 1; }
cmake --build --preset arm64 --target tern make_malformed c_api_c11_test $programs -- -j "$(jobs)"

# A script that compares two programs starts them by name.
mkdir -p $build/run
for program in bin/tern tests/make_malformed; do
  printf '#!/bin/sh\nexec %s -L / %s/%s/%s "$@"\n' "$qemu" "$PWD" $build $program >$build/run/"$(basename $program)"
  chmod +x $build/run/"$(basename $program)"
done
tern=$build/run/tern

# On each processor NAME: the test programs, the cases of operations and each third golden.
test_on() {
  export QEMU_CPU=$1
  local results=$build/results/${1%%,*} shared=${TERN_SHARED:-../shared} running=0
  rm -rf "$results"
  mkdir -p "$results"
  part "unit tests on arm64, $1"
  GTEST_OUTPUT="xml:$PWD/$results/" ctest --test-dir $build --output-on-failure --no-tests=error -j "$(jobs)" \
    --test-output-size-passed 100000 --output-junit "$PWD/$results/ctest.junit" \
    -R "^($(echo "$programs" | tr ' ' '|')|c_api_c11_test)(_[0-9]+)?$" || failed=1
  python3 -B tests/malformed/malformed_test.py $tern $build/run/make_malformed || failed=1
  if [ -d "$shared/conformance" ]; then
    part "case suites on arm64, $1"
    local ops=("$shared/conformance")
    [ ! -d "$shared/reports" ] || ops+=("$shared/reports")
    suite "conformance arm64 $1" "${ops[@]}" --engine cpu
    suite "goldens arm64 $1" "$shared/goldens" --engine cpu --every 3
    wait
  else
    say "skipped: the case suites (no folder $shared; set TERN_SHARED)"
  fi
  say "result on arm64, $1"
  python3 tests/summary.py "$results" || failed=1
}

failed=0
test_on cortex-a53
test_on max,sve=off
print_parts
