#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tern as a part of another project: it gives libraries alone and asks for no package that only the rest needs. Build steps
# are listed, not run; programs link with the libraries of the build folder.   run.sh BUILD_FOLDER C_COMPILER CXX_COMPILER
set -eu -o pipefail
build=$1 cc=$2 cxx=$3
root=$(pwd)
model=$root/demo/landscape.tflite
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# configure SOURCES FOLDER OPTION...: no package of tests, tools, Java and Python is found.
configure() {
  local sources=$1 folder=$2 package without=""
  shift 2
  for package in GTest CLI11 nlohmann_json Python Python3 pybind11; do
    without="$without -DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"
  done
  { cmake -G Ninja -S "$sources" -B "$folder" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" $without "$@" &&
    ninja -C "$folder" build.ninja; } >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

# check_steps FOLDER: what is built are libraries.
check_steps() {
  local targets=$work/targets steps=$work/steps name
  ninja -C "$1" -t targets all >"$targets"
  ninja -C "$1" -t commands all >"$steps"
  for name in tensorflowlite tensorflowlite_c tensorflowlite_gpu_delegate tensorflowlite_static; do
    grep -q "^$name: phony" "$targets" || { echo "there is no target $name"; exit 1; }
  done
  if grep -E -e '-Werror|gtest|_test\.cc|/(tools|bench|java|python|tests/fuzz)/|backends/host/' "$steps" | cut -c 1-300; then
    echo "these steps are not for libraries"
    exit 1
  fi
  echo "$(wc -l <"$steps") steps"
}

echo "== add_subdirectory"
configure "$root/tests/subproject" "$work/added" -DTERN_FOLDER="$root"
check_steps "$work/added"
if grep 'file(INSTALL' "$work/added/tern/cmake_install.cmake"; then
  echo "Tern installs itself with the project"
  exit 1
fi

echo "== programs"
# The libraries of the build folder stand in for those that the project would build.
mkdir -p "$work/added/tern/lib"
ln -s "$(realpath "$build")"/lib/libtensorflowlite* "$work/added/tern/lib"
ninja -C "$work/added" tern/tern_schema_gen >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for program in app app_static app_c; do
  ninja -C "$work/added" -t commands "$program" | grep "CMakeFiles/$program\.dir/" >"$work/steps"
  (cd "$work/added" && bash -eu "$work/steps") >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  echo "$program: $("$work/added/$program" "$model")"
done

echo "== FetchContent"
# The project that docs/build.md shows.
mkdir "$work/shown"
cp tests/install/app.cc "$work/shown"
awk '/^```/ { if (block ~ /FetchContent_Declare/) printf "%s", block; block = ""; next } { block = block $0 "\n" }' \
  docs/build.md | sed -e "s#https://[^ ]*#file://$work/repository#" >"$work/shown/CMakeLists.txt"
grep -q "file://$work/repository" "$work/shown/CMakeLists.txt" || { echo "docs/build.md shows no FetchContent"; exit 1; }
configure "$work/shown" "$work/folder" -DFETCHCONTENT_SOURCE_DIR_TERN="$root"
check_steps "$work/folder"
command -v git >/dev/null || { echo "skipped: FetchContent from a repository (no git here)"; exit 0; }
# A repository of the files as they are, committed or not.
mkdir "$work/repository"
cp -r "$root"/{CMakeLists.txt,cmake,include,schema,src} "$work/repository"
git -C "$work/repository" init -q -b main
git -C "$work/repository" add .
git -C "$work/repository" -c user.name=test -c user.email=test@localhost -c commit.gpgsign=false commit -q -m test
configure "$work/shown" "$work/fetched"
check_steps "$work/fetched"
