#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Java artifacts below BUILD_FOLDER.   package.sh BUILD_FOLDER [arm64 | android ABI...]
# Jars by Maven, with the native libraries that CMake built in BUILD_FOLDER; arm64: with those for Linux on arm64 as well,
# cross-compiled. android: by the NDK in $ANDROID_NDK, the libraries for each ABI, and AAR files of the jars with them. `./dev`
# calls it when the arguments are right and the packages there.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
build=$(realpath "$1") system=${2:-}
shift
jobs=$(nproc)

# cross FOLDER TARGETS OPTION...: builds libraries for another system in another folder.
cross() {
  local folder=$1 targets=$2
  shift 2
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTERN_BUILD_TESTS=OFF -DTERN_BUILD_BENCH=OFF \
    -DTERN_BUILD_TOOLS=OFF -DTERN_WITH_HOST=OFF "$@"
  cmake --build "$folder" --target $targets -- -j "$jobs"
}

# android_libraries ABI: lays them out in $build/lib/ABI. The headers of OpenCL, which the NDK lacks, fit every processor;
# the rest of their folder is this system's. Debug information, which the NDK asks for, is left out. With models in
# $TERN_OPS_FOR the libraries have the operators of these alone.
android_libraries() {
  local abi=$1 options="" name variable
  for variable in TERN_DEBIAN_ARCHIVE FETCHCONTENT_SOURCE_DIR_ABSEIL FETCHCONTENT_SOURCE_DIR_FLATBUFFERS \
    FETCHCONTENT_SOURCE_DIR_GLSLANG FETCHCONTENT_SOURCE_DIR_HIGHWAY; do
    [ -z "${!variable:-}" ] || options="$options -D$variable=${!variable}"
  done
  cross "$build/$abi" "tensorflowlite_jni tensorflowlite_gpu_jni tensorflowlite_c tensorflowlite_gpu_delegate" \
    -DCMAKE_TOOLCHAIN_FILE="$(realpath "$ANDROID_NDK")/build/cmake/android.toolchain.cmake" -DANDROID_ABI="$abi" \
    -DANDROID_PLATFORM=android-21 -DANDROID_STL=c++_static -DANDROID_SUPPORT_FLEXIBLE_PAGE_SIZES=ON \
    "-DTERN_OPS_FOR=${TERN_OPS_FOR:-}" -DTERN_FETCH_DEPENDENCIES=ON -DOPENCL_INCLUDE="$build/include" -DCMAKE_SHARED_LINKER_FLAGS_RELEASE=-s \
    -DCMAKE_MODULE_LINKER_FLAGS_RELEASE=-s $options
  mkdir -p "$build/lib/$abi"
  for name in jni gpu_jni c gpu_delegate; do
    cp "$build/$abi/lib/libtensorflowlite_$name.so" "$build/lib/$abi"
  done
  [ ! -f "$build/$abi/lib/libtern_glslang.so" ] || cp "$build/$abi/lib/libtern_glslang.so" "$build/lib/$abi"
}

# aar ARTIFACT LIBRARY ABI... The compiler of the GPU's programs for Vulkan lies beside the library that loads it.
aar() {
  local artifact=$1 library=$2 jar out jni=$build/java/jni/$1 abi
  shift 2
  rm -rf "$jni"
  for abi in "$@"; do
    mkdir -p "$jni/$abi"
    cp "$build/lib/$abi/$library" "$jni/$abi"
    [ "$artifact" != tensorflow-lite-gpu ] || [ ! -f "$build/lib/$abi/libtern_glslang.so" ] ||
      cp "$build/lib/$abi/libtern_glslang.so" "$jni/$abi"
  done
  jar=$(ls "$build/java/$artifact"/*.jar)
  out=$build/$(basename "${jar%.jar}").aar
  python3 -B java/aar/make_aar.py "$out" "$jar" "$artifact" "$jni"
  echo "$out"
}

case "$system" in
  arm64)
    cross build/java-arm64 java_natives -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64-linux-gnu.cmake" \
      -DTERN_JAVA_NATIVES="$build/java/natives" ;;
  android)
    shift
    mkdir -p "$build/include"
    ln -sfn /usr/include/CL "$build/include/CL"
    for abi in "$@"; do android_libraries "$abi"; done ;;
esac
mvn -B -ntp -q -f java/pom.xml "-Dtern.build=$build" package
if [ "$system" = android ]; then
  ls "$build"/lib/*/libtensorflowlite_{c,gpu_delegate}.so
  aar tensorflow-lite libtensorflowlite_jni.so "$@"
  aar tensorflow-lite-gpu libtensorflowlite_gpu_jni.so "$@"
else
  ls "$build"/java/tensorflow-lite{,-gpu}/*.jar
fi
