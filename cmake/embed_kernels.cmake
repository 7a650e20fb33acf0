# cmake -DOUT=... -DSRC=... -P embed_kernels.cmake : writes kernel_id.h and kernel_table.cc from src/ops/**/*.kernel.
# A kernel's id is its file name; names are unique over the tree.
file(GLOB_RECURSE files ${SRC}/ops/*.kernel)
list(SORT files)
set(ids "")
set(table "")
foreach(file IN LISTS files)
  get_filename_component(id ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND ids "  ${id},\n")
  string(APPEND table "    {\"${id}\", R\"kernel(${text})kernel\"},\n")
endforeach()
file(WRITE ${OUT}/gpu/desc/kernel_id.h.new
"// Generated from the .kernel files below src/ops.\n#ifndef TERN_GPU_DESC_KERNEL_ID_H_\n#define TERN_GPU_DESC_KERNEL_ID_H_\n\nnamespace tern::gpu {\n\nenum class KernelId : int {\n${ids}  kCount,\n};\n\n}  // namespace tern::gpu\n\n#endif\n")
file(WRITE ${OUT}/kernel_table.cc.new
"// Generated from the .kernel files below src/ops.\n#include \"gpu/desc/kernel_text.h\"\n\nnamespace tern::gpu {\nnamespace {\n\nstruct Entry {\n  const char* name;\n  const char* text;\n};\n\nconst Entry kTable[] = {\n${table}    {nullptr, nullptr},\n};\n\n}  // namespace\n\nconst char* KernelName(KernelId id) { return kTable[static_cast<int>(id)].name; }\nconst char* KernelText(KernelId id) { return kTable[static_cast<int>(id)].text; }\n\n}  // namespace tern::gpu\n")
foreach(name gpu/desc/kernel_id.h kernel_table.cc)
  execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUT}/${name}.new ${OUT}/${name})
  file(REMOVE ${OUT}/${name}.new)
endforeach()
