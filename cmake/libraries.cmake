# The libraries that users link, shared and static, each made of whole layers.

# Collects the layers that really hold objects.
function(tern_objects out)
  set(result "")
  foreach(layer IN LISTS ARGN)
    get_target_property(type ${layer} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
      list(APPEND result ${layer})
    endif()
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()

# tern_apple_exports(OUT MAP): Apple's linker has no version scripts; it takes a file of patterns, with the underscore that
# it puts before each name of C.
function(tern_apple_exports out map)
  file(READ ${map} text)
  string(REGEX REPLACE ".*global:(.*)local:.*" "\\1" text "${text}")
  string(REGEX REPLACE "extern \"C\\+\\+\" { \"([A-Za-z]+)[^}]*};" "_Z*\\1*;" text "${text}")
  string(REGEX MATCHALL "[A-Za-z0-9_*]+" names "${text}")
  list(TRANSFORM names PREPEND _)
  list(JOIN names "\n" names)
  cmake_path(GET map STEM stem)
  set(${out} ${PROJECT_BINARY_DIR}/${stem}.exports PARENT_SCOPE)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${stem}.exports CONTENT "${names}\n")
endfunction()

# tern_library(NAME LAYERS layer... [DEPS lib...]) makes NAME (shared) and NAME_static.
function(tern_library name)
  cmake_parse_arguments(B "" "EXPORTS" "LAYERS;DEPS;STATIC_DEPS;STATIC_WITHOUT" ${ARGN})
  tern_objects(layers ${B_LAYERS})
  if(NOT layers)
    return()
  endif()
  set(shared_objects "")
  set(static_objects "")
  foreach(layer IN LISTS layers)
    list(APPEND shared_objects $<TARGET_OBJECTS:${layer}>)
    if(NOT layer IN_LIST B_STATIC_WITHOUT)
      list(APPEND static_objects $<TARGET_OBJECTS:${layer}>)
    endif()
  endforeach()
  add_library(${name} SHARED ${shared_objects})
  add_library(${name}_static STATIC ${static_objects})
  set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name})
  if(NOT TERN_SOVERSION STREQUAL "")
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${TERN_SOVERSION})
  endif()
  target_link_libraries(${name} PRIVATE ${B_DEPS})
  if(NOT APPLE)
    target_link_options(${name} PRIVATE LINKER:--gc-sections)
  endif()
  # A layer that is missing from the list is then an error here, not where a program loads the library. A sanitizer's
  # functions come from the program.
  if(NOT APPLE AND NOT TERN_SANITIZE)
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
  target_link_libraries(${name}_static PRIVATE ${B_DEPS} PUBLIC ${B_STATIC_DEPS})
  if(B_EXPORTS AND APPLE)
    tern_apple_exports(exports ${PROJECT_SOURCE_DIR}/${B_EXPORTS})
    target_link_options(${name} PRIVATE LINKER:-exported_symbols_list,${exports})
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${exports})
  elseif(B_EXPORTS)
    target_link_options(${name} PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/${B_EXPORTS})
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/${B_EXPORTS})
  endif()
  foreach(target ${name} ${name}_static)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
    target_include_directories(${target} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_features(${target} PUBLIC cxx_std_17)
    add_dependencies(${target} tern_schema_gen)
  endforeach()
  if(NOT name STREQUAL tensorflowlite_c)  # the C++ headers include those of FlatBuffers, the C headers do not
    foreach(target ${name} ${name}_static)
      target_include_directories(${target} SYSTEM INTERFACE $<BUILD_INTERFACE:${FLATBUFFERS_INCLUDES}>)
    endforeach()
  endif()
  add_library(Tern::${name} ALIAS ${name})
  add_library(Tern::${name}_static ALIAS ${name}_static)
endfunction()

set(absl_libs absl::status absl::statusor absl::strings)
set(cpu_libs "")
if(TERN_WITH_HIGHWAY)
  list(APPEND cpu_libs hwy::hwy)
endif()
set(runtime_layers tern_abi tern_base tern_model tern_cpu tern_simd tern_ops tern_runtime tern_api)
set(system_libs Threads::Threads ${CMAKE_DL_LIBS})
if(ANDROID)
  list(APPEND system_libs log)  # messages go to its log
endif()
set(runtime_libs ${absl_libs} ${cpu_libs} ${system_libs})
tern_library(tensorflowlite LAYERS ${runtime_layers} DEPS ${runtime_libs})
# The same objects for programs in C, complete in one file. It shows the C functions alone, so that in a process that loads
# both libraries no C++ symbol comes from two of them.
tern_library(tensorflowlite_c EXPORTS cmake/c_api.map LAYERS ${runtime_layers} DEPS ${runtime_libs})
# The delegate stands alone when shared: it also loads into a foreign runtime over the C ABI.
tern_library(tensorflowlite_gpu_delegate EXPORTS cmake/gpu_delegate.map
  LAYERS tern_abi tern_base tern_gpu tern_gpu_ops ${TERN_BACKEND_LAYERS} tern_delegate
  STATIC_WITHOUT tern_abi tern_base
  DEPS ${absl_libs} ${system_libs} STATIC_DEPS tensorflowlite_static)
# It asks whether the runtime has functions for graphs; an archive gives what is asked for by need only.
if(NOT APPLE)
  target_link_options(tensorflowlite_gpu_delegate_static INTERFACE LINKER:-u,TfLiteOpaqueContextGetInputs)
endif()

# The compiler of the backend Vulkan, which loads it where a program is not saved: as large as the delegate three times.
if(TERN_WITH_GLSLANG)
  add_library(tern_glslang MODULE src/gpu/backends/vulkan/compiler/glsl_to_spirv.cc)
  target_include_directories(tern_glslang PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(tern_glslang PRIVATE tern_flags tern_library_flags)
  if(TERN_SANITIZE MATCHES undefined)
    target_compile_options(tern_glslang PRIVATE -fno-sanitize=vptr)  # glslang's classes have no type information
  endif()
  foreach(archive glslang::SPIRV glslang::glslang)
    if(TARGET ${archive})
      target_link_libraries(tern_glslang PRIVATE ${archive})
    endif()
  endforeach()
  target_link_libraries(tern_glslang PRIVATE Threads::Threads)
  if(NOT APPLE)
    target_link_options(tern_glslang PRIVATE LINKER:--gc-sections
      LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/glslang.map)
    if(NOT TERN_SANITIZE)
      target_link_options(tern_glslang PRIVATE LINKER:-z,defs)
    endif()
    set_target_properties(tern_glslang PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/glslang.map)
  endif()
  foreach(library tensorflowlite_gpu_delegate tensorflowlite_gpu_delegate_static)
    add_dependencies(${library} tern_glslang)  # it lies beside them wherever they are built
  endforeach()
endif()

# By the names of TensorFlow Lite, the same in a whole project as those that find_package gives (TensorFlowLiteConfig.cmake).
add_library(tensorflow-lite INTERFACE)
target_link_libraries(tensorflow-lite INTERFACE tensorflowlite)
if(TFLITE_ENABLE_GPU)
  target_link_libraries(tensorflow-lite INTERFACE tensorflowlite_gpu_delegate)
endif()
add_library(tensorflow-lite::tensorflow-lite ALIAS tensorflow-lite)
foreach(package tensorflow-lite TensorFlowLite tensorflow)
  add_library(${package}::tensorflowlite ALIAS tensorflow-lite)
  add_library(${package}::tensorflowlite_c ALIAS tensorflowlite_c)
  add_library(${package}::tensorflowlite_gpu_delegate ALIAS tensorflowlite_gpu_delegate)
endforeach()
