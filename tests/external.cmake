# The delegate library in the runtime that it was made to be compatible with. Skipped, with the
# reason, where that runtime or the models cannot be had; a sanitizer's runtime
# cannot come into a running Python.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND AND TARGET tensorflowlite_gpu_delegate AND NOT TERN_SANITIZE)
  add_test(NAME external_delegate_test
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/external/real_runtime_test.py
            $<TARGET_FILE:tensorflowlite_gpu_delegate> ${PROJECT_BINARY_DIR}/external
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(external_delegate_test PROPERTIES
    LABELS soft SKIP_RETURN_CODE 77 TIMEOUT 1200)
endif()

# The Signal* operations beside those of TensorFlow Lite Micro, under the same conditions.
if(Python3_Interpreter_FOUND AND TARGET tensorflowlite_c AND NOT TERN_SANITIZE)
  add_test(NAME external_signal_test
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/external/signal_test.py
            $<TARGET_FILE:tensorflowlite_c> ${PROJECT_BINARY_DIR}/external
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(external_signal_test PROPERTIES
    LABELS soft SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()
