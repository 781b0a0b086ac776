# Finds the FST writer: no Debian library has it, but the package verilator carries its source.
# Gives the target FstWriter::FstWriter, a static library of these sources.
find_path(FstWriter_SOURCE_DIR fstapi.c
  HINTS "$ENV{VERILATOR_ROOT}/include/gtkwave"
  PATH_SUFFIXES share/verilator/include/gtkwave)
find_package(ZLIB QUIET)
find_package(Threads QUIET)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FstWriter
  REQUIRED_VARS FstWriter_SOURCE_DIR ZLIB_FOUND Threads_FOUND)
mark_as_advanced(FstWriter_SOURCE_DIR)

if(FstWriter_FOUND AND NOT TARGET FstWriter::FstWriter)
  add_library(fst_writer STATIC
    ${FstWriter_SOURCE_DIR}/fastlz.c ${FstWriter_SOURCE_DIR}/fstapi.c ${FstWriter_SOURCE_DIR}/lz4.c)
  set_target_properties(fst_writer PROPERTIES OUTPUT_NAME dve_fst_writer)
  target_include_directories(fst_writer SYSTEM PUBLIC $<BUILD_INTERFACE:${FstWriter_SOURCE_DIR}>)
  target_compile_definitions(fst_writer PRIVATE FST_CONFIG_INCLUDE="fst_config.h")
  target_compile_options(fst_writer PRIVATE -O2 -w)
  target_link_libraries(fst_writer PUBLIC ZLIB::ZLIB Threads::Threads)
  add_library(FstWriter::FstWriter ALIAS fst_writer)
endif()
