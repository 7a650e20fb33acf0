# What gets built. Drivers are loaded at run time, so a backend needs no driver on the build machine.
option(TERN_WITH_OPENCL "OpenCL backend of the GPU delegate" ON)
option(TERN_WITH_GLES "OpenGL ES backend of the GPU delegate" ON)
option(TERN_WITH_HOST "Backend that executes the printed Metal text with the system compiler (tests only)" ON)
option(TERN_WITH_XNNPACK "Fast CPU form of the heavy operations" ON)
option(TERN_BUILD_TESTS "Unit, op and model tests" ON)
option(TERN_BUILD_TOOLS "The tern command line" ON)
option(TERN_BUILD_BENCH "Benchmarks" ON)
set(TERN_SANITIZE "" CACHE STRING "Sanitizers for the whole build, e.g. address,undefined or thread")
