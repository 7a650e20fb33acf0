# cmake --install: headers, libraries, find_package(Tern), pkg-config files, the tool.
include(CMakePackageConfigHelpers)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${SCHEMA_HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensorflow/lite/schema)
