#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the Objective-C API over the C library of a build and tests it: plain, with AddressSanitizer, by clang's
# analyzer, and the headers as an app for iOS sees them.   run.sh BUILD_FOLDER [FLATC]
# Exit status 77, with the reason, where GNUstep or clang is missing. TERN_METAL_LIBRARY names a library with the C
# functions of metal_delegate.h, and then the tests run plain alone; without it a fake records what it is asked for.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "$1") flatc=${2:-flatc}
. objc/tests/flags.sh "$build"
out=$build/objc${TERN_METAL_LIBRARY:+_metal}
rm -rf "$out"
mkdir -p "$out"
flags="$flags -Iobjc/sources -Iobjc/tests"
libraries="$(gnustep-config --base-libs) -lBlocksRuntime"
if [ -n "${TERN_METAL_LIBRARY:-}" ]; then
  metal=$(realpath "$TERN_METAL_LIBRARY")
  echo "Metal's functions: $metal"
  libraries="$metal -Wl,-rpath,$(dirname "$metal") $libraries"
else
  echo "Metal's functions: objc/tests/fake_metal.c"
  flags="$flags -DTERN_FAKE_METAL"
fi
core=$(ls objc/sources/*.m | grep -v TFLMetalDelegate)
tests=$(ls objc/tests/*.m | grep -v -e headers_test -e planted_leak)

# each COMMAND: runs it for each line of the standard input, several at once; {} is the line.
each() { xargs -P "$(nproc)" -I{} bash -c "$1"; }
failed=0
fail() { echo "FAILED: $1"; failed=1; }

# build_in FOLDER FLAGS: two libraries, as the packages have them, and the program of the tests.
build_in() {
  local folder=$out/$1 more=$2
  mkdir -p "$folder"
  ls objc/sources/*.m objc/tests/*.m objc/tests/fake_metal.c | grep -v -e headers_test -e planted_leak |
    if [ -n "${TERN_METAL_LIBRARY:-}" ]; then grep -v fake_metal; else cat; fi |
    each "case {} in
        *.m) $clang $flags $more -c {} -o $folder/\$(basename {}).o ;;
        *) $clang -std=c11 -Wall -Wextra -Werror -g $more -Iinclude -c {} -o $folder/\$(basename {}).o ;;
      esac" || return 1
  rm -f "$folder"/*.a
  ar qcs "$folder/libTFLTensorFlowLite.a" $(for file in $core; do echo "$folder/$(basename "$file").o"; done)
  ar qcs "$folder/libTFLMetalDelegate.a" "$folder/TFLMetalDelegate.m.o"
  local objects
  objects=$(for file in $tests; do echo "$folder/$(basename "$file").o"; done)
  [ -n "${TERN_METAL_LIBRARY:-}" ] || objects="$objects $folder/fake_metal.c.o"
  "$clang" $more $objects -L"$folder" -lTFLMetalDelegate -lTFLTensorFlowLite -L"$build/lib" -ltensorflowlite_c \
    -Wl,-rpath,"$build/lib" $libraries -o "$folder/objc_test"
}

python3 -B objc/tests/make_objc_models.py "$flatc" schema/schema.fbs "$out/models"
python3 -B objc/tests/check_texts.py || failed=1

build_in plain "" || exit 1
echo "plain: $(ls "$out"/plain/TFL*.o | wc -l) sources"
"$out/plain/objc_test" "$out/models" 2>"$out/plain.log" || { cat "$out/plain.log"; fail "tests"; }
[ -z "${TERN_METAL_LIBRARY:-}" ] || exit $failed

if echo 'int main(void) { return 0; }' | "$clang" -fsanitize=address -x c - -o /dev/null 2>/dev/null; then
  export ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0
  export LSAN_OPTIONS=suppressions=$PWD/objc/tests/lsan.supp:print_suppressions=0
  build_in asan "-fsanitize=address -fno-omit-frame-pointer" || exit 1
  echo "AddressSanitizer:"
  "$out/asan/objc_test" "$out/models" 2>"$out/asan.log" || { cat "$out/asan.log"; fail "tests with AddressSanitizer"; }
  if "$out/asan/objc_test" "$out/models" --leak >"$out/leak.log" 2>&1 || ! grep -q 'detected memory leaks' "$out/leak.log"; then
    fail "the interpreter that is lost on purpose was not found"
  fi
else
  echo "skipped: AddressSanitizer (Debian package libclang-rt-14-dev)"
fi

# analyze FILE: how many reports.
analyze() {
  "$clang" --analyze -Xclang -analyzer-checker=osx.cocoa -Xclang -analyzer-output=text $flags -o /dev/null "$1" 2>&1 |
    grep -E '^[^ ].*(warning|error):' || true
}
export -f analyze
export clang flags
reports=$(ls objc/sources/*.m | each 'analyze {}')
[ -z "$reports" ] || { echo "$reports"; fail "reports of the analyzer"; }
[ -n "$(analyze objc/tests/planted_leak.m)" ] || fail "the analyzer does not find planted_leak.m"
echo "analyzer: $(ls objc/sources/*.m | wc -l) sources, $(echo -n "$reports" | grep -c . || true) reports"

# The headers alone in both languages, here and for iOS; sources and an application for iOS.
ios="-target arm64-apple-ios14 -ffreestanding -nostdlibinc -isystem objc/tests/apple -isystem tests/api/metal
  -Iobjc/apis -Iinclude -Wall -Wextra -Werror -Wnullability-completeness -fsyntax-only"
check() { "$clang" "$@" || fail "$*"; }
count=0
for header in objc/apis/*.h; do
  for language in objective-c objective-c++; do
    check $flags -fsyntax-only -Wno-pragma-once-outside-header -x $language "$header"
    check $ios -fobjc-arc -x $language "$header"
    count=$((count + 2))
  done
done
for source in objc/sources/*.m; do
  check $ios -fno-objc-arc "$source"
  count=$((count + 1))
done
for folder in tensorflow/lite tflite; do
  for header in objc/apis/*.h; do
    check ${ios/objc\/apis/objc\/include} -fobjc-arc -x objective-c "objc/include/$folder/$header"
    count=$((count + 1))
  done
done
for import in HEADERS UMBRELLA TREE TREE_UMBRELLA; do
  headers=objc/apis
  [ "${import#TREE}" = "$import" ] || headers=objc/include
  check ${ios/objc\/apis/$headers} -fobjc-arc -DTERN_$import objc/tests/headers_test.m
  check ${flags/objc\/apis/$headers} -fsyntax-only -DTERN_$import objc/tests/headers_test.m
  count=$((count + 2))
done
check $ios -fobjc-arc -DTERN_MODULE -fmodules -fmodules-cache-path="$out/modules" objc/tests/headers_test.m
echo "headers: $((count + 1)) compilations"
if grep -rniE 'gnustep' objc/apis objc/sources; then fail "a name of GNUstep"; fi
exit $failed
