#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Java artifacts, after CMake built the native libraries in BUILD_FOLDER: jars by Maven, and AAR files where an NDK is.
#   package.sh BUILD_FOLDER [arm64]
# arm64: the jars get the libraries for Linux on arm64 as well, cross-compiled.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "$1")
jobs=$(nproc)

# cross FOLDER OPTION...: builds the native libraries in another folder and lays them out beside those that are there.
cross() {
  local folder=$1
  shift
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTERN_BUILD_TESTS=OFF -DTERN_BUILD_BENCH=OFF \
    -DTERN_BUILD_TOOLS=OFF -DTERN_WITH_HOST=OFF -DTERN_JAVA_NATIVES="$build/java/natives" "$@"
  cmake --build "$folder" --target java_natives -- -j "$jobs"
}

if [ "${2:-}" = arm64 ]; then
  cross build/java-arm64 -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64-linux-gnu.cmake"
fi

mvn -B -ntp -q -f java/pom.xml "-Dtern.build=$build" -pl tensorflow-lite,tensorflow-lite-gpu package
jars=""
for artifact in tensorflow-lite tensorflow-lite-gpu; do
  jars="$jars $(ls "$build/java/$artifact"/*.jar)"
done
printf '%s\n' $jars

if [ -z "${ANDROID_NDK:-}" ]; then
  echo "no AAR files: ANDROID_NDK names no NDK"
  exit 0
fi
cross build/android -DCMAKE_TOOLCHAIN_FILE="$ANDROID_NDK/build/cmake/android.toolchain.cmake" -DANDROID_ABI=arm64-v8a \
  -DANDROID_PLATFORM=android-21 -DANDROID_STL=c++_static -DCMAKE_FIND_ROOT_PATH="${TERN_ANDROID_PREFIX:-}" \
  -DTERN_JAVA_NATIVES="$PWD/build/android/java/natives"
jni=build/android/java/jni
for jar in $jars; do
  artifact=$(basename "$(dirname "$jar")")
  rm -rf "${jni:?}/$artifact"
  mkdir -p "$jni/$artifact/arm64-v8a"
  find "build/android/java/natives/$artifact" -name '*.so' -exec cp {} "$jni/$artifact/arm64-v8a" ';'
  python3 -B java/aar/make_aar.py "${jar%.jar}.aar" "$jar" "$artifact" $jni/"$artifact"
  echo "${jar%.jar}.aar"
done
