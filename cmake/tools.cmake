# The command line: its parts, which its tests use as well, and main. It waits for the libraries, so that quick to
# compile counts for more here than quick to run.
file(GLOB CLI_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/cli/*.cc)
list(FILTER CLI_SOURCES EXCLUDE REGEX "(_test|/main)\\.cc$")
add_library(tern_cli OBJECT ${CLI_SOURCES})
target_include_directories(tern_cli PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tools)
target_include_directories(tern_cli SYSTEM PUBLIC ${STB_INCLUDE})
target_link_libraries(tern_cli PUBLIC tern_flags tensorflowlite_gpu_delegate_static tensorflowlite_static tern_schema
  CLI11::CLI11 nlohmann_json::nlohmann_json absl::status absl::statusor absl::strings absl::str_format)
tern_joined(tern_cli APART "/stb\\.cc$")
target_compile_options(tern_cli PRIVATE $<$<CONFIG:Release>:-O1>)
# The tool of the build tree has the backend for tests; the one that is installed has not.
add_executable(tern ${PROJECT_SOURCE_DIR}/tools/cli/main.cc)
add_executable(tern_installed ${PROJECT_SOURCE_DIR}/tools/cli/main.cc)
set_target_properties(tern_installed PROPERTIES OUTPUT_NAME tern
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/installed)
foreach(program tern tern_installed)
  target_link_libraries(${program} PRIVATE tern_cli)
  target_compile_options(${program} PRIVATE $<$<CONFIG:Release>:-O1>)
endforeach()
if(TERN_WITH_HOST)
  target_link_libraries(tern PRIVATE tern_backend_host)
endif()
