# The command line: its parts, which its tests use as well, and main. It waits for the libraries, so that quick to
# compile counts for more here than quick to run.
file(GLOB_RECURSE CLI_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/cli/*.cc)
list(FILTER CLI_SOURCES EXCLUDE REGEX "(_test|/main)\\.cc$")
set(CLI_TEXTS ${PROJECT_BINARY_DIR}/cli_texts.cc)
# Scripts of the pages, in the order in which they need each other.
set(page_scripts "")
foreach(name page_parts inspect_layout explain_page gpu_page graph_page page_search bench_page inspect_page)
  list(APPEND page_scripts ${PROJECT_SOURCE_DIR}/tools/cli/page/${name}.js)
endforeach()
set(page_html ${PROJECT_SOURCE_DIR}/tools/cli/page/inspect_page.html)
set(page_css ${PROJECT_SOURCE_DIR}/tools/cli/page/inspect_page.css)
list(JOIN page_scripts "+" page_script)
add_custom_command(OUTPUT ${CLI_TEXTS}
  COMMAND ${CMAKE_COMMAND} -DOUT=${CLI_TEXTS}
    -DTEXTS=kSchemaText=${PROJECT_SOURCE_DIR}/schema/schema.fbs,kPageHtml=${page_html},kPageCss=${page_css},kPageScript=${page_script}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake
  DEPENDS schema/schema.fbs ${page_html} ${page_css} ${page_scripts} cmake/embed_texts.cmake VERBATIM)
add_library(tern_cli OBJECT ${CLI_SOURCES} ${CLI_TEXTS})
target_include_directories(tern_cli PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tools)
target_include_directories(tern_cli SYSTEM PUBLIC ${STB_INCLUDE})
target_compile_definitions(tern_cli PRIVATE TERN_VERSION="${PROJECT_VERSION}")
target_link_libraries(tern_cli PUBLIC tern_flags tensorflowlite_gpu_delegate_static tensorflowlite_static tern_schema
  CLI11::CLI11 nlohmann_json::nlohmann_json flatbuffers::flatbuffers absl::status absl::statusor absl::strings absl::str_format)
tern_joined(tern_cli APART "/stb\\.cc$" "/(inspect_run|op_options|cli_texts)\\.cc$")
tern_tool_headers(tern_cli)
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
  target_compile_definitions(tern PRIVATE TERN_WITH_HOST)
endif()
if(TERN_METAL_STANDIN)
  target_link_libraries(tern PRIVATE tern_metal_standin tern_backend_metal)
endif()

# The tools of TensorFlow Lite by their names and flags, over the parts of `tern`.
set(TERN_NAMED_TOOLS benchmark_model label_image)
set(named_sources "")
foreach(folder flags ${TERN_NAMED_TOOLS})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/${folder}/*.cc)
  list(APPEND named_sources ${sources})
endforeach()
list(FILTER named_sources EXCLUDE REGEX "(_test|/main)\\.cc$")
add_library(tern_named_tools OBJECT ${named_sources})
target_link_libraries(tern_named_tools PUBLIC tern_cli)
tern_joined(tern_named_tools)
tern_tool_headers(tern_named_tools)
foreach(program IN LISTS TERN_NAMED_TOOLS)
  add_executable(${program} ${PROJECT_SOURCE_DIR}/tools/${program}/main.cc)
  target_link_libraries(${program} PRIVATE tern_named_tools tern_cli)
  target_compile_options(${program} PRIVATE $<$<CONFIG:Release>:-O1>)
endforeach()
add_custom_target(tools DEPENDS tern ${TERN_NAMED_TOOLS})
