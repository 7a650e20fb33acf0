#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How Objective-C is compiled here: sets clang and flags for who sources it in the project's root, prints both when it is run.
# Ends with status 77, with the reason, where GNUstep or clang is missing.   flags.sh BUILD_FOLDER
missing() { echo "$1"; exit 77; }
command -v gnustep-config >/dev/null || missing "no GNUstep here (Debian packages gobjc++ libgnustep-base-dev)"
clang=$(command -v clang-14 || command -v clang) || missing "no clang here (Debian package clang-14)"
[ -e /usr/include/Block.h ] || missing "no Block.h here (Debian package libblocksruntime-dev)"
echo 'int main(void) { return 0; }' | "$clang" -x c - -o /dev/null -lobjc 2>/dev/null ||
  missing "clang does not find GCC's Objective-C runtime (Debian package gobjc++)"
# GCC keeps the runtime's headers in its own folder, whose other headers are not for clang.
mkdir -p "$1/objc_include"
runtime_headers=$(gcc -print-file-name=include)/objc
# Left alone where it is right: another test may be compiling.
[ -d "$1/objc_include/objc" ] || [ ! -d "$runtime_headers" ] || ln -sfn "$runtime_headers" "$1/objc_include/objc"
flags="$(gnustep-config --objc-flags | sed -E 's/(^| )(-MMD|-MP|-O[0-9]|-g|-I\.)( |$)/ /g; s/(^| )(-MMD|-MP|-O[0-9]|-g|-I\.)( |$)/ /g; s/-I/-isystem /g')"
case "$flags" in
  *-fobjc-runtime=*) ;;
  *) flags="$flags -fobjc-runtime=gcc" ;;
esac
flags="$flags -g -O1 -fblocks -fno-objc-arc -Wall -Wextra -Werror -isystem $1/objc_include -isystem objc/tests/gnustep
  -Iobjc/apis -Iinclude -Itests/api/metal"
flags=$(echo $flags)
[ "${BASH_SOURCE[0]}" != "$0" ] || echo "$clang $flags"
