#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels under Oclgrind, which simulates an OpenCL device and sees accesses out of bounds and data races. Oclgrind ends with status 0 whatever it saw, so its log decides.
#   tests/oclgrind.sh OPS_TEST
set -u
ops_test=$1
library=""
for folder in /usr/lib/oclgrind /usr/lib64/oclgrind /usr/local/lib/oclgrind /usr/local/lib; do
  [ -f "$folder/liboclgrind-rt-icd.so" ] && library="$folder/liboclgrind-rt-icd.so" && break
done
if [ -z "$library" ]; then
  echo "SKIPPED: Oclgrind is not installed (Debian package oclgrind)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Its compiler cannot build two programs at the same time, so the process is told that there is one core.
echo 'int get_nprocs(void) { return 1; }' >"$work/one_core.c"
if ! "${CC:-cc}" -shared -fPIC -o "$work/one_core.so" "$work/one_core.c"; then
  echo "SKIPPED: no C compiler"
  exit 77
fi

# run NAME FILTER: halves in memory are left out, the simulator does not know their conversions.
run() {
  local log="$work/$1.log" out="$work/$1.out"
  # The driver is named to the OpenCL loader: the library is opened at run time, where a preloaded one has no effect.
  if ! env LD_PRELOAD="$work/one_core.so" OCL_ICD_VENDORS="$library" OCLGRIND_DATA_RACES=1 OCLGRIND_LOG="$log" \
    TERN_ONLY_ENGINE="$engine" TERN_ALL_ENGINES=1 TERN_RANDOM_GRAPHS=8 \
    "$ops_test" --gtest_filter="$2" >"$out" 2>&1; then
    echo "$1: the tests failed"
    grep -vE '^INFO|^$' "$out" | tail -n 40
    failed=1
  fi
  if grep -q 'SKIPPED' "$out"; then
    echo "$1: Oclgrind's device is not there"
    cat "$out"
    failed=1
  fi
  if [ -s "$log" ]; then
    echo "$1: Oclgrind found this:"
    head -n 60 "$log"
    failed=1
  fi
  echo "$1: $(grep -c '^\[       OK' "$out") tests, log of $(wc -c <"$log" 2>/dev/null || echo 0) bytes"
}

for engine in "opencl W=4 F32" "opencl W=16 F32"; do
  run "${engine// /-}" "OpCases.*:RandomGraphs.AgreeWithTheReference"
done
exit $failed
