# What is installed: libraries, headers under include/dve, dve-sim, CMake and pkg-config files, docs.
include(CMakePackageConfigHelpers)

set(dve_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/dve)

# dve_closure(OUT targets...): our targets behind these ones and themselves, each before those that it
# needs: the order of static linking.
function(dve_closure out)
  set(done "")
  foreach(target IN LISTS ARGN)
    dve_visit(${target})
  endforeach()
  set(${out} ${done} PARENT_SCOPE)
endfunction()

function(dve_visit target)
  get_target_property(alias ${target} ALIASED_TARGET)
  if(alias)
    set(target ${alias})
  endif()
  get_target_property(imported ${target} IMPORTED)
  if(imported OR target IN_LIST done)
    return()
  endif()
  get_target_property(needed ${target} INTERFACE_LINK_LIBRARIES)
  if(needed)
    foreach(name IN LISTS needed)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" name "${name}")
      if(TARGET "${name}")
        dve_visit(${name})
      endif()
    endforeach()
  endif()
  set(done ${target} ${done} PARENT_SCOPE)
endfunction()

# dve_component(NAME targets...): the targets behind these ones that no earlier component has, as an
# export of their own: whoever asks for one component needs no dependency of another.
set(dve_exported "")
function(dve_component name)
  dve_closure(targets ${ARGN})
  list(REMOVE_ITEM targets ${dve_exported})
  install(TARGETS ${targets} EXPORT dve-${name}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT dve-${name} FILE dve-${name}-targets.cmake NAMESPACE dve::
          DESTINATION ${dve_cmake_folder})
  set(libraries "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      string(APPEND libraries " -l$<TARGET_FILE_BASE_NAME:${target}>")
    endif()
  endforeach()
  set(dve_exported ${dve_exported} ${targets} PARENT_SCOPE)
  set(dve_${name}_libraries "${libraries}" PARENT_SCOPE)
endfunction()

# dve_pkg_config(FILE "description" "requires" "libs" "cflags"); a package without libs is one of headers.
function(dve_pkg_config name description requires libs cflags)
  if(libs)
    string(PREPEND libs "-L\${libdir}")
  endif()
  string(REGEX REPLACE "[^/]+" ".." to_prefix ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc CONTENT
"prefix=\${pcfiledir}/${to_prefix}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}

Name: ${name}
Description: ${description}
Version: ${PROJECT_VERSION}
Requires: ${requires}
Libs: ${libs}
Cflags: -I\${includedir} ${cflags}
")
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

set_target_properties(dve_isa PROPERTIES EXPORT_NAME isa)
set_target_properties(dve_alu PROPERTIES EXPORT_NAME alu)
set_target_properties(dve_platform_files PROPERTIES EXPORT_NAME files)
set_target_properties(dve_engine PROPERTIES EXPORT_NAME engine)
set_target_properties(dve_waveform PROPERTIES EXPORT_NAME waveform)
set_target_properties(dve-sim PROPERTIES EXPORT_NAME sim)
install(TARGETS dve-sim EXPORT dve-core RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
dve_component(core dve_isa dve_alu dve_platform_files)
dve_component(engine dve_engine)
dve_component(waveform dve_waveform)

# Headers name each other by their place in this tree; installed they say dve/ before it, so that
# <prefix>/include is the one folder users need and no name of theirs, or of SystemC, can be meant.
install(CODE "set(from \"${PROJECT_SOURCE_DIR}\")\nset(to \"${PROJECT_BINARY_DIR}/installed_headers\")")
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/DveInstalledHeaders.cmake)
install(DIRECTORY ${PROJECT_BINARY_DIR}/installed_headers/dve include/dve
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(DVE_WAVEFORM_DEPENDENCIES "")
if(TARGET fst_writer)
  set(DVE_WAVEFORM_DEPENDENCIES "find_dependency(ZLIB)\n  find_dependency(Threads)")
endif()
configure_package_config_file(cmake/dve-config.cmake.in ${PROJECT_BINARY_DIR}/dve-config.cmake
  INSTALL_DESTINATION ${dve_cmake_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dve-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dve-config.cmake ${PROJECT_BINARY_DIR}/dve-config-version.cmake
              cmake/DveFindSystemC.cmake
        DESTINATION ${dve_cmake_folder})

set(cxx_flags "-std=c++17 -ffp-contract=off")
if(DVE_SANITIZE)
  string(APPEND cxx_flags " -fsanitize=address,undefined")
  string(PREPEND dve_core_libraries " -fsanitize=address,undefined")
endif()
dve_pkg_config(dve-alu "Records and arithmetic of the DVE, without SystemC" "" "${dve_core_libraries}"
               "${cxx_flags}")
# A SystemC from its CMake package has no pkg-config file to require.
if(DVE_SYSTEMC_TARGET MATCHES "PkgConfig")
  set(systemc_requires ", systemc = ${DVE_SYSTEMC_VERSION}")
else()
  string(APPEND dve_engine_libraries " $<TARGET_LINKER_FILE:${DVE_SYSTEMC_TARGET}>")
  set(systemc_cflags " -I$<JOIN:$<TARGET_PROPERTY:${DVE_SYSTEMC_TARGET},INTERFACE_INCLUDE_DIRECTORIES>, -I>")
endif()
dve_pkg_config(dve "SystemC/TLM-2.0 model of the DVE vector engine"
               "dve-alu = ${PROJECT_VERSION}${systemc_requires}" "${dve_engine_libraries}"
               "-DSC_INCLUDE_DYNAMIC_PROCESSES${systemc_cflags}")
dve_pkg_config(dve-registers "Registers of the DVE, a header for drivers in C" "" "" "")
if(TARGET fst_writer)
  set(waveform_requires ", zlib")
  string(APPEND dve_waveform_libraries " -pthread")
endif()
dve_pkg_config(dve-waveform "Waveform files of the DVE model" "dve = ${PROJECT_VERSION}${waveform_requires}"
               "${dve_waveform_libraries}" "")

install(TARGETS dve-script RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(DVE_PACKAGE_CONTACT "dve maintainers <dve@localhost>" CACHE STRING "Maintainer of the Debian package")
include(DveDebianDocuments)
# The documents lie as they do here: the links between them hold.
install(FILES README.md LICENSE ${PROJECT_BINARY_DIR}/debian/copyright ${PROJECT_BINARY_DIR}/debian/changelog.gz
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
        PATTERN "*.md" PATTERN "*.rdl" PATTERN "*.png" PATTERN "*.dvs" PATTERN __pycache__ EXCLUDE)
install(DIRECTORY platform/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}/platform
        PATTERN __pycache__ EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${DVE_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_VENDOR "dve")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DESCRIPTION
"Takes the engine's own instruction records and tensors, and gives back the
tensors, bit for bit, with cycle counts. Headers and libraries for virtual
platforms, the programs dve-sim and dve-script, a C header for drivers,
example platforms.")
# What the programs load comes from their dynamic sections; what a build against the libraries needs
# does not show there.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(DVE_SYSTEMC_TARGET MATCHES "^PkgConfig::")  # Debian's
  list(APPEND dve_debian_depends libsystemc-dev)
endif()
if(TARGET fst_writer)
  list(APPEND dve_debian_depends zlib1g-dev)
endif()
list(JOIN dve_debian_depends ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake, pkg-config")
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};dve;ALL;/")
include(CPack)
