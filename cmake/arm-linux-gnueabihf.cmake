# Linux on 32-bit Arm by Debian's cross compiler (g++-arm-linux-gnueabihf) or, where it is named, clang.
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(tern_libraries arm-linux-gnueabihf)
set(tern_compiler arm-linux-gnueabihf)
set(tern_emulators qemu-arm-static qemu-arm)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
