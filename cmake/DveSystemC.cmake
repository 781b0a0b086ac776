# Finds SystemC: the CMake package of upstream builds first, then pkg-config (Debian).
# Gives the target dve_systemc and reports an ABI mismatch in one line.

add_library(dve_systemc INTERFACE)
find_package(SystemCLanguage CONFIG QUIET)
if(SystemCLanguage_FOUND)
  set(DVE_SYSTEMC_TARGET SystemC::systemc)
  set(DVE_SYSTEMC_FROM "CMake package ${SystemCLanguage_DIR}, version ${SystemCLanguage_VERSION}")
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)
  endif()
  if(NOT SYSTEMC_FOUND)
    message(FATAL_ERROR "SystemC not found: install libsystemc-dev, or set SystemCLanguage_DIR to "
                        "the lib/cmake/SystemCLanguage folder of your own build")
  endif()
  set(DVE_SYSTEMC_TARGET PkgConfig::SYSTEMC)
  set(DVE_SYSTEMC_FROM "pkg-config, version ${SYSTEMC_VERSION}")
endif()
target_link_libraries(dve_systemc INTERFACE ${DVE_SYSTEMC_TARGET})

# The library's symbols carry the C++ standard it was built with; a mismatch shows at link time.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES ${DVE_SYSTEMC_TARGET})
set(CMAKE_REQUIRED_FLAGS "-std=c++17")
set(CMAKE_REQUIRED_QUIET ON)
check_cxx_source_compiles("#include <systemc>\nint sc_main(int, char**) { return 0; }\n"
                          DVE_SYSTEMC_LINKS)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_QUIET)
if(NOT DVE_SYSTEMC_LINKS)
  message(FATAL_ERROR "SystemC (${DVE_SYSTEMC_FROM}) does not link with C++17: its ABI tag names "
                      "another standard; rebuild it with CMAKE_CXX_STANDARD=17")
endif()
message(STATUS "SystemC: ${DVE_SYSTEMC_FROM}")
