// One RV64GC hart: Unicorn behind a TLM initiator, with direct memory, a quantum and an interrupt.
#pragma once

#include <dve/tlm/systemc_compat.h>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <unicorn/unicorn.h>

#include <cstdint>
#include <memory>
#include <vector>

/// Memory that grants direct access is mapped into the emulator, everything else becomes blocking
/// transport. The hart runs ahead of simulated time by one quantum at most; it catches up when it
/// sleeps and before each transport. `irq` is the machine external interrupt, a level.
class Cpu : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Cpu> bus;
    sc_core::sc_in<bool> irq;

    /// Starts at `reset_address` in machine mode; every instruction takes one `cycle`.
    Cpu(sc_core::sc_module_name name, std::uint64_t reset_address, sc_core::sc_time cycle);
    ~Cpu() override;

    std::uint64_t instructions() const { return instructions_; }

private:
    /// A page of the emulator that stands for bus addresses without direct access.
    struct Page {
        Cpu* cpu;
        std::uint64_t base;
    };
    struct Range {
        std::uint64_t base;
        std::uint64_t bytes;
    };

    void run();
    bool interrupted() const;
    void take_interrupt();
    bool map(std::uint64_t address);
    void unmap_withdrawn();
    void withdraw(sc_dt::uint64 start, sc_dt::uint64 end);
    std::uint64_t transport(tlm::tlm_command command, std::uint64_t address, unsigned bytes,
                            std::uint64_t value);

    std::uint64_t read(int number) const;
    void write(int number, std::uint64_t value);

    static void before_instruction(uc_engine*, std::uint64_t address, std::uint32_t, void* cpu);
    static bool unmapped(uc_engine*, uc_mem_type, std::uint64_t address, int, std::int64_t,
                         void* cpu);

    uc_engine* emulator_ = nullptr;
    std::uint64_t reset_address_;
    sc_core::sc_time cycle_;
    tlm_utils::tlm_quantumkeeper keeper_;
    std::uint64_t instructions_ = 0;
    std::uint64_t instruction_address_ = 0;
    bool asleep_ = false;
    bool failed_ = false;
    std::vector<std::unique_ptr<Page>> pages_;
    std::vector<Range> direct_;
    std::vector<Range> withdrawn_;
};
