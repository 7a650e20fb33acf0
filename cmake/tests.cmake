# Test programs by layer; labels: unit (nothing needed), host (a C++ compiler), soft (software drivers).
set(RUNTIME_LIBS tensorflowlite_static tern_schema)
# Kernels and the backend that only tests have.
add_library(tern_test_kernels OBJECT ${KERNEL_OUT}/test_kernel_table.cc)
target_link_libraries(tern_test_kernels PRIVATE tern_flags tern_kernels)
target_include_directories(tern_test_kernels PRIVATE ${PROJECT_SOURCE_DIR}/src)
set(GPU_LIBS tern_test_kernels tensorflowlite_gpu_delegate_static tensorflowlite_static tern_schema tern_kernels)
if(TERN_WITH_HOST)
  list(APPEND GPU_LIBS tern_backend_host)
endif()
# What makes models for tests.
add_library(tern_model_builder OBJECT ${PROJECT_SOURCE_DIR}/src/model/testing/model_builder.cc)
target_include_directories(tern_model_builder PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(tern_model_builder PRIVATE tern_flags tern_schema GTest::gmock)
tern_quick_to_compile(tern_model_builder MODELS)
tern_test(base_test unit src/base JOINED LIBS ${RUNTIME_LIBS} absl::status absl::statusor absl::strings)
tern_test(abi_test unit src/abi LIBS ${RUNTIME_LIBS})
tern_test(model_test unit src/model MODELS JOINED LIBS ${RUNTIME_LIBS} absl::status absl::statusor absl::strings)
tern_test(cpu_test unit src/cpu SHARDS 2 LIBS ${RUNTIME_LIBS} absl::status absl::statusor absl::strings)
set(runtime_without "")
if(TERN_SANITIZE MATCHES "thread")  # ThreadSanitizer has an operator new of its own, and allows no other
  set(runtime_without EXCLUDE "/allocation_test\\.cc$")
endif()
tern_test(runtime_test unit src/runtime MODELS JOINED ${runtime_without} LIBS ${RUNTIME_LIBS})
# What tests of operations share, and the examples of all operations: programs in tests/fuzz use them, too.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ops/testing/*.cc)
add_library(tern_ops_testing STATIC ${sources})
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ops/*/examples_test.cc)
add_library(tern_ops_examples OBJECT ${sources})
foreach(part tern_ops_testing tern_ops_examples)
  target_include_directories(${part} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${part} PRIVATE tern_flags tern_schema tern_kernels absl::status absl::statusor absl::strings
    GTest::gmock flatbuffers::flatbuffers_shared)
  tern_quick_to_compile(${part} MODELS)
  tern_joined(${part} APART "/(good_models_[a-z]+|damage)\\.cc$")  # their words are also names of lower layers
endforeach()
tern_test(ops_test unit src/ops RECURSE MODELS JOINED APART "/malformed_" "/random_quantized_test" SHARDS 3 EXCLUDE "/ops/testing/" "/examples_test\\.cc$"
  LIBS tern_ops_testing tern_ops_examples ${GPU_LIBS} absl::status absl::statusor absl::strings flatbuffers::flatbuffers_shared)
set(ops_tests ops_test ops_test_1 ops_test_2)
# The cases of these are small and many: PoCL and Mesa's drivers leave out LLVM's optimizations, which halves the time. The
# case suites run them as they are.
set(unoptimized GALLIVM_PERF=nopt POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable)
set_property(TEST ${ops_tests} APPEND PROPERTY ENVIRONMENT ${unoptimized} GTEST_FILTER=-*Special*)
# An optimizer may take numbers for finite: special values are computed by optimized programs.
add_test(NAME ops_test_special COMMAND ops_test --gtest_filter=*Special* WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(ops_test_special PROPERTIES LABELS unit TIMEOUT 1200
  ENVIRONMENT_MODIFICATION GTEST_OUTPUT=string_append:ops_test_special/)
list(APPEND ops_tests ops_test_special)
# What takes longest begins first, also in a new build folder, where ctest knows no times yet.
set_property(TEST ${ops_tests} PROPERTY COST 300)
tern_test(gpu_test unit src/gpu RECURSE JOINED EXCLUDE "/backends/(opencl|gles|host)/" LIBS ${GPU_LIBS} absl::status absl::statusor absl::strings)
if(TERN_WITH_HOST)
  tern_test(host_test host src/gpu/backends/host LIBS ${GPU_LIBS} absl::status absl::statusor absl::strings)
endif()
if(TERN_WITH_OPENCL)
  tern_test(opencl_test soft src/gpu/backends/opencl LIBS ${GPU_LIBS} absl::status absl::statusor absl::strings)
endif()
set(delegate_without_tests "")
if(TERN_WITH_GLES)
  tern_test(gles_test soft src/gpu/backends/gles LIBS ${GPU_LIBS} absl::status absl::statusor absl::strings)
else()
  set(delegate_without_tests "/(gl_delegate|egl_situations|gles_[a-z]+)_test\\.cc$")
endif()
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/delegate/options_test.cc ${PROJECT_SOURCE_DIR}/src/delegate/lifetime_test.cc
  APPEND PROPERTY COMPILE_DEFINITIONS ${TERN_BACKENDS_BUILT})
tern_test(delegate_test soft src/delegate RECURSE MODELS JOINED EXCLUDE ${delegate_without_tests} LIBS ${GPU_LIBS} absl::status absl::statusor absl::strings nlohmann_json::nlohmann_json)
set_property(TEST delegate_test APPEND PROPERTY ENVIRONMENT ${unoptimized})
set_property(TEST delegate_test PROPERTY COST 100)
tern_test(api_test unit src/api MODELS JOINED LIBS tensorflowlite_c_static ${GPU_LIBS})
tern_sanitizer_environment()
if(EXISTS ${PROJECT_SOURCE_DIR}/tests/CMakeLists.txt)
  add_subdirectory(tests)
endif()
