# Linux on 32-bit x86 by Debian's cross compiler (g++-i686-linux-gnu) or, where it is named, clang. 64-bit Linux runs its programs.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(tern_libraries i386-linux-gnu)
set(tern_compiler i686-linux-gnu)
set(tern_emulators)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
