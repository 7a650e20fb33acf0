# A part of another project has the libraries alone: that project needs no more, nor the packages that the rest asks for.
# Drivers are loaded at run time, so a backend needs no driver on the build machine.
option(TERN_WITH_OPENCL "OpenCL backend of the GPU delegate" ON)
option(TERN_WITH_GLES "OpenGL ES backend of the GPU delegate" ON)
option(TERN_WITH_HOST "Backend for tests and the tool of the build tree: runs the printed Metal text by the C++ compiler" ${PROJECT_IS_TOP_LEVEL})
option(TERN_WITH_HIGHWAY "Vector forms of the heavy CPU operations, by the library Highway" ON)
option(TERN_JOIN_SOURCES "Compile sources of a layer a few at a time, which is quicker" ON)
option(TERN_BUILD_TESTS "Unit, op and model tests" ${PROJECT_IS_TOP_LEVEL})
option(TERN_BUILD_TOOLS "The tern command line" ${PROJECT_IS_TOP_LEVEL})
option(TERN_BUILD_BENCH "Benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(TERN_BUILD_JAVA "The native libraries of the Java API, where a JDK is found" ${PROJECT_IS_TOP_LEVEL})
option(TERN_BUILD_PYTHON "The Python package; pip install . switches it on" OFF)
option(TERN_INSTALL "cmake --install installs Tern" ${PROJECT_IS_TOP_LEVEL})
option(TERN_WERROR "Warnings are errors: for changes of Tern, as other compilers have other warnings" OFF)
option(TFLITE_ENABLE_GPU "The target tensorflow-lite brings the GPU delegate" OFF)
set(TERN_SOVERSION "" CACHE STRING "Number of the ABI in the names of the shared libraries, as packages of a system want it; \
empty: the names without one that programs linked against TensorFlow Lite look for")
set(TERN_SANITIZE "" CACHE STRING "Sanitizers for the whole build, e.g. address,undefined or thread")
option(TERN_FUZZ "Fuzz targets run by libFuzzer instead of once over their seeds; takes clang and the sanitizer fuzzer-no-link" OFF)
