# Compile flags shared by every target, and ccache where it is installed.

find_program(DVE_CCACHE ccache)
if(DVE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${DVE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${DVE_CCACHE})
endif()

option(DVE_SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Targets of this project, as opposed to those of a project that includes it. Only ours compile with
# our warnings; the others see the headers under dve/, as they do when it is installed.
set(DVE_OWN_TARGET ON)
define_property(TARGET PROPERTY DVE_OWN_TARGET INITIALIZE_FROM_VARIABLE DVE_OWN_TARGET)
set(own "$<BOOL:$<TARGET_PROPERTY:DVE_OWN_TARGET>>")
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/dve)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/dve/*)
list(TRANSFORM headers REPLACE "^.*/" "include/dve/" OUTPUT_VARIABLE public_headers)
foreach(place IN ITEMS models platform tlm traces LISTS public_headers)
  get_filename_component(name ${place} NAME)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${place} ${PROJECT_BINARY_DIR}/include/dve/${name} SYMBOLIC)
endforeach()

add_library(dve_flags INTERFACE)
target_compile_features(dve_flags INTERFACE cxx_std_17)
foreach(warning IN ITEMS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
  target_compile_options(dve_flags INTERFACE $<BUILD_INTERFACE:$<${own}:${warning}>>)
endforeach()
# Bit-exactness: a fused multiply-add rounds once where the lanes round twice.
target_compile_options(dve_flags INTERFACE -ffp-contract=off)
target_include_directories(dve_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<BUILD_INTERFACE:$<$<NOT:${own}>:${PROJECT_BINARY_DIR}/include>>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
if(DVE_SANITIZE)
  target_compile_options(dve_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer
                         -fno-sanitize-recover=undefined)
  target_link_options(dve_flags INTERFACE -fsanitize=address,undefined)
endif()
