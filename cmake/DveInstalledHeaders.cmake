# Run at install time: copies the headers from `from` to `to`/dve with includes that start with dve/.

file(REMOVE_RECURSE ${to})
# platform has programs in its folders; its own level is the library.
file(GLOB platform_headers RELATIVE ${from} ${from}/platform/*.h ${from}/platform/*.def)
file(GLOB_RECURSE headers RELATIVE ${from}
     ${from}/models/*.h ${from}/models/*.def ${from}/tlm/*.h ${from}/tlm/*.def
     ${from}/traces/*.h ${from}/traces/*.def)
foreach(header IN LISTS headers platform_headers)
  file(READ ${from}/${header} text)
  string(REGEX REPLACE "(# *include \")(models|platform|tlm|traces)/" "\\1dve/\\2/" text "${text}")
  file(WRITE ${to}/dve/${header} "${text}")
endforeach()
