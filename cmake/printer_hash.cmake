# cmake -DOUT=... -DSRC=... -P printer_hash.cmake : writes printer_hash.cc, with a hash of all kernels and of the
# sources that make programs of them. Saved files belong to one such hash (src/gpu/device/saved_plan.h).
file(GLOB_RECURSE files RELATIVE ${SRC} ${SRC}/*.kernel ${SRC}/gpu/*.cc ${SRC}/gpu/*.h)
list(FILTER files EXCLUDE REGEX "_test\\.cc$|/testing/|/conformance/")
list(SORT files)
set(hashes "")
foreach(file IN LISTS files)
  file(SHA256 ${SRC}/${file} hash)
  string(APPEND hashes "${file} ${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")
file(WRITE ${OUT}/printer_hash.cc
"// Generated from the sources below src/gpu and the .kernel files.\n#include \"gpu/desc/kernel_text.h\"\n\nnamespace tern::gpu {\n\nconst char* PrinterHash() { return \"${hash}\"; }\n\n}  // namespace tern::gpu\n")
