#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compile_with.sh CLANG GCC ARGUMENTS...: Clang in the place of GCC.
compiler=$1
shift 2
case " $* " in
  *" c++-header "*)
    # Clang would take the precompiled header of before for the header that it precompiles.
    previous=""
    for word in "$@"; do
      [ "$previous" != -o ] || rm -f "$word"
      previous=$word
    done
    set -- -fpch-instantiate-templates "$@" ;;
esac
exec "$compiler" -Wno-unknown-warning-option "$@"
