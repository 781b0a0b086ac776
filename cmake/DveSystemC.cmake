# The target dve_systemc: SystemC as this build found it, and as a user of the package will.

include(DveFindSystemC)
dve_find_systemc()
if(DVE_SYSTEMC_PROBLEM)
  message(FATAL_ERROR "${DVE_SYSTEMC_PROBLEM}")
endif()
add_library(dve_systemc INTERFACE)
target_link_libraries(dve_systemc INTERFACE
  $<BUILD_INTERFACE:${DVE_SYSTEMC_TARGET}> $<INSTALL_INTERFACE:dve::systemc>)
message(STATUS "SystemC: ${DVE_SYSTEMC_FROM}")
