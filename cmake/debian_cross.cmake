# For the toolchain files: a system of Debian's on another architecture, with libraries from `dpkg --add-architecture`. They name
# the folder of libraries, the prefix of the compiler and the emulators that run its programs.
set(CMAKE_SYSTEM_NAME Linux)
if(NOT CMAKE_CXX_COMPILER)
  set(CMAKE_C_COMPILER ${tern_compiler}-gcc)
  set(CMAKE_CXX_COMPILER ${tern_compiler}-g++)
endif()
set(CMAKE_C_COMPILER_TARGET ${tern_compiler})
set(CMAKE_CXX_COMPILER_TARGET ${tern_compiler})
set(CMAKE_LIBRARY_ARCHITECTURE ${tern_libraries})
# Programs of the build run here, too: tests, and generators of test inputs.
if(tern_emulators)
  find_program(TERN_QEMU NAMES ${tern_emulators})
  if(TERN_QEMU)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${TERN_QEMU} -L /)
  endif()
endif()
