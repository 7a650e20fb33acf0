file(GLOB CLI_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/cli/*.cc)
list(FILTER CLI_SOURCES EXCLUDE REGEX "_test\\.cc$")
if(CLI_SOURCES)
  add_executable(tern ${CLI_SOURCES})
  target_include_directories(tern PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tools)
  target_include_directories(tern SYSTEM PRIVATE ${STB_INCLUDE})
  target_link_libraries(tern PRIVATE tern_flags tensorflowlite_gpu_delegate_static tensorflowlite_static
    tern_schema CLI11::CLI11 nlohmann_json::nlohmann_json)
endif()
