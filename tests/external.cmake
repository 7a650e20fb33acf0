# Parts of the project beside other runtimes: the delegate library in the one that it was made to be compatible with, and the
# Signal* operations and SVDF beside those of TensorFlow Lite Micro. Skipped, with the reason, where a runtime or the models cannot be
# had; a sanitizer's runtime cannot come into a running Python.
find_package(Python3 COMPONENTS Interpreter)
function(tern_external_test name script library)
  if(NOT Python3_Interpreter_FOUND OR NOT TARGET ${library} OR TERN_SANITIZE)
    return()
  endif()
  add_test(NAME ${name}
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/external/${script} $<TARGET_FILE:${library}>
            ${PROJECT_BINARY_DIR}/external
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS soft SKIP_RETURN_CODE 77 TIMEOUT 1200
    RESOURCE_LOCK external)  # two tests may make one environment
endfunction()
tern_external_test(external_delegate_test real_runtime_test.py tensorflowlite_gpu_delegate)
tern_external_test(external_signal_test signal_test.py tensorflowlite_c)
tern_external_test(external_svdf_test svdf_test.py tensorflowlite_c)
