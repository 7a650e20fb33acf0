# The C API used from C11, and every public header compiled alone. Included by tests/CMakeLists.txt.
set(c_api_models "")
foreach(model add custom state)
  set(out ${PROJECT_BINARY_DIR}/tests/models/${model}.tflite)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${FLATC} --binary -o ${PROJECT_BINARY_DIR}/tests/models ${PROJECT_SOURCE_DIR}/schema/schema.fbs
            ${CMAKE_CURRENT_SOURCE_DIR}/api/models/${model}.json
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/api/models/${model}.json ${PROJECT_SOURCE_DIR}/schema/schema.fbs VERBATIM)
  list(APPEND c_api_models ${out})
endforeach()
add_custom_target(c_api_models DEPENDS ${c_api_models})

file(GLOB c_api_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/api/c_api*_test.c)
add_executable(c_api_c11_test ${c_api_tests})
add_dependencies(c_api_c11_test c_api_models)
target_link_libraries(c_api_c11_test PRIVATE tensorflowlite_c m)
target_compile_options(c_api_c11_test PRIVATE -Wall -Wextra $<$<BOOL:${TERN_WERROR}>:-Werror>)
set_target_properties(c_api_c11_test PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
if(TERN_SANITIZE)  # the library wants a runtime that clang links to C++ programs alone
  set_target_properties(c_api_c11_test PROPERTIES LINKER_LANGUAGE CXX)
endif()
add_test(NAME c_api_c11_test COMMAND c_api_c11_test ${PROJECT_BINARY_DIR}/tests/models
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(c_api_c11_test PROPERTIES LABELS unit TIMEOUT 300)

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME headers_test
    COMMAND ${Python3_EXECUTABLE} -B tests/check_headers.py ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER}
            ${PROJECT_BINARY_DIR}/include
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_test(NAME forwards_test COMMAND ${Python3_EXECUTABLE} -B tools/make_forwards.py --check
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(headers_test forwards_test PROPERTIES LABELS unit TIMEOUT 1200)
  set_tests_properties(headers_test PROPERTIES COST 100)  # seconds, as for ops_test: what takes longest begins first
  if(NOT TERN_SANITIZE)  # a sanitizer's runtime cannot come into a program that was linked without it
    add_test(NAME c_library_test
      COMMAND ${Python3_EXECUTABLE} -B tests/c_library_test.py ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER}
              $<TARGET_FILE:tensorflowlite_c> $<TARGET_FILE:tensorflowlite> ${PROJECT_BINARY_DIR}/include
              ${PROJECT_BINARY_DIR}/tests/models
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(c_library_test PROPERTIES LABELS unit TIMEOUT 600)
  endif()
endif()
