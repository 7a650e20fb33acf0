# tern_joined(TARGET [APART regex...]): most of the time to compile a short source goes into what it includes, so several
# are compiled as one. Their unnamed namespaces become one, too: sources with the same names in them stand APART. Every
# source still names what it uses: the preset clang compiles each alone.
function(tern_joined name)
  cmake_parse_arguments(J "" "" "APART" ${ARGN})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${TERN_JOIN_SOURCES} UNITY_BUILD_BATCH_SIZE 24)
  get_target_property(sources ${name} SOURCES)
  foreach(pattern IN LISTS J_APART)
    set(apart ${sources})
    list(FILTER apart INCLUDE REGEX "${pattern}")
    set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

# All layers, without the programs and libraries that are linked from them.
add_custom_target(tern_layers)

# tern_layer(NAME FOLDER [RECURSE] [CALLS_USERS] [EXCLUDE regex...] [DEPS target...])
# One object library per layer; a layer sees the headers only of the layers it names. Files *_test.cc beside
# the sources belong to the layer's test program. CALLS_USERS: functions of an application run below the layer's.
function(tern_layer name folder)
  cmake_parse_arguments(L "RECURSE;CALLS_USERS" "" "EXCLUDE;ONLY;DEPS" ${ARGN})
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
  add_dependencies(tern_layers ${name})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC tern_flags ${L_DEPS} PRIVATE tern_library_flags)
  if(NOT L_CALLS_USERS)
    target_link_libraries(${name} PRIVATE tern_leaf_flags)
  endif()
endfunction()

# Headers from elsewhere that many sources of a kind include are parsed once; the preset clang builds without this, too.
set(TERN_STANDARD_HEADERS <algorithm> <array> <cmath> <cstdint> <cstdio> <cstdlib> <cstring> <functional> <limits> <map>
  <memory> <numeric> <optional> <set> <span> <string> <string_view> <type_traits> <utility> <vector>)
set(TERN_SCHEMA_HEADER <tensorflow/lite/schema/schema_generated.h>)
set(TERN_STATUS_HEADERS <absl/status/status.h> <absl/status/statusor.h>)
# The headers that tests of models use: the public ones, and those that they include in turn.
set(TERN_MODEL_TEST_HEADERS ${TERN_SCHEMA_HEADER} ${TERN_STATUS_HEADERS} <absl/strings/str_cat.h> <chrono> <complex> <mutex>
  <tensorflow/lite/interpreter.h> <tensorflow/lite/kernels/kernel_util.h> <tensorflow/lite/kernels/register.h>
  <tensorflow/lite/model.h>)

# tern_headers(NAME LIBS target... HEADERS header...): an object library that has only these headers.
function(tern_headers name)
  cmake_parse_arguments(H "" "" "LIBS;HEADERS;OPTIONS" ${ARGN})
  if(TARGET ${name})
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cc CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cc)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} PRIVATE tern_flags ${H_LIBS})
  target_compile_options(${name} PRIVATE ${H_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${TERN_STANDARD_HEADERS} ${H_HEADERS})
endfunction()

# A release compiles for size what runs once per model or per node: models are read, graphs walked, plans made and printed.
set(TERN_SMALL $<$<CONFIG:Release>:-Os>)
set(TERN_SMALL_GPU ${TERN_SMALL})
if(TERN_QUICK_GPU)
  set(TERN_SMALL "")
  set(TERN_SMALL_GPU -O0)
endif()

# tern_library_headers(LAYER [SMALL]): for layers of many small sources. SMALL: compiled for size.
function(tern_library_headers name)
  set(headers tern_library_headers)
  set(options "")
  if("SMALL" IN_LIST ARGN)
    set(headers tern_small_headers)
    set(options ${TERN_SMALL_GPU})
  endif()
  tern_headers(${headers} LIBS absl::status absl::statusor tern_library_flags tern_leaf_flags OPTIONS ${options}
    HEADERS ${TERN_STATUS_HEADERS})
  set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE ${options})
  target_precompile_headers(${name} REUSE_FROM ${headers})
endfunction()

# tern_model_headers(LAYER): for layers most of whose sources read the schema, which takes seconds to parse.
function(tern_model_headers name)
  tern_headers(tern_model_headers LIBS tern_schema OPTIONS ${TERN_SMALL} HEADERS ${TERN_SCHEMA_HEADER})
  set_target_properties(tern_model_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(${name} REUSE_FROM tern_model_headers)
  # GCC 12 takes some literal + std::string for accesses out of bounds when <string> is precompiled.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)
endfunction()

# tern_tool_headers(TARGET): for the tools, whose JSON and command lines take seconds to parse.
function(tern_tool_headers name)
  set(optimized $<$<CONFIG:Release>:-O1>)
  tern_headers(tern_tool_headers LIBS tern_schema absl::status absl::statusor absl::strings absl::str_format
    CLI11::CLI11 nlohmann_json::nlohmann_json OPTIONS ${optimized}
    HEADERS ${TERN_SCHEMA_HEADER} ${TERN_STATUS_HEADERS} <absl/strings/str_cat.h> <absl/strings/str_format.h> <CLI/CLI.hpp>
    <nlohmann/json.hpp>)
  target_compile_options(${name} PRIVATE ${optimized})
  target_precompile_headers(${name} REUSE_FROM tern_tool_headers)
endfunction()

# With TERN_CLANG_FOR_TESTS tests take half the time to compile.
function(tern_compile_by_clang name)
  if(TERN_CLANG_FOR_TESTS)
    set_target_properties(${name} PROPERTIES
      CXX_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/compile_with.sh;${TERN_CLANG_FOR_TESTS}")
  endif()
endfunction()

# tern_quick_to_compile(TARGET [MODELS]): for test programs, whose time goes into the layers below and the drivers. MODELS:
# most of its sources make models.
function(tern_quick_to_compile name)
  set(quick $<$<CONFIG:Release>:-O0>)
  set(gtest <gmock/gmock.h> <gtest/gtest.h> <random>)
  if("MODELS" IN_LIST ARGN)
    set(headers tern_model_test_headers)
    tern_headers(${headers} LIBS tern_schema absl::statusor GTest::gmock GTest::gtest_main OPTIONS ${quick}
      HEADERS ${gtest} ${TERN_MODEL_TEST_HEADERS})
  else()
    set(headers tern_test_headers)
    tern_headers(${headers} LIBS absl::statusor GTest::gmock GTest::gtest_main OPTIONS ${quick}
      HEADERS ${gtest} ${TERN_STATUS_HEADERS})
  endif()
  target_compile_options(${name} PRIVATE ${quick})
  target_precompile_headers(${name} REUSE_FROM ${headers})
  tern_compile_by_clang(${headers})
  tern_compile_by_clang(${name})
endfunction()

set(TERN_MESA_OPENCL /etc/OpenCL/vendors/rusticl.icd)

# tern_test(NAME LABEL FOLDER [RECURSE] [MODELS] [JOINED [APART regex...]] [SHARDS n] [EXCLUDE regex...] [ONLY regex...] [LIBS target...])
# One test program from all *_test.cc (and testing/*.cc) below FOLDER, registered with ctest as one entry, or as SHARDS of
# them that run side by side.
function(tern_test name label folder)
  cmake_parse_arguments(T "RECURSE;MODELS;JOINED" "SHARDS" "EXCLUDE;ONLY;LIBS;APART" ${ARGN})
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
  if(T_MODELS)
    target_link_libraries(${name} PRIVATE tern_model_builder)
    tern_quick_to_compile(${name} MODELS)
  else()
    tern_quick_to_compile(${name})
  endif()
  if(T_JOINED)
    tern_joined(${name} APART ${T_APART})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(NOT T_SHARDS)
    set(T_SHARDS 1)
  endif()
  math(EXPR last "${T_SHARDS} - 1")
  foreach(shard RANGE ${last})
    set(part ${name})
    if(shard GREATER 0)
      set(part ${name}_${shard})
    endif()
    add_test(NAME ${part} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${part} PROPERTIES LABELS ${label} TIMEOUT 1200
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${T_SHARDS};GTEST_SHARD_INDEX=${shard}")
    if(shard GREATER 0)  # results go to a folder: shards that run at a time would take one name for their files
      set_property(TEST ${part} APPEND PROPERTY ENVIRONMENT_MODIFICATION GTEST_OUTPUT=string_append:${part}/)
    endif()
    # The last of several shards runs on another OpenCL.
    if(shard GREATER 0 AND shard EQUAL last AND NOT TERN_SANITIZE AND EXISTS ${TERN_MESA_OPENCL})
      set_property(TEST ${part} APPEND PROPERTY ENVIRONMENT RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=${TERN_MESA_OPENCL})
    endif()
  endforeach()
endfunction()

# Sets the options of sanitizers for every test of the current folder that was added so far.
function(tern_sanitizer_environment)
  if(NOT TERN_SANITIZE)
    return()
  endif()
  get_property(programs DIRECTORY PROPERTY TESTS)
  set_property(TEST ${programs} PROPERTY TIMEOUT 7200)
  # Too large a request fails as it does without the sanitizer.
  set_property(TEST ${programs} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=allocator_may_return_null=1
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp"
    "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
  # Other OpenCL drivers beside it leak while the loader asks them for devices, and are unloaded before the report.
  if(EXISTS /etc/OpenCL/vendors/pocl.icd)
    set_property(TEST ${programs} APPEND PROPERTY ENVIRONMENT OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd)
  endif()
  # So does a driver of Vulkan with each instance, and its validation layer; the tests count our objects themselves.
  list(FILTER programs INCLUDE REGEX "^vulkan_test")
  set_property(TEST ${programs} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0)
endfunction()
