# tern_layer(NAME FOLDER [RECURSE] [EXCLUDE regex...] [DEPS target...])
# One object library per layer; a layer sees the headers only of the layers it names. Files *_test.cc beside
# the sources belong to the layer's test program.
function(tern_layer name folder)
  cmake_parse_arguments(L "RECURSE" "" "EXCLUDE;ONLY;DEPS" ${ARGN})
  if(L_RECURSE)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  else()
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  endif()
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "/testing/")
  foreach(pattern IN LISTS L_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  foreach(pattern IN LISTS L_ONLY)
    list(FILTER sources INCLUDE REGEX "${pattern}")
  endforeach()
  if(NOT sources)
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} INTERFACE tern_flags ${L_DEPS})
    return()
  endif()
  add_library(${name} OBJECT ${sources})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC tern_flags ${L_DEPS})
endfunction()

# tern_library_headers(LAYER): for layers of many small sources; parses once what most of them include from elsewhere.
# Every source still names what it uses: the preset clang builds without. GCC 12 takes some literal + std::string for
# writes out of bounds when <string> is precompiled, so that layers which join texts that way stay without.
function(tern_library_headers name)
  if(NOT TARGET tern_library_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/library_headers.cc CONTENT "")
    add_library(tern_library_headers OBJECT ${PROJECT_BINARY_DIR}/library_headers.cc)
    set_target_properties(tern_library_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(tern_library_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(tern_library_headers PRIVATE tern_flags absl::status absl::statusor)
    target_precompile_headers(
      tern_library_headers PRIVATE <algorithm> <array> <cmath> <cstdint> <cstdio> <cstdlib> <cstring> <functional>
      <limits> <map> <memory> <numeric> <optional> <set> <span> <string> <string_view> <type_traits> <utility> <vector>
      <absl/status/status.h> <absl/status/statusor.h>)
  endif()
  target_precompile_headers(${name} REUSE_FROM tern_library_headers)
endfunction()

# tern_quick_to_compile(TARGET): for test programs, which are compiled more often than they run long. The headers that
# nearly every test reads are parsed once, in tern_test_headers.
function(tern_quick_to_compile name)
  if(NOT TARGET tern_test_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cc CONTENT "")
    add_library(tern_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cc)
    target_include_directories(tern_test_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(tern_test_headers PRIVATE tern_flags tern_schema GTest::gmock GTest::gtest_main)
    target_compile_options(tern_test_headers PRIVATE $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(
      tern_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <algorithm> <cmath> <cstdint> <cstdio> <cstring>
      <functional> <limits> <map> <memory> <numeric> <random> <set> <string> <string_view> <utility> <vector>
      <tensorflow/lite/schema/schema_generated.h>)
  endif()
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(${name} REUSE_FROM tern_test_headers)
endfunction()

# tern_test(NAME LABEL FOLDER [RECURSE] [SHARDS n] [EXCLUDE regex...] [ONLY regex...] [LIBS target...])
# One test program from all *_test.cc (and testing/*.cc) below FOLDER, registered with ctest as one entry, or as SHARDS of
# them that run side by side.
function(tern_test name label folder)
  cmake_parse_arguments(T "RECURSE" "SHARDS" "EXCLUDE;ONLY;LIBS" ${ARGN})
  if(T_RECURSE)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*_test.cc
         ${PROJECT_SOURCE_DIR}/${folder}/testing/*.cc)
  else()
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*_test.cc)
  endif()
  foreach(pattern IN LISTS T_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  foreach(pattern IN LISTS T_ONLY)
    list(FILTER sources INCLUDE REGEX "${pattern}")
  endforeach()
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE tern_flags ${T_LIBS} GTest::gmock GTest::gtest_main)
  tern_quick_to_compile(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(NOT T_SHARDS)
    set(T_SHARDS 1)
  endif()
  # GoogleTest calls the results of the second shard NAME_1.xml, and so on.
  math(EXPR last "${T_SHARDS} - 1")
  foreach(shard RANGE ${last})
    set(part ${name})
    if(shard GREATER 0)
      set(part ${name}_${shard})
    endif()
    add_test(NAME ${part} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${part} PROPERTIES LABELS ${label} TIMEOUT 1200
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${T_SHARDS};GTEST_SHARD_INDEX=${shard}")
    if(TERN_SANITIZE)
      set_property(TEST ${part} APPEND PROPERTY ENVIRONMENT
                   "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp")
    endif()
  endforeach()
endfunction()
