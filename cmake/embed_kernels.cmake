# cmake -DOUT=... -DSRC=... -P embed_kernels.cmake : writes kernel_id.h and kernel_table.cc from src/**/*.kernel, and
# test_kernel_id.h and test_kernel_table.cc from those in folders testing/, which are no part of the libraries.
# A kernel's id is its file name; names are unique over the tree.
file(GLOB_RECURSE files ${SRC}/*.kernel)
list(SORT files)
set(ids "")
set(table "")
set(test_ids "")
set(test_table "")
set(test_number 0)
foreach(file IN LISTS files)
  get_filename_component(id ${file} NAME_WE)
  file(READ ${file} text)
  set(entry "    {\"${id}\", R\"kernel(${text})kernel\"},\n")
  if(file MATCHES "/testing/")
    math(EXPR test_number "${test_number} + 1")
    string(APPEND test_ids
      "inline constexpr KernelId ${id} = static_cast<KernelId>(static_cast<int>(KernelId::kCount) + ${test_number});\n")
    string(APPEND test_table "${entry}")
  else()
    string(APPEND ids "  ${id},\n")
    string(APPEND table "${entry}")
  endif()
endforeach()
set(note "// Generated from the .kernel files below src.\n")
file(WRITE ${OUT}/gpu/desc/kernel_id.h.new
"${note}#ifndef TERN_GPU_DESC_KERNEL_ID_H_\n#define TERN_GPU_DESC_KERNEL_ID_H_\n\nnamespace tern::gpu {\n\nenum class KernelId : int {\n${ids}  kCount,\n};\n\n}  // namespace tern::gpu\n\n#endif\n")
file(WRITE ${OUT}/kernel_table.cc.new
"${note}#include \"gpu/desc/kernel_table.h\"\n\nnamespace tern::gpu {\n\nconst KernelEntry kKernelTable[] = {\n${table}};\n\n}  // namespace tern::gpu\n")
file(WRITE ${OUT}/gpu/desc/test_kernel_id.h.new
"${note}#ifndef TERN_GPU_DESC_TEST_KERNEL_ID_H_\n#define TERN_GPU_DESC_TEST_KERNEL_ID_H_\n\n#include \"gpu/desc/kernel_id.h\"\n\nnamespace tern::gpu::test_kernel {\n\n${test_ids}\n}  // namespace tern::gpu::test_kernel\n\n#endif\n")
file(WRITE ${OUT}/test_kernel_table.cc.new
"${note}#include \"gpu/desc/kernel_table.h\"\n\nnamespace tern::gpu {\nnamespace {\n\nconst KernelEntry kTable[] = {\n${test_table}};\n[[maybe_unused]] const bool kAdded = (SetTestKernels(kTable), true);\n\n}  // namespace\n}  // namespace tern::gpu\n")
foreach(name gpu/desc/kernel_id.h kernel_table.cc gpu/desc/test_kernel_id.h test_kernel_table.cc)
  execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUT}/${name}.new ${OUT}/${name})
  file(REMOVE ${OUT}/${name}.new)
endforeach()
