# What gets built. Drivers are loaded at run time, so a backend needs no driver on the build machine.
option(TERN_WITH_OPENCL "OpenCL backend of the GPU delegate" ON)
option(TERN_WITH_GLES "OpenGL ES backend of the GPU delegate" ON)
option(TERN_WITH_HOST "Backend for tests and the tool of the build tree: runs the printed Metal text by the C++ compiler" ON)
option(TERN_WITH_HIGHWAY "Vector forms of the heavy CPU operations, by the library Highway" ON)
option(TERN_JOIN_SOURCES "Compile sources of a layer a few at a time, which is quicker" ON)
option(TERN_BUILD_TESTS "Unit, op and model tests" ON)
option(TERN_BUILD_TOOLS "The tern command line" ON)
option(TERN_BUILD_BENCH "Benchmarks" ON)
option(TERN_WERROR "Warnings are errors; packages for systems with other compilers switch it off" ON)
set(TERN_SOVERSION "" CACHE STRING "Number of the ABI in the names of the shared libraries, as packages of a system want it; \
empty: the names without one that programs linked against TensorFlow Lite look for")
set(TERN_SANITIZE "" CACHE STRING "Sanitizers for the whole build, e.g. address,undefined or thread")
option(TERN_FUZZ "Fuzz targets run by libFuzzer instead of once over their seeds; takes clang and the sanitizer fuzzer-no-link" OFF)
