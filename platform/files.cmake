# Files and places of the platform: .npy, whole files, --load and --dump. No SystemC.
add_library(dve_platform_files STATIC
  ${CMAKE_CURRENT_LIST_DIR}/npy.cpp
  ${CMAKE_CURRENT_LIST_DIR}/place.cpp
  ${CMAKE_CURRENT_LIST_DIR}/whole_file.cpp)
target_link_libraries(dve_platform_files PUBLIC dve_isa)
