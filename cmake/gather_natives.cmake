# Copies LIBRARY into the folder OUT, with the libraries that it needs and that are no part of every system, and writes
# their names into OUT/files.txt. The libraries of ours that it is linked with come in a jar of their own. FOLDER is
# where the target's system has its libraries, OBJDUMP the tool that reads them.
set(CMAKE_OBJDUMP ${OBJDUMP})
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT})
file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${LIBRARY} RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR lost
  DIRECTORIES ${FOLDER}
  POST_INCLUDE_REGEXES "/lib(absl|hwy)[^/]*$" POST_EXCLUDE_REGEXES ".")
if(lost)
  message(STATUS "${LIBRARY}: not found, and so not copied: ${lost}")
endif()
get_filename_component(name ${LIBRARY} NAME)
file(COPY ${LIBRARY} DESTINATION ${OUT})
set(names ${name})
foreach(library IN LISTS found)
  get_filename_component(needed ${library} NAME)
  get_filename_component(real ${library} REALPATH)
  file(COPY_FILE ${real} ${OUT}/${needed})
  list(APPEND names ${needed})
endforeach()
list(JOIN names "\n" lines)
file(WRITE ${OUT}/files.txt "${lines}\n")
