# find_package(TensorFlowLite), find_package(tensorflow-lite) and, as Conan names it, find_package(tensorflowlite), for programs
# that look for it by these names. Below TensorFlowLite::, tensorflow-lite:: and tensorflow:: are tensorflowlite,
# tensorflowlite_c and tensorflowlite_gpu_delegate, which are those below Tern::, and tensorflow-lite::tensorflow-lite is
# tensorflowlite, too.
include(CMakeFindDependencyMacro)
find_dependency(Tern CONFIG PATHS ${CMAKE_CURRENT_LIST_DIR}/../Tern NO_DEFAULT_PATH)
foreach(library IN ITEMS tensorflow-lite tensorflowlite tensorflowlite_c tensorflowlite_gpu_delegate)
  foreach(package IN ITEMS tensorflow-lite TensorFlowLite tensorflow)
    if(TARGET ${package}::${library})
      continue()
    endif()
    add_library(${package}::${library} INTERFACE IMPORTED)
    if(library STREQUAL tensorflow-lite)
      set_target_properties(${package}::${library} PROPERTIES INTERFACE_LINK_LIBRARIES Tern::tensorflowlite)
    else()
      set_target_properties(${package}::${library} PROPERTIES INTERFACE_LINK_LIBRARIES Tern::${library})
    endif()
  endforeach()
endforeach()
get_target_property(${CMAKE_FIND_PACKAGE_NAME}_INCLUDE_DIRS Tern::tensorflowlite INTERFACE_INCLUDE_DIRECTORIES)
set(${CMAKE_FIND_PACKAGE_NAME}_LIBRARIES TensorFlowLite::tensorflowlite)
