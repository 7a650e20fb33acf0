#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Swift package and runs its tests, plain and with AddressSanitizer, over the libraries of a build folder.
#   swift/test.sh BUILD_FOLDER [FLATC]
#   swift/test.sh prepare BUILD_FOLDER     only makes what it needs
# The system's `swift` does it; without one, root makes a Debian 13 below BUILD_FOLDER/swift, once, and it is done there.
# TERN_METAL_LIBRARY: a library with the functions of metal_delegate.h. With AddressSanitizer the tests run over it, plain over
# their own fake, which tells what it was asked for.
# Exit status 77, with the reason, where there is no Swift and none can be had; with CI set that is a failure.
set -eu
# Mounts of root are seen by this script alone and go with it, however it ends: who removes the build folder meanwhile does
# not reach into /dev.
if [ "$(id -u)" = 0 ] && [ -z "${TERN_OWN_MOUNTS:-}" ] && unshare --mount true 2>/dev/null; then
  TERN_OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0" "$@"
fi
cd "$(dirname "$0")/.."
prepare=""
[ "${1:-}" != prepare ] || { prepare=1; shift; }
[ $# -ge 1 ] && [ -d "$1" ] || { echo "usage: swift/test.sh [prepare] BUILD_FOLDER [FLATC]"; exit 2; }
build=$(realpath "$1") flatc=${2:-flatc}
shared=$(realpath -m "${TERN_SHARED:-../shared}")
work=$build/swift chroot=$build/swift/trixie
packages="swiftlang libc6-dev g++ git"

cannot() {
  echo "$1"
  [ -z "${CI:-}" ] || { echo "and CI must not skip the Swift tests"; exit 1; }
  exit 77
}
times="" step_name="" step_begin=0
step() {
  [ -z "$step_name" ] || times="$times$(printf '%5d s  %s' $((SECONDS - step_begin)) "$step_name")"$'\n'
  step_name=$1 step_begin=$SECONDS
}

# A mount that is left would go with the folder when somebody removes it.
unmount() {
  local folder
  for folder in dev proc; do
    ! mountpoint -q "$chroot/$folder" || umount "$chroot/$folder" 2>/dev/null || umount -l "$chroot/$folder"
  done
}

[ -n "$prepare" ] || [ -f "$build/lib/libtensorflowlite_c.so" ] || { echo "there is no $build/lib/libtensorflowlite_c.so: build tensorflowlite_c"; exit 1; }
command -v python3 >/dev/null || cannot "there is no python3, which makes the models"
[ -n "$prepare" ] || command -v "$flatc" >/dev/null || cannot "there is no flatc, which makes the models (Debian package flatbuffers-compiler)"
mkdir -p "$work"
exec 9>"$work/lock"
flock 9

# ---- a system with Swift: `inside COMMAND` runs it there, in the package's folder

make_chroot() {
  local log=$work/setup.log tool=$shared/tools/fresh_debian.sh
  [ "$(id -u)" = 0 ] || cannot "there is no swift here, and only root can make a Debian 13 that has it"
  if ! command -v debootstrap >/dev/null; then
    apt-get -o DPkg::Lock::Timeout=60 install -y debootstrap >"$log" 2>&1 || cannot "there is no swift, and debootstrap cannot be installed"
  fi
  trap unmount EXIT
  trap 'exit 130' INT TERM
  if [ ! -f "$work/ready" ]; then
    unmount
    rm -rf --one-file-system "$chroot"
  fi
  step "Debian 13"
  if [ -f "$tool" ]; then
    # It clones a project into the folder, which has nothing to do there.
    [ -d "$work/empty" ] || git init -q "$work/empty"
    RELEASE=trixie timeout 150 bash "$tool" "$work/empty" "$chroot" true >"$log" 2>&1 || cannot "Debian 13 cannot be made: $(tail -n 1 "$log")"
  else
    [ -x "$chroot/bin/bash" ] || timeout 150 debootstrap --variant=minbase trixie "$chroot" >"$log" 2>&1 ||
      cannot "Debian 13 cannot be made: $(tail -n 1 "$log")"
    cp /etc/resolv.conf "$chroot/etc/"
    mount -t proc proc "$chroot/proc"
    mount --bind /dev "$chroot/dev"
  fi
  step "Swift's packages"
  if [ ! -f "$work/ready" ]; then
    echo force-unsafe-io >"$chroot/etc/dpkg/dpkg.cfg.d/unsafe-io"  # it can be made again
    timeout 200 chroot "$chroot" /usr/bin/env -i PATH="$PATH" DEBIAN_FRONTEND=noninteractive bash -ec \
      "apt-get update -qq && apt-get install -y -qq --no-install-recommends $packages && apt-get clean" >"$log" 2>&1 ||
      cannot "Swift cannot be installed: $(tail -n 1 "$log")"
    touch "$work/ready"
  fi
}

given_metal=${TERN_METAL_LIBRARY:-} metal=""
inside() {
  local command="set -eu; cd $seen; export TERN_SWIFT_MODELS=$seen/models LD_LIBRARY_PATH=$seen/lib ASAN_OPTIONS=${leaks:-}; $1"
  [ -z "$metal" ] || command="export TERN_METAL_LIBRARY=$seen/lib/$(basename "$metal"); $command"
  if [ "$place" = system ]; then
    bash -c "$command"
  else
    chroot "$chroot" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -c "$command"
  fi
}

if command -v swift >/dev/null && swift --version 2>&1 | grep -q 'Swift version'; then
  place=system package=$work/package seen=$work/package
else
  make_chroot
  place="Debian 13 in $chroot" package=$chroot/root/package seen=/root/package
fi

[ -z "$prepare" ] || exit 0

# ---- the package, with what its tests need beside it

step "files"
mkdir -p "$package"
find "$package" -mindepth 1 -maxdepth 1 ! -name '.build*' -exec rm -rf {} +
cp -a Package.swift swift include demo "$package"
python3 -B swift/Tests/make_models.py "$flatc" schema/schema.fbs "$work/models"
cp -a "$work/models" "$package"
python3 -B swift/Tests/snippets.py pages "$package/swift/Tests/TensorFlowLiteTests/PageSnippets.swift"
if [ -d "$shared/product-docs" ]; then
  python3 -B swift/Tests/snippets.py check "$shared/product-docs"
else
  echo "skipped: whether the snippets are all that the documents have (no $shared/product-docs)"
fi
# The libraries, and those of this system that they need and another may lack; those of C and C++ are newer there.
mkdir -p "$package/lib"
cp -L "$build/lib/libtensorflowlite_c.so" ${given_metal:+"$given_metal"} "$package/lib"
for library in "$package"/lib/*.so; do
  ldd "$library" | awk '$3 ~ /^\// {print $3}' | grep -vE '/(lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so|ld-)' |
    xargs -r cp -L -n -t "$package/lib"
done

# ---- the tests

# counted LOG: the last line in which XCTest counts.
counted() { grep -E 'Executed [0-9]+ test' "$1" | tail -n 1 | sed 's/^[[:space:]]*//'; }
failed=0
link="-Xlinker -L$seen/lib -Xlinker -rpath-link -Xlinker $seen/lib"
# suite NAME FLAGS: builds and runs; the whole log is beside the package.
suite() {
  local name=$1 flags="$2 $link" log
  log=$work/${name// /-}.log
  step "build, $name"
  if inside "swift build --build-tests $flags" >"$log" 2>&1; then
    step "tests, $name"
    inside "swift test --skip-build $flags" >>"$log" 2>&1 || failed=1
  else
    failed=1
  fi
  grep -E "error:|swift/Sources/.*warning:|ERROR: AddressSanitizer|SUMMARY:|Fatal error" "$log" | head -n 40 || true
  grep -E "^.* skipped: |: skipped " "$log" | grep -v Executed | head -n 20 || true
  echo "$name: $(counted "$log" || true)"
  grep -qE 'Executed [1-9][0-9]* test' "$log" || { tail -n 20 "$log"; failed=1; }
}

echo "Swift on $place: $(inside 'swift --version 2>/dev/null' | head -n 1)"
step "manifest"
inside "swift package dump-package" >"$work/package.json"
python3 -B tests/apple_packages_test.py --dump "$work/package.json" || failed=1
suite "plain" ""
# XCTest's own tables stay to the end; leaks are for the application below.
leaks=detect_leaks=0 metal=$given_metal
suite "AddressSanitizer" "--sanitize=address --scratch-path .build-asan"
leaks= metal=

step "an application"
# It takes the package from a repository, as others do, and LeakSanitizer looks at what it leaves.
rm -rf "$package/.git"
inside "git init -q -b main . && git add Package.swift swift include && git -c user.name=test -c user.email=test commit -qm package
  cp -a swift/Tests/App app && cd app && export TERN_REPOSITORY=file://$seen
  swift build --sanitize=address $link && .build/debug/App $seen/models" >"$work/app.log" 2>&1 || { tail -n 30 "$work/app.log"; failed=1; }
grep 'ran in an application' "$work/app.log" || failed=1

step "no Swift"
# The block of a document that the compiler must refuse, and for that one reason.
python3 -B swift/Tests/snippets.py no-swift "$package/no_swift.swift"
inside "swiftc -typecheck no_swift.swift -I .build/debug/Modules -I .build/debug $(printf -- '-I swift/Sources/%s/include ' \
  TensorFlowLiteC TensorFlowLiteCMetal TensorFlowLiteCSupport)" >"$work/no-swift.log" 2>&1 || true
errors=$(grep -o '^no_swift.swift:.* error: .*' "$work/no-swift.log" || true)
case "$errors" in
  *$'\n'* | '') errors="" ;;
  *'conditional binding must have Optional type'*) echo "the compiler refuses the block that is no Swift: ${errors#*error: }" ;;
  *) errors="" ;;
esac
[ -n "$errors" ] || { cat "$work/no-swift.log"; echo "FAILED: the block that is no Swift gives other errors than it should"; failed=1; }
step ""
printf '%s%5d s  in all\n' "$times" "$SECONDS"
exit $failed
