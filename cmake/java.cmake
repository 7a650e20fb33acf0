# The native libraries of the Java API (java/). Maven puts them into the jars from ${PROJECT_BINARY_DIR}/java/natives.
find_program(JAVAC javac HINTS ENV JAVA_HOME PATH_SUFFIXES bin)
if(JAVAC)
  file(REAL_PATH ${JAVAC} javac)
  get_filename_component(jdk ${javac}/../.. ABSOLUTE)
  find_path(JNI_INCLUDE jni.h PATHS ${jdk}/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  find_path(JNI_MD_INCLUDE jni_md.h PATHS ${jdk}/include/linux NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
endif()
if(NOT JNI_INCLUDE OR NOT JNI_MD_INCLUDE)
  message(STATUS "The Java API is left out: there is no JDK with jni.h (Debian package default-jdk-headless).")
  set(TERN_BUILD_JAVA OFF)
  return()
endif()

# Of Java's names for systems and processors; the folder in a jar.
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" TERN_JAVA_PLATFORM)
set(TERN_JAVA_NATIVES ${PROJECT_BINARY_DIR}/java/natives CACHE PATH "Where the libraries of all platforms of a jar lie")

# tern_jni_library(NAME ARTIFACT FOLDER SOURCES source... LAYERS layer... LIBS lib...): the library NAME, and it with the
# libraries beside it that not every system has, laid out for the jar ARTIFACT below the package FOLDER.
function(tern_jni_library name artifact folder)
  cmake_parse_arguments(J "" "EXPORTS" "SOURCES;LAYERS;LIBS" ${ARGN})
  set(objects "")
  tern_objects(layers ${J_LAYERS})
  foreach(layer IN LISTS layers)
    list(APPEND objects $<TARGET_OBJECTS:${layer}>)
  endforeach()
  list(TRANSFORM J_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/java/jni/)
  add_library(${name} SHARED ${J_SOURCES} ${objects})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(${name} SYSTEM PRIVATE ${JNI_INCLUDE} ${JNI_MD_INCLUDE})
  target_link_libraries(${name} PRIVATE tern_flags ${J_LIBS})
  # Libraries that lie beside it are found there, also by each other.
  target_link_options(${name} PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/${J_EXPORTS}
    LINKER:--disable-new-dtags,-rpath,$ORIGIN)
  if(NOT TERN_SANITIZE)
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/${J_EXPORTS})
  set(out ${TERN_JAVA_NATIVES}/${artifact}/${folder}/${TERN_JAVA_PLATFORM})
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:${name}> -DOUT=${out} -DOBJDUMP=${CMAKE_OBJDUMP}
            -DFOLDER=/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}
            -P ${PROJECT_SOURCE_DIR}/cmake/gather_natives.cmake
    VERBATIM)
endfunction()

tern_jni_library(tensorflowlite_jni tensorflow-lite org/tensorflow/lite/native EXPORTS cmake/jni.map
  SOURCES interpreter_jni.cc tensor_jni.cc session.cc signal_keeper.cc jni_text.cc
  LAYERS ${runtime_layers} LIBS ${runtime_libs})
add_custom_target(java_natives DEPENDS tensorflowlite_jni)
if(TARGET tensorflowlite_gpu_delegate)
  # The delegate asks the runtime for its C functions, which tensorflowlite_jni exports.
  tern_jni_library(tensorflowlite_gpu_jni tensorflow-lite-gpu org/tensorflow/lite/gpu/native EXPORTS cmake/gpu_jni.map
    SOURCES gpu_jni.cc jni_text.cc
    LAYERS tern_abi tern_base tern_gpu tern_gpu_ops ${TERN_BACKEND_LAYERS} tern_delegate
    LIBS tensorflowlite_jni ${absl_libs} ${system_libs})
  add_dependencies(java_natives tensorflowlite_gpu_jni)
endif()
