#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configuring without some libraries: those that are needed are named, all in one sentence, with their Debian packages;
# without the others a line says what is left out.   configure_test.sh C_COMPILER CXX_COMPILER
set -eu -o pipefail
export CC=$1 CXX=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Messages are folded into lines as cmake likes; here they are one line.
configure() { cmake -G Ninja -S . -B "$work/build" "$@" 2>&1 | tr -s '\n ' ' ' >"$work/log"; }
says() { grep -q -F -e "$1" "$work/log" || { echo "not said: $1"; cat "$work/log"; exit 1; }; }

if configure -DCMAKE_DISABLE_FIND_PACKAGE_FlatBuffers=ON -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON; then
  echo "configured without FlatBuffers and GTest"
  exit 1
fi
says "Tern cannot be built without FlatBuffers (Debian package libflatbuffers-dev), GTest (Debian package libgtest-dev and libgmock-dev)."

# Headers of drivers lie in the system's folder, which is not searched here.
rm -rf "$work/build"
configure -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON -DCMAKE_IGNORE_PATH=/usr/include || { cat "$work/log"; exit 1; }
says "The backend OpenCL is left out: CL/cl.h is missing (Debian package opencl-headers)."
says "The backend OpenGL ES is left out: EGL/egl.h is missing (Debian package libegl-dev)."
says "The heavy CPU operations run their plain, slow forms: Highway is missing (Debian package libhwy-dev)."
echo "what is missing is named"
