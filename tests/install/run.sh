#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a temporary prefix and builds programs against it as a stranger would: a CMake project with shared and
# with static libraries, and one program by pkg-config.   run.sh BUILD_FOLDER C_COMPILER CXX_COMPILER
set -eu
build=$1 cc=$2 cxx=$3
here=$(cd "$(dirname "$0")" && pwd)
model=$here/../../demo/landscape.tflite
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

cmake --install "$build" --prefix "$prefix" >"$work/install.log" 2>&1 || { cat "$work/install.log"; exit 1; }
echo "== CMake project"
cmake -G Ninja -S "$here" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for program in app_shared app_static app_c app_tensorflow_lite app_tensorflow-lite app_tensorflowlite; do
  echo "$program: $("$work/build/$program" "$model")"
done
if [ -x "$work/build/app_gl" ]; then
  echo "app_gl: $("$work/build/app_gl" 2>/dev/null)"
fi
echo "== examples"
cmake -G Ninja -S "$here/../../examples" -B "$work/examples" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/examples" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
demo=$here/../../demo
"$work/examples/classify" "$model" "$demo/labels.txt" "$demo/landscape.png" | tee "$work/classes"
head -n 1 "$work/classes" | grep -q '^sky: 0[.]39'
echo other >"$work/few.txt"
"$work/examples/classify" "$model" "$work/few.txt" "$demo/landscape.png" | grep -q '^class 1: '
"$work/examples/camera" "$model" "$demo" "$work/cache" 2>"$work/log" | tee "$work/pictures"
grep -q '^1 pictures$' "$work/pictures"
if command -v pkg-config >/dev/null; then
  echo "== pkg-config"
  export PKG_CONFIG_PATH
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tensorflowlite.pc)")
  libdir=$(pkg-config --variable=libdir tensorflowlite)
  # The names of TensorFlow Lite bring the delegate with them.
  for name in "tensorflowlite_gpu_delegate tensorflowlite" tensorflow-lite tensorflow2-lite; do
    flags=$(pkg-config --cflags --libs $name)
    "$cxx" -std=c++17 "$here/app.cc" -o "$work/app" $flags
    echo "app by pkg-config, $name: $(LD_LIBRARY_PATH=$libdir "$work/app" "$model")"
  done
  flags=$(pkg-config --cflags --libs tensorflowlite_c)
  "$cc" -std=c11 "$here/app.c" -o "$work/app_c" $flags
  echo "C app by pkg-config: $(LD_LIBRARY_PATH=$libdir "$work/app_c" "$model")"
fi
echo "== what only tests have is left out"
libraries=$(find "$prefix" -name 'libtensorflowlite_gpu_delegate.*')
for text in OpenHostDevice tern-host-XXXXXX tern_run_groups dialect_copy; do
  if grep -l -a -e "$text" $libraries "$prefix/bin/tern"; then
    echo "these hold '$text'"
    exit 1
  fi
done
"$prefix/bin/tern" run "$model" >/dev/null
if "$prefix/bin/tern" run --help | grep -w host; then
  echo "the installed tern offers an engine that it has not" >&2
  exit 1
fi
echo "installed tern: ok"
"$prefix/bin/benchmark_model" --graph="$model" --num_runs=1 --min_secs=0 --warmup_min_secs=0 >/dev/null
echo "installed benchmark_model: ok"
"$prefix/bin/label_image" --help >/dev/null
echo "installed label_image: ok"
