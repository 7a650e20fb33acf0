# Every target of ours is compiled with these; headers of libraries count as system headers.
add_library(tern_flags INTERFACE)
target_compile_features(tern_flags INTERFACE cxx_std_20)
target_compile_options(tern_flags INTERFACE -Wall -Wextra $<$<BOOL:${TERN_WERROR}>:-Werror> -fno-math-errno)
# Products and sums are fused where the code says so and nowhere else: every processor gives the same numbers.
target_compile_options(tern_flags INTERFACE -ffp-contract=off)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(i.86|x86|x86_64|AMD64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 4)
  # The old unit computes with more bits than floats have. Android's x86 has SSE2, too.
  target_compile_options(tern_flags INTERFACE -msse2 -mfpmath=sse)
endif()
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND NOT ANDROID)  # there since API 24
  target_compile_definitions(tern_flags INTERFACE _FILE_OFFSET_BITS=64)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports these inside its own inlined standard library code, the last one where <string> is precompiled.
  target_compile_options(tern_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow>)
endif()
if(TERN_SANITIZE)
  add_compile_options(-fsanitize=${TERN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TERN_SANITIZE})
endif()
# The linker drops each function that nothing reaches.
add_library(tern_library_flags INTERFACE)
target_compile_options(tern_library_flags INTERFACE -ffunction-sections -fdata-sections)
# The libraries throw nothing. Functions of an application may, to whoever calls Invoke: where none of these runs below, there
# is nothing to catch or to clean up, and a release has no table to unwind the stack by.
add_library(tern_leaf_flags INTERFACE)
target_compile_options(tern_leaf_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
  $<$<CONFIG:Release,MinSizeRel>:-fno-asynchronous-unwind-tables>)
# GCC for arm64 makes tables of the other kind then.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  target_compile_options(tern_leaf_flags INTERFACE $<$<CONFIG:Release,MinSizeRel>:-fno-unwind-tables>)
endif()
# CMake's -O3 makes the libraries a quarter larger and no model faster; what computes most keeps it (CMakeLists.txt).
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
