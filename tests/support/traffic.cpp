// Making, sending and checking random transactions.
#include "tests/support/traffic.h"

#include <algorithm>

#include "tlm/initiator_access.h"

namespace dve::test {

TrafficInitiator::TrafficInitiator(sc_core::sc_module_name name, unsigned seed,
                                   std::vector<TrafficArea> areas, std::uint64_t unmapped)
    : sc_module(name), socket("socket"), engine_(seed), unmapped_(unmapped) {
    for (const TrafficArea& area : areas) {
        areas_.push_back({area, std::vector<std::uint8_t>(area.bytes)});
    }
    socket.register_nb_transport_bw(this, &TrafficInitiator::nb_transport_bw);
    socket.register_invalidate_direct_mem_ptr(this, &TrafficInitiator::invalidate);
    DVE_HAS_PROCESS(TrafficInitiator);
    SC_METHOD(end_response);
    sensitive << end_response_event_;
    dont_initialize();
}

void TrafficInitiator::run(std::uint64_t transactions) {
    for (std::uint64_t i = 0; i < transactions; ++i) {
        ++counts_.transactions;
        switch (between(0, 15)) {
            case 0: use_direct_memory(); break;
            case 1: use_debug_transport(); break;
            case 2:
            case 3:
            case 4:
            case 5: send_blocking(); break;
            default: send_non_blocking(); break;
        }
        if (one_in(4)) {
            pause();
        }
    }
    drain();
}

void TrafficInitiator::pause() { wait(sc_core::sc_time(between(0, 20), sc_core::SC_NS)); }

void TrafficInitiator::drain() {
    while (!flying_.empty()) {
        wait(progress_);
    }
}

TrafficInitiator::Work TrafficInitiator::invent(tlm::tlm_generic_payload& payload) {
    Work work;
    work.payload = &payload;
    Area& area = areas_[between(0, static_cast<std::uint32_t>(areas_.size() - 1))];
    const std::uint32_t length = one_in(20) ? between(1, 300) : between(1, 24);
    const std::uint32_t width = one_in(4) ? between(1, length + 3) : length;
    const std::uint32_t touched = std::min(length, width);
    work.data.resize(length);
    std::generate(work.data.begin(), work.data.end(), [this] { return between(0, 255); });
    if (one_in(3)) {
        work.enables.resize(between(1, length + 3));
        std::generate(work.enables.begin(), work.enables.end(),
                      [this] { return one_in(2) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED; });
    }
    std::uint32_t offset = between(0, area.at.bytes - touched);
    if (one_in(8)) {
        offset = area.at.bytes - touched;  // ends are where mistakes are
    }
    work.address = area.at.first + offset;
    if (one_in(20)) {
        work.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        work.address = unmapped_ + between(0, 1000);
        if (area.at.ends_memory && one_in(2)) {
            work.address = area.at.first + area.at.bytes - touched + between(1, touched);
        }
    }
    const tlm::tlm_command command = one_in(12)  ? tlm::TLM_IGNORE_COMMAND
                                     : one_in(2) ? tlm::TLM_WRITE_COMMAND
                                                 : tlm::TLM_READ_COMMAND;
    prepare(payload, command, work.address, work.data.data(), length);
    payload.set_streaming_width(width);
    payload.set_byte_enable_ptr(work.enables.empty() ? nullptr : work.enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(work.enables.size()));
    work_out(work, payload, area, offset);
    return work;
}

/// The oracle: what the bytes of the area and those of the initiator become.
void TrafficInitiator::work_out(Work& work, const tlm::tlm_generic_payload& payload, Area& area,
                                std::uint32_t offset) {
    work.expected = work.data;
    if (work.status != tlm::TLM_OK_RESPONSE) {
        ++counts_.errors;
        return;
    }
    std::size_t enable = 0;
    std::uint32_t place = 0;
    for (std::uint8_t& byte : work.expected) {
        const bool enabled = work.enables.empty() || work.enables[enable] != 0;
        if (enabled && payload.is_read()) {
            byte = area.bytes[offset + place];
        } else if (enabled && payload.is_write()) {
            area.bytes[offset + place] = byte;
        }
        enable = enable + 1 < work.enables.size() ? enable + 1 : 0;
        place = place + 1 < payload.get_streaming_width() ? place + 1 : 0;
    }
}

void TrafficInitiator::check(const Work& work, const tlm::tlm_generic_payload& payload) {
    check(payload.get_response_status() == work.status);
    check(payload.get_address() == work.address);
    check(work.data == work.expected);
}

void TrafficInitiator::send_blocking() {
    drain();
    ++counts_.blocking;
    tlm::tlm_generic_payload& payload = pool_.take();
    const Work work = invent(payload);
    sc_core::sc_time delay(between(0, 20), sc_core::SC_NS);
    socket->b_transport(payload, delay);
    check(work, payload);
    if (payload.is_dmi_allowed()) {
        check(payload.is_response_ok());
        tlm::tlm_dmi dmi;
        payload.set_read();
        check(socket->get_direct_mem_ptr(payload, dmi));
    }
    payload.release();
    if (one_in(3)) {
        wait(delay);
    }
}

void TrafficInitiator::send_non_blocking() {
    while (request_open_ || flying_.size() >= 6) {
        wait(progress_);
    }
    tlm::tlm_generic_payload& payload = pool_.take();
    flying_.push_back(invent(payload));
    request_open_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay(one_in(2) ? between(0, 10) : 0, sc_core::SC_NS);
    switch (socket->nb_transport_fw(payload, phase, delay)) {
        case tlm::TLM_ACCEPTED: break;
        case tlm::TLM_UPDATED:
            request_open_ = false;
            if (phase == tlm::BEGIN_RESP) {
                receive(payload);
                response_ = &payload;
                end_response_event_.notify(delay);
            }
            break;
        case tlm::TLM_COMPLETED:
            request_open_ = false;
            ++counts_.completed_early;
            receive(payload);
            finish(payload);
            break;
    }
}

tlm::tlm_sync_enum TrafficInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                     tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) {
        request_open_ = false;
        progress_.notify(delay);
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) {
        return tlm::TLM_ACCEPTED;
    }
    ++counts_.responses;
    receive(payload);
    if (one_in(3)) {
        response_ = &payload;
        end_response_event_.notify(delay + sc_core::sc_time(between(0, 30), sc_core::SC_NS));
        return tlm::TLM_ACCEPTED;
    }
    finish(payload);
    if (one_in(2)) {
        return tlm::TLM_COMPLETED;
    }
    phase = tlm::END_RESP;
    delay += sc_core::sc_time(between(0, 5), sc_core::SC_NS);
    return tlm::TLM_UPDATED;
}

void TrafficInitiator::receive(tlm::tlm_generic_payload& payload) {
    const auto found = std::find_if(flying_.begin(), flying_.end(), [&payload](const Work& work) {
        return work.payload == &payload;
    });
    check(found != flying_.end());
    if (found != flying_.end()) {
        check(*found, payload);
    }
}

void TrafficInitiator::end_response() {
    tlm::tlm_generic_payload& payload = *response_;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay(between(0, 3), sc_core::SC_NS);
    socket->nb_transport_fw(payload, phase, delay);
    finish(payload);
}

void TrafficInitiator::finish(tlm::tlm_generic_payload& payload) {
    flying_.remove_if([&payload](const Work& work) { return work.payload == &payload; });
    payload.release();
    progress_.notify(sc_core::SC_ZERO_TIME);
}

void TrafficInitiator::use_direct_memory() {
    drain();
    Area& area = areas_[between(0, static_cast<std::uint32_t>(areas_.size() - 1))];
    const std::uint32_t offset = between(0, area.at.bytes - 1);
    tlm::tlm_generic_payload payload;
    payload.set_command(one_in(2) ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    payload.set_address(area.at.first + offset);
    tlm::tlm_dmi dmi;
    if (!socket->get_direct_mem_ptr(payload, dmi)) {
        return;
    }
    ++counts_.direct;
    const std::uint64_t last =
        std::min<std::uint64_t>(area.at.first + area.at.bytes - 1, dmi.get_end_address());
    std::uint8_t* bytes = dmi.get_dmi_ptr() + (payload.get_address() - dmi.get_start_address());
    const std::uint64_t count =
        std::min<std::uint64_t>(last - payload.get_address() + 1, between(1, 64));
    for (std::uint64_t i = 0; i < count; ++i) {
        check(bytes[i] == area.bytes[offset + i]);
        bytes[i] = area.bytes[offset + i] = static_cast<std::uint8_t>(between(0, 255));
    }
}

void TrafficInitiator::use_debug_transport() {
    drain();
    ++counts_.debug;
    Area& area = areas_[between(0, static_cast<std::uint32_t>(areas_.size() - 1))];
    const std::uint32_t length = between(1, 64);
    const std::uint32_t offset = between(0, area.at.bytes - length);
    std::vector<std::uint8_t> data(length);
    std::generate(data.begin(), data.end(), [this] { return between(0, 255); });
    tlm::tlm_generic_payload payload;
    prepare(payload, one_in(2) ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
            area.at.first + offset, data.data(), length);
    check(socket->transport_dbg(payload) == length);
    if (payload.is_write()) {
        std::copy(data.begin(), data.end(), area.bytes.begin() + offset);
    } else {
        check(std::equal(data.begin(), data.end(), area.bytes.begin() + offset));
    }
    payload.set_address(unmapped_);
    check(socket->transport_dbg(payload) == 0);
}

}  // namespace dve::test
