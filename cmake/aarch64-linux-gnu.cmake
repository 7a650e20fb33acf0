# Linux on arm64 by Debian's cross compiler (g++-aarch64-linux-gnu) or, where it is named, clang, with libraries of that
# architecture (dpkg --add-architecture arm64).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
if(NOT CMAKE_CXX_COMPILER)
  set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
  set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
endif()
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Programs of the build run here, too: tests, and generators of test inputs.
find_program(TERN_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(TERN_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${TERN_QEMU} -L /)
endif()
