#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels under Oclgrind, which simulates an OpenCL device and sees accesses out of bounds, data races and what is made of
# memory that nobody wrote. Oclgrind ends with status 0 whatever it saw, so its log decides.
#   tests/oclgrind.sh OPS_TEST
set -u
ops_test=$1
library=""
for folder in /usr/lib/oclgrind /usr/lib64/oclgrind /usr/local/lib/oclgrind /usr/local/lib; do
  [ -f "$folder/liboclgrind-rt.so" ] && library="$folder/liboclgrind-rt.so" && break
done
if [ -z "$library" ]; then
  echo "SKIPPED: Oclgrind is not installed (Debian package oclgrind)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# A library in front of Oclgrind's, under the name by which OpenCL is opened. Its compiler cannot build two programs at the
# same time, so the process sees one core. Oclgrind forgets what a buffer holds when a part of it is
# written or its number is used again: writes are made whole, and buffers are kept.
cat >"$work/front.c" <<'CODE'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEHIND(name) dlsym(dlopen(ORIGINAL, RTLD_NOW), name)

int get_nprocs(void) { return 1; }

void* clCreateBuffer(void* context, unsigned long flags, size_t bytes, void* data, int* code) {
  void* (*create)(void*, unsigned long, size_t, void*, int*) = BEHIND("clCreateBuffer");
  int (*retain)(void*) = BEHIND("clRetainMemObject");
  static int told = 0;
  if (!told++) fprintf(stderr, "Oclgrind makes the buffers\n");
  void* memory = create(context, flags, bytes, data, code);
  if (memory != NULL) retain(memory);
  return memory;
}

int clEnqueueWriteBuffer(void* queue, void* memory, unsigned wait, size_t offset, size_t bytes, const void* data,
                         unsigned events, const void* list, void* event) {
  int (*info)(void*, unsigned, size_t, void*, size_t*) = BEHIND("clGetMemObjectInfo");
  int (*read)(void*, void*, unsigned, size_t, size_t, void*, unsigned, const void*, void*) =
      BEHIND("clEnqueueReadBuffer");
  int (*write)(void*, void*, unsigned, size_t, size_t, const void*, unsigned, const void*, void*) =
      BEHIND("clEnqueueWriteBuffer");
  size_t all = 0;
  const unsigned size_of_memory = 0x1102;
  int code = info(memory, size_of_memory, sizeof all, &all, NULL);
  if (code != 0 || offset > all || bytes > all - offset)
    return write(queue, memory, wait, offset, bytes, data, events, list, event);
  char* whole = malloc(all);
  code = read(queue, memory, 1, 0, all, whole, events, list, NULL);
  memcpy(whole + offset, data, bytes);
  if (code == 0) code = write(queue, memory, 1, 0, all, whole, 0, NULL, event);
  free(whole);
  return code;
}
CODE
ln -s "$library" "$work/libOpenCL.so" # the name that Oclgrind's library gives itself
if ! "${CC:-cc}" -shared -fPIC -DORIGINAL="\"$library\"" -Wl,-soname,libOpenCL.so.1 -Wl,--no-as-needed -Wl,-rpath,"$work" \
  -o "$work/front.so" "$work/front.c" "$library" -ldl; then
  echo "SKIPPED: no C compiler"
  exit 77
fi

# run NAME FILTER SETTING...: halves in memory are left out, the simulator does not know their conversions.
run() {
  local name=$1 filter=$2 log="$work/$1.log" out="$work/$1.out"
  shift 2
  if ! env LD_PRELOAD="$work/front.so" OCLGRIND_DATA_RACES=1 OCLGRIND_LOG="$log" "$@" \
    TERN_ONLY_ENGINE="$engine" TERN_ALL_ENGINES=1 TERN_RANDOM_GRAPHS=8 \
    "$ops_test" --gtest_filter="$filter" >"$out" 2>&1; then
    echo "$name: the tests failed"
    grep -vE '^INFO|^$' "$out" | tail -n 40
    failed=1
  fi
  if grep -q 'SKIPPED' "$out" || ! grep -q 'Oclgrind makes the buffers' "$out"; then
    echo "$name: Oclgrind's device is not there"
    cat "$out"
    failed=1
  fi
  if [ -s "$log" ]; then
    echo "$name: Oclgrind found this:"
    head -n 60 "$log"
    failed=1
  fi
  echo "$name: $(grep -c '^\[       OK' "$out") tests, log of $(wc -c <"$log" 2>/dev/null || echo 0) bytes"
}

# Uninitialized memory is looked for in unoptimized code, since the check does not know all that the optimizer makes, and
# in slices of 4: of the halves of a vector of 16 it takes the upper one for uninitialized.
for engine in "opencl W=4 F32" "opencl W=16 F32"; do
  settings=""
  case "$engine" in *W=4*) settings="OCLGRIND_UNINITIALIZED=1 OCLGRIND_BUILD_OPTIONS=-cl-opt-disable" ;; esac
  run "${engine// /-}" "OpCases.*:RandomGraphs.AgreeWithTheReference" $settings
done
exit $failed
