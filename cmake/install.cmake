# cmake --install: headers, libraries, find_package(Tern), pkg-config files, the tool.
include(CMakePackageConfigHelpers)
set(TERN_LIBRARIES tensorflowlite tensorflowlite_c tensorflowlite_gpu_delegate)
set(TERN_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Tern)

set(headers_left_out "")
if(NOT TERN_WITH_GLES)
  list(APPEND headers_left_out PATTERN gl_delegate.h EXCLUDE PATTERN gpu_api_delegate.h EXCLUDE)
endif()
if(NOT TERN_WITH_VULKAN)
  list(APPEND headers_left_out PATTERN vulkan_delegate.h EXCLUDE)
endif()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${headers_left_out})
install(FILES ${SCHEMA_HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensorflow/lite/schema)
install(FILES ${CONFIGURATION_HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensorflow/lite/acceleration/configuration)

set(install_targets "")
foreach(library IN LISTS TERN_LIBRARIES)
  if(NOT TARGET ${library})
    continue()
  endif()
  list(APPEND install_targets ${library} ${library}_static)
endforeach()
add_custom_target(install_targets DEPENDS ${install_targets})
if(TARGET tern_glslang)  # no library to link, so that it lies apart from those
  add_dependencies(install_targets tern_glslang)
  install(TARGETS tern_glslang LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tern)
endif()
install(TARGETS ${install_targets} EXPORT TernTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT TernTargets NAMESPACE Tern:: DESTINATION ${TERN_CMAKE_DIR})
if(TARGET tern_installed)
  add_dependencies(install_targets tern_installed ${TERN_NAMED_TOOLS})
  install(TARGETS tern_installed ${TERN_NAMED_TOOLS} DESTINATION ${CMAKE_INSTALL_BINDIR})
  foreach(tool tern ${TERN_NAMED_TOOLS})
    install(FILES docs/man/${tool}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endforeach()
  # Suggestions of tern explain name the first, and it prints the reasons of the second.
  install(FILES docs/ops.md docs/reasons.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tern)
endif()

configure_package_config_file(cmake/TernConfig.cmake.in ${PROJECT_BINARY_DIR}/TernConfig.cmake
  INSTALL_DESTINATION ${TERN_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TernConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TernConfig.cmake ${PROJECT_BINARY_DIR}/TernConfigVersion.cmake
  DESTINATION ${TERN_CMAKE_DIR})

# pkg-config files. They spell out the further needs of a static link, so that a shared link asks for no other package.
find_program(PKG_CONFIG pkg-config)
set(absl_flags "")
if(PKG_CONFIG)
  execute_process(COMMAND ${PKG_CONFIG} --libs absl_status absl_statusor absl_strings
    OUTPUT_VARIABLE absl_flags OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(cpu_flags "")
if(TERN_WITH_HIGHWAY)
  string(APPEND cpu_flags "-lhwy ")
endif()

# tern_pkg_config(NAME DESCRIPTION REQUIRES LIBS PRIVATE [VERSION])
function(tern_pkg_config name description requires libs private)
  set(PC_VERSION ${PROJECT_VERSION})
  if(ARGC GREATER 5)
    set(PC_VERSION ${ARGV5})
  endif()
  set(PC_NAME ${name})
  set(PC_DESCRIPTION ${description})
  set(PC_REQUIRES ${requires})
  set(PC_LIBS ${libs})
  set(PC_PRIVATE ${private})
  # From the file's folder, so that an installation can be moved.
  file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  configure_file(cmake/library.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
set(private_flags "${cpu_flags}${absl_flags} -lstdc++ -lm -lpthread -ldl")
tern_pkg_config(tensorflowlite "Inference runtime for .tflite models" "" "-ltensorflowlite" "${private_flags}")
tern_pkg_config(tensorflowlite_c "C API of the inference runtime" "" "-ltensorflowlite_c" "${private_flags}")
tern_pkg_config(tensorflowlite_gpu_delegate "GPU delegate for .tflite models" "" "-ltensorflowlite_gpu_delegate"
  "-ltensorflowlite ${private_flags}")
# The names and the version under which programs look for TensorFlow Lite. Programs that probe for the GPU delegate link
# with these alone.
set(with_delegate "-ltensorflowlite")
if(TARGET tensorflowlite_gpu_delegate)
  set(with_delegate "-ltensorflowlite_gpu_delegate -ltensorflowlite")
endif()
file(STRINGS include/tensorflow/lite/version.h version_lines REGEX "define TF_(MAJOR|MINOR|PATCH)_VERSION [0-9]+")
string(REGEX MATCHALL "[0-9]+" api_version "${version_lines}")
list(JOIN api_version "." api_version)
foreach(name tensorflow-lite tensorflow2-lite)
  tern_pkg_config(${name} "Inference runtime for .tflite models (Tern)" "" "${with_delegate}" "${private_flags}"
    ${api_version})
endforeach()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TensorFlowLiteConfigVersion.cmake VERSION ${api_version}
  COMPATIBILITY SameMajorVersion)
foreach(name TensorFlowLite tensorflow-lite tensorflowlite)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
  install(FILES cmake/TensorFlowLiteConfig.cmake DESTINATION ${folder} RENAME ${name}Config.cmake)
  install(FILES ${PROJECT_BINARY_DIR}/TensorFlowLiteConfigVersion.cmake DESTINATION ${folder}
    RENAME ${name}ConfigVersion.cmake)
endforeach()
