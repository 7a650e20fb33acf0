# Linux on arm64 by Debian's cross compiler (g++-aarch64-linux-gnu) or, where it is named, clang.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(tern_libraries aarch64-linux-gnu)
set(tern_compiler aarch64-linux-gnu)
set(tern_emulators qemu-aarch64-static qemu-aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
