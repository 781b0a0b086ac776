// The datapath with a monitor in front of each memory, dispatched to without a sequencer.
#pragma once

#include "models/dve/dve_datapath.h"
#include "models/memory/partitioned_memory.h"
#include "models/workers/workers.h"
#include "tests/dve/random_instruction.h"
#include "tests/support/initiator.h"
#include "tests/support/monitor.h"

namespace dve::test {

class DatapathBench {
public:
    explicit DatapathBench(Generation generation, bool allow_dmi = true)
        : isa(IsaConfiguration::for_generation(generation)),
          datapath(unique("dve"), isa, Semantics(), TimingParameters::for_generation(generation),
                   TimingMode::LOOSE, sc_core::sc_time(1, sc_core::SC_NS),
                   workers, log),
          sequencer(unique("sequencer")),
          sbuf_monitor(unique("sbuf_monitor")),
          psum_monitor(unique("psum_monitor")),
          sbuf(unique("sbuf"), isa.sbuf, 8, cycle),
          psum(unique("psum"), isa.psum, 4, cycle) {
        sequencer.socket.bind(datapath.dispatch);
        datapath.sbuf.socket.bind(sbuf_monitor.target);
        datapath.psum.socket.bind(psum_monitor.target);
        sbuf_monitor.initiator.bind(sbuf.lanes);
        psum_monitor.initiator.bind(psum.lanes);
        sbuf_monitor.allow_dmi = psum_monitor.allow_dmi = allow_dmi;
    }

    tlm::tlm_response_status dispatch(const Record& record, std::uint64_t worker_address) {
        Record copy = record;
        tlm::tlm_generic_payload payload;
        extension = DispatchExtension();
        extension.registers = registers.data();
        extension.kernel_info_flags = flags;
        payload.set_extension(&extension);
        payload.set_command(tlm::TLM_WRITE_COMMAND);
        payload.set_address(worker_address);
        payload.set_data_ptr(copy.bytes.data());
        payload.set_data_length(64);
        payload.set_streaming_width(64);
        sc_core::sc_time delay;
        sequencer.socket->b_transport(payload, delay);
        payload.clear_extension(&extension);
        return payload.get_response_status();
    }
    tlm::tlm_response_status dispatch(const Record& record) {
        return dispatch(record,
                        find_worker(find_opcode(record.opcode())->worker)->address(isa.generation));
    }
    tlm::tlm_response_status dispatch(const Instruction& instruction) {
        return dispatch(encode(instruction, isa.generation, registers));
    }

    PartitionedMemory& memory(Space space) { return space == Space::SBUF ? sbuf : psum; }
    std::uint8_t* at(Space space, unsigned partition, std::uint64_t byte) {
        return memory(space).bytes(partition, byte, 1);
    }
    void load(Memories& from) {
        for (const Space space : {Space::SBUF, Space::PSUM}) {
            for (unsigned p = 0; p < 128; ++p) {
                std::memcpy(at(space, p, 0), from.at(space, p, 0), Memories::row_bytes);
            }
        }
    }
    Memories contents() {
        Memories result;
        for (const Space space : {Space::SBUF, Space::PSUM}) {
            for (unsigned p = 0; p < 128; ++p) {
                std::memcpy(result.at(space, p, 0), at(space, p, 0), Memories::row_bytes);
            }
        }
        return result;
    }

    IsaConfiguration isa;
    FirmwareWorkers workers;
    SilentLog log;
    std::array<std::uint32_t, 64> registers{};
    std::uint32_t flags = 0x04;  ///< scan.combine = add
    DispatchExtension extension;
    DveDatapath datapath;
    Initiator sequencer;
    Monitor sbuf_monitor;
    Monitor psum_monitor;
    PartitionedMemory sbuf;
    PartitionedMemory psum;

private:
    static const char* unique(const char* seed) { return sc_core::sc_gen_unique_name(seed); }
    static inline const sc_core::sc_time cycle{1, sc_core::SC_NS};
};

}  // namespace dve::test
