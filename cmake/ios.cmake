# iOS by the compiler of Xcode, on a Mac: libraries for arm64 phones or, with TERN_IOS=simulator, for the simulator of this
# Mac. Nobody has run this file on a Mac yet (docs/apple.md).
set(CMAKE_SYSTEM_NAME iOS)
set(TERN_IOS phone CACHE STRING "phone or simulator")
set_property(CACHE TERN_IOS PROPERTY STRINGS phone simulator)
if(TERN_IOS STREQUAL "phone")
  set(CMAKE_OSX_SYSROOT iphoneos CACHE STRING "")
elseif(TERN_IOS STREQUAL "simulator")
  set(CMAKE_OSX_SYSROOT iphonesimulator CACHE STRING "")
else()
  message(FATAL_ERROR "TERN_IOS is \"${TERN_IOS}\": expected phone or simulator.")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TERN_IOS)
set(CMAKE_OSX_ARCHITECTURES arm64 CACHE STRING "")
set(CMAKE_OSX_DEPLOYMENT_TARGET 14.0 CACHE STRING "")
# Nobody's key is needed to see whether a compiler works, and libraries are signed with the app that has them.
set(CMAKE_XCODE_ATTRIBUTE_CODE_SIGNING_ALLOWED NO)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# A phone has none of these, and some run on the machine that builds.
set(TERN_FETCH_DEPENDENCIES ON CACHE BOOL "")
foreach(option WITH_OPENCL WITH_GLES WITH_HOST BUILD_TESTS BUILD_TOOLS BUILD_BENCH BUILD_JAVA)
  set(TERN_${option} OFF CACHE BOOL "")
endforeach()
