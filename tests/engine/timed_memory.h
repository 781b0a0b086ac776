// System memory that takes its time, within the call or as an annotation.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <vector>

#include "tlm/systemc_compat.h"

namespace dve::test {

class TimedMemory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<TimedMemory> socket{"socket"};
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(0x4000);
    sc_core::sc_time read_time;
    sc_core::sc_time write_time;
    bool annotates = false;
    unsigned in_flight = 0;  ///< calls that wait

    explicit TimedMemory(sc_core::sc_module_name name) : sc_module(name) {
        socket.register_b_transport(this, &TimedMemory::b_transport);
    }
    void set_time(const sc_core::sc_time& time) { read_time = write_time = time; }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
        const sc_core::sc_time time = transaction.is_read() ? read_time : write_time;
        if (annotates) {
            delay += time;
        } else if (time != sc_core::SC_ZERO_TIME) {
            ++in_flight;
            wait(time);
            --in_flight;
        }
        std::uint8_t* here = bytes.data() + transaction.get_address();
        if (transaction.is_read()) {
            std::memcpy(transaction.get_data_ptr(), here, transaction.get_data_length());
        } else {
            std::memcpy(here, transaction.get_data_ptr(), transaction.get_data_length());
        }
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

}  // namespace dve::test
