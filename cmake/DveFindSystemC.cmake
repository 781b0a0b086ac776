# Finds SystemC for this project and for those that use its package: the CMake package of upstream
# builds first, then pkg-config (Debian).

# Sets DVE_SYSTEMC_TARGET to a target to link, DVE_SYSTEMC_VERSION, DVE_SYSTEMC_FROM to words for
# messages, and DVE_SYSTEMC_PROBLEM to one line for the user, empty if programs link.
macro(dve_find_systemc)
  set(DVE_SYSTEMC_PROBLEM "")
  find_package(SystemCLanguage CONFIG QUIET)
  if(SystemCLanguage_FOUND)
    set(DVE_SYSTEMC_TARGET SystemC::systemc)
    set(DVE_SYSTEMC_VERSION ${SystemCLanguage_VERSION})
    set(DVE_SYSTEMC_FROM "CMake package ${SystemCLanguage_DIR}, version ${SystemCLanguage_VERSION}")
  else()
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
      pkg_check_modules(DVE_SYSTEMC_PC QUIET IMPORTED_TARGET systemc)
    endif()
    if(DVE_SYSTEMC_PC_FOUND)
      set(DVE_SYSTEMC_TARGET PkgConfig::DVE_SYSTEMC_PC)
      set(DVE_SYSTEMC_VERSION ${DVE_SYSTEMC_PC_VERSION})
      set(DVE_SYSTEMC_FROM "pkg-config, version ${DVE_SYSTEMC_PC_VERSION}")
    else()
      set(DVE_SYSTEMC_PROBLEM
          "SystemC not found: install libsystemc-dev, or set SystemCLanguage_DIR to the lib/cmake/SystemCLanguage folder of your own build")
    endif()
  endif()
  if(NOT DVE_SYSTEMC_PROBLEM)
    dve_check_systemc_links()
  endif()
endmacro()

# The library's symbols carry the C++ standard it was built with; a mismatch shows at link time.
# Definitions of the folder count: SC_CPLUSPLUS=201703L makes newer standards link.
macro(dve_check_systemc_links)
  include(CheckCXXSourceCompiles)
  set(dve_standard ${CMAKE_CXX_STANDARD})
  if(NOT dve_standard)
    set(dve_standard 17)
  endif()
  get_directory_property(dve_definitions COMPILE_DEFINITIONS)
  list(TRANSFORM dve_definitions PREPEND -D)
  set(CMAKE_REQUIRED_DEFINITIONS ${dve_definitions})
  set(CMAKE_REQUIRED_LIBRARIES ${DVE_SYSTEMC_TARGET})
  set(CMAKE_REQUIRED_FLAGS "-std=c++${dve_standard}")
  set(CMAKE_REQUIRED_QUIET ON)
  if(NOT DVE_SYSTEMC_LINKS_CXX${dve_standard})
    unset(DVE_SYSTEMC_LINKS_CXX${dve_standard} CACHE)  # it may have been repaired
  endif()
  check_cxx_source_compiles("#include <systemc>\nint sc_main(int, char**) { return 0; }\n"
                            DVE_SYSTEMC_LINKS_CXX${dve_standard})
  unset(CMAKE_REQUIRED_DEFINITIONS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_QUIET)
  if(NOT DVE_SYSTEMC_LINKS_CXX${dve_standard})
    set(DVE_SYSTEMC_PROBLEM
        "SystemC (${DVE_SYSTEMC_FROM}) does not link with C++${dve_standard}: its ABI tag names another standard; set CMAKE_CXX_STANDARD to the one it was built with, add_compile_definitions(SC_CPLUSPLUS=201703L) for a newer one, or rebuild SystemC")
  endif()
endmacro()
