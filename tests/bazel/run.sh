#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The BUILD files are understood, alone and in another workspace, and name the sources that CMake compiles. Nothing is
# compiled; ./dev bazel does that.   run.sh SOURCES, a file with a path on each line
set -eu -o pipefail
command -v bazel >/dev/null || { echo "skipped: no bazel here (Debian package bazel-bootstrap)"; exit 77; }
# Debian's says "no_version". From 8 on Bazel reads no WORKSPACE.
version=$(bazel --version)
case "$version" in
  "bazel "[7-9].* | "bazel "[1-9][0-9].*) echo "skipped: $version here, and the BUILD files are for Bazel 4 to 6"; exit 77 ;;
esac
root=$(pwd)
work=$(mktemp -d)
# Bazel keeps files without the permission to remove them.
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

run() { bazel --batch --output_base="$work/$1" "${@:2}" 2>"$work/log" || { cat "$work/log"; exit 1; }; }

echo "== the same sources"
grep "^$root/src/" "$1" | sed -e "s|^$root/||" | sort >"$work/by_cmake"
run alone query 'labels(srcs, //:base + //:runtime + //:gpu_delegate)' | sed -n -e 's|^//:\(src/.*\.cc\)$|\1|p' |
  sort >"$work/by_bazel"
diff "$work/by_cmake" "$work/by_bazel" || { echo "CMake (<) and Bazel (>) compile different sources"; exit 1; }
echo "$(wc -l <"$work/by_bazel") sources"

echo "== the labels of TensorFlow Lite"
gpu=tensorflow/lite/delegates/gpu
run alone build --nobuild --symlink_prefix=/ -c opt $gpu:delegate $gpu:libtensorflowlite_gpu_delegate.so \
  tensorflow/lite:libtensorflowlite.so tensorflow/lite/c:libtensorflowlite_c.so //:app_test

echo "== in another workspace"
mkdir "$work/whole"
cp tests/install/app.cc "$work/whole"
cat >"$work/whole/WORKSPACE" <<TEXT
local_repository(name = "tern", path = "$root")
load("@tern//bazel:dependencies.bzl", "tern_dependencies")
tern_dependencies()
TEXT
cat >"$work/whole/BUILD" <<'TEXT'
cc_binary(
    name = "app",
    srcs = ["app.cc"],
    deps = [
        "@tern//tensorflow/lite:framework",
        "@tern//tensorflow/lite/delegates/gpu:delegate",
        "@tern//tensorflow/lite/kernels:builtin_ops",
    ],
)
TEXT
(cd "$work/whole" && run other build --nobuild --symlink_prefix=/ -c opt :app)
(cd "$work/whole" && run other build --symlink_prefix=/ -c opt @tern//:kernels @tern//:schema)

echo "== Android"
unset ANDROID_NDK_HOME
if (run alone build --nobuild --symlink_prefix=/ --config android_arm64 $gpu:delegate) >"$work/said"; then
  echo "built for Android without an NDK"
  exit 1
fi
sed -n -e 's/^Error in fail: //p' "$work/said" | grep -m 1 ANDROID_NDK_HOME
