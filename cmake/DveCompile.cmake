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

add_library(dve_flags INTERFACE)
target_compile_features(dve_flags INTERFACE cxx_std_17)
target_compile_options(dve_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
# Bit-exactness: a fused multiply-add rounds once where the lanes round twice.
target_compile_options(dve_flags INTERFACE -ffp-contract=off)
target_include_directories(dve_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(DVE_SANITIZE)
  target_compile_options(dve_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer
                         -fno-sanitize-recover=undefined)
  target_link_options(dve_flags INTERFACE -fsanitize=address,undefined)
endif()
