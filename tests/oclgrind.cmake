# Kernels under a simulator of OpenCL devices; skipped, with a line, where it is not installed.
if(TARGET ops_test AND UNIX)
  add_test(NAME oclgrind_test COMMAND bash tests/oclgrind.sh $<TARGET_FILE:ops_test>
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(oclgrind_test PROPERTIES LABELS soft TIMEOUT 1200 SKIP_RETURN_CODE 77)
endif()
