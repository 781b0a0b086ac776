# What Debian wants beside the documents of a package. `copyright`, in its machine-readable form: our
# licence, and the notices at the top of the sources of the FST writer, which the libraries hold.
# `changelog.gz`: the version and its maintainer.

# dve_licence_text(OUT "text"): as a field of that form has it, a blank before each line, blank lines as dots.
function(dve_licence_text out text)
  string(STRIP "${text}" text)
  string(REGEX REPLACE "\n[ \t*]+" "\n" text "\n${text}")
  string(REGEX REPLACE "\n" "\n " text "${text}")
  foreach(every_other IN ITEMS first second)  # a match ends where the next one would begin
    string(REGEX REPLACE "\n +(\n|$)" "\n .\n" text "${text}")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# dve_notice(OUT source licence): paragraphs for one source of the FST writer.
function(dve_notice out source licence)
  file(READ ${FstWriter_SOURCE_DIR}/${source} text LIMIT 4000)
  string(FIND "${text}" "*/" end)
  if(NOT text MATCHES "^/\\*" OR end LESS 0)
    message(FATAL_ERROR "${FstWriter_SOURCE_DIR}/${source} does not begin with its licence")
  endif()
  string(SUBSTRING "${text}" 2 ${end} notice)
  string(REGEX REPLACE "[ \n]*\\*/.*$" "" notice "${notice}")
  string(REGEX MATCHALL "Copyright \\([cC]\\) [^\n]*" holders "${notice}")
  list(TRANSFORM holders REPLACE "Copyright \\([cC]\\) " "")
  list(JOIN holders "\n           " holders)
  dve_licence_text(notice "${notice}")
  set(${out} "
Files: ${source}
Copyright: ${holders}
License: ${licence}${notice}
Comment: in libdve_fst_writer.a and in programs that are linked with it.
" PARENT_SCOPE)
endfunction()

file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
string(REGEX MATCH "Licensed under the Apache License, Version 2.0 [^@]*limitations under the License." licence "${licence}")
dve_licence_text(licence "${licence}")
set(copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ${PROJECT_NAME}

Files: *
Copyright: the dve maintainers
License: Apache-2.0${licence}
 .
 On Debian systems, the complete text of the licence is in
 /usr/share/common-licenses/Apache-2.0.
")
if(TARGET fst_writer)
  foreach(pair IN ITEMS fstapi.c:MIT lz4.c:BSD-2-Clause fastlz.c:MIT)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 source)
    list(GET pair 1 name)
    dve_notice(notice ${source} ${name})
    string(APPEND copyright "${notice}")
  endforeach()
endif()
file(WRITE ${PROJECT_BINARY_DIR}/debian/copyright "${copyright}")

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/debian/changelog "${PROJECT_NAME} (${PROJECT_VERSION}) unstable; urgency=low

  * Version ${PROJECT_VERSION}.

 -- ${DVE_PACKAGE_CONTACT}  ${date}
")
file(ARCHIVE_CREATE OUTPUT ${PROJECT_BINARY_DIR}/debian/changelog.gz PATHS ${PROJECT_BINARY_DIR}/debian/changelog
     FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
