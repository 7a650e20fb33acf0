#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# TERN_FETCH_DEPENDENCIES: without a package of Abseil, FlatBuffers, glslang and Highway the libraries are configured, these are part
# of them, and objects compile.   fetch_test.sh BUILD_FOLDER C_COMPILER CXX_COMPILER
# The sources are in $TERN_FETCHED_SOURCES, as `apt-get source abseil flatbuffers glslang highway` leaves them there, or are
# downloaded once into BUILD_FOLDER; where neither can be, it is skipped.
set -eu -o pipefail
build=$1 cc=$2 cxx=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sources=""
for name in abseil flatbuffers glslang highway; do
  folder=$(ls -d "${TERN_FETCHED_SOURCES:-$build/fetched}/$name"-[0-9s]*/ 2>/dev/null | head -n 1 || true)
  [ -z "$folder" ] || sources="$sources -DFETCHCONTENT_SOURCE_DIR_${name^^}=$folder"
done

# configure FOLDER OPTION...
configure() {
  local folder=$1
  shift
  cmake -G Ninja -S . -B "$folder" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" -DTERN_FETCH_DEPENDENCIES=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_absl=ON -DCMAKE_DISABLE_FIND_PACKAGE_FlatBuffers=ON -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_glslang=ON \
    -DTERN_DEBIAN_ARCHIVE="${TERN_DEBIAN_ARCHIVE:-}" $sources "$@" >"$work/log" 2>&1 &&
    ninja -C "$folder" build.ninja >>"$work/log" 2>&1
}
# steps FOLDER TARGET
steps() { ninja -C "$1" -t commands "$2"; }
fail() { echo "$1"; exit 1; }

libraries="-DTERN_BUILD_TESTS=OFF -DTERN_BUILD_TOOLS=OFF -DTERN_BUILD_BENCH=OFF -DTERN_BUILD_JAVA=OFF"
[ -n "$sources" ] || mkdir -p "$build/fetched"
if ! configure "$work/libraries" $libraries; then
  cat "$work/log"
  ! grep -qi 'hash mismatch' "$work/log" || fail "a download is not the file that it was"
  if grep -qiE 'each download failed|no archive to fetch' "$work/log"; then
    echo "skipped: nothing to fetch from (TERN_FETCHED_SOURCES, TERN_DEBIAN_ARCHIVE)"
    exit 77
  fi
  exit 1
fi
if [ -z "$sources" ]; then
  for name in abseil flatbuffers glslang highway; do
    [ -d "$work/libraries/_deps/$name-src" ] || continue  # there are no headers of Vulkan here
    mv "$work/libraries/_deps/$name-src" "$build/fetched/"
    sources="$sources -DFETCHCONTENT_SOURCE_DIR_${name^^}=$build/fetched/$name-src"
  done
  configure "$work/libraries" $libraries || { cat "$work/log"; exit 1; }
fi

for library in tensorflowlite tensorflowlite_c tensorflowlite_gpu_delegate; do
  link=$(steps "$work/libraries" $library | tail -n 1)
  [[ $link == *libabsl_status.a* && $link != *libabsl*.so* ]] || fail "$library has not Abseil in it: $link"
  [[ $library == *gpu* || $link == *libhwy.a* ]] || fail "$library has not Highway in it: $link"
done
for object in $(steps "$work/libraries" libtensorflowlite.so | grep -o 'CMakeFiles/tern_base.dir/\S*\.o ' | head -n 1) \
  CMakeFiles/tern_simd.dir/src/cpu/simd/pool.cc.o; do
  ninja -C "$work/libraries" "$object" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
done

# Without a flatc of that release one is built before the headers of the schema.
configure "$work/libraries" $libraries -DFLATC=/nonexistent || { cat "$work/log"; exit 1; }
steps "$work/libraries" tern_schema_gen >"$work/steps"
[ "$(grep -n -m 1 -- '--target flatc' "$work/steps" | cut -d : -f 1)" -lt \
  "$(grep -n -m 1 'flatc/flatc --cpp' "$work/steps" | cut -d : -f 1)" ] || fail "no flatc is built: $(cat "$work/steps")"

# Tools and tests link the same libraries.
configure "$work/all" -DTERN_BUILD_JAVA=OFF || { cat "$work/log"; exit 1; }
[[ $(steps "$work/all" tern | tail -n 1) == *libflatbuffers.a* ]] || fail "the tool has not FlatBuffers in it"
echo "libraries, tools and tests are configured over fetched sources"
