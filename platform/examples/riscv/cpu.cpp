// The hart's loop, its interrupt entry, and what the emulator asks of the bus.
#include "cpu.h"

#include <dve/tlm/initiator_access.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace {

constexpr std::uint64_t page_bytes = 0x1000;
constexpr std::uint32_t wfi = 0x10500073;
constexpr std::size_t stack_bytes = std::size_t{1} << 20;  // the emulator translates on it

// Privileged architecture: bits of mstatus and mie, cause of the machine external interrupt.
constexpr std::uint64_t mstatus_mie = 1U << 3;
constexpr std::uint64_t mstatus_mpie = 1U << 7;
constexpr std::uint64_t mstatus_mpp_machine = 3U << 11;
constexpr std::uint64_t external = 1U << 11;
constexpr std::uint64_t external_cause = (std::uint64_t{1} << 63) | 11;

}  // namespace

Cpu::Cpu(sc_core::sc_module_name name, std::uint64_t reset_address, sc_core::sc_time cycle)
    : sc_module(name), bus("bus"), irq("irq"), reset_address_(reset_address), cycle_(cycle) {
    DVE_HAS_PROCESS(Cpu);
    SC_THREAD(run);
    set_stack_size(stack_bytes);
    bus.register_invalidate_direct_mem_ptr(this, &Cpu::withdraw);
    if (uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &emulator_) != UC_ERR_OK) {
        failed_ = true;
        return;
    }
    uc_hook hook = 0;
    uc_hook_add(emulator_, &hook, UC_HOOK_CODE, reinterpret_cast<void*>(&before_instruction), this,
                1, 0);
    uc_hook_add(emulator_, &hook, UC_HOOK_MEM_UNMAPPED, reinterpret_cast<void*>(&unmapped), this, 1,
                0);
}

Cpu::~Cpu() {
    if (emulator_ != nullptr) {
        uc_close(emulator_);
    }
}

void Cpu::run() {
    keeper_.reset();
    std::uint64_t address = reset_address_;
    while (!failed_) {
        const uc_err error = uc_emu_start(emulator_, address, ~std::uint64_t{0}, 0, 0);
        address = read(UC_RISCV_REG_PC);
        if (error != UC_ERR_OK) {
            std::fprintf(stderr, "%s: %s at 0x%" PRIx64 "\n", name(), uc_strerror(error),
                         instruction_address_);
            failed_ = true;
        }
        unmap_withdrawn();
        keeper_.sync();
        if (asleep_) {
            address += sizeof wfi;
            write(UC_RISCV_REG_PC, address);
            if (!irq.read()) {
                wait(irq.posedge_event());
                keeper_.reset();
            }
            asleep_ = false;
        }
        take_interrupt();
        address = read(UC_RISCV_REG_PC);
    }
    sc_core::sc_stop();
}

bool Cpu::interrupted() const {
    return irq.read() && (read(UC_RISCV_REG_MSTATUS) & mstatus_mie) != 0 &&
           (read(UC_RISCV_REG_MIE) & external) != 0;
}

void Cpu::take_interrupt() {
    if (!interrupted()) {
        return;
    }
    const std::uint64_t status = read(UC_RISCV_REG_MSTATUS);
    write(UC_RISCV_REG_MEPC, read(UC_RISCV_REG_PC));
    write(UC_RISCV_REG_MCAUSE, external_cause);
    write(UC_RISCV_REG_MSTATUS, (status & ~mstatus_mie) | mstatus_mpie | mstatus_mpp_machine);
    write(UC_RISCV_REG_PC, read(UC_RISCV_REG_MTVEC) & ~std::uint64_t{3});
}

void Cpu::before_instruction(uc_engine* emulator, std::uint64_t address, std::uint32_t bytes,
                             void* user) {
    Cpu& cpu = *static_cast<Cpu*>(user);
    cpu.instruction_address_ = address;
    std::uint32_t word = 0;
    if (bytes == sizeof wfi) {
        uc_mem_read(emulator, address, &word, sizeof word);
    }
    cpu.asleep_ = word == wfi;
    // An instruction at which the emulator stops is not carried out, and counts when it is.
    if (cpu.asleep_ || cpu.keeper_.need_sync() || cpu.interrupted() || !cpu.withdrawn_.empty()) {
        uc_emu_stop(emulator);
        return;
    }
    ++cpu.instructions_;
    cpu.keeper_.inc(cpu.cycle_);
}

bool Cpu::unmapped(uc_engine*, uc_mem_type, std::uint64_t address, int, std::int64_t, void* user) {
    return static_cast<Cpu*>(user)->map(address);
}

bool Cpu::map(std::uint64_t address) {
    tlm::tlm_generic_payload transaction;
    dve::prepare(transaction, tlm::TLM_READ_COMMAND, address, nullptr, 0);
    tlm::tlm_dmi dmi;
    if (bus->get_direct_mem_ptr(transaction, dmi) && dmi.is_read_write_allowed()) {
        // The emulator maps whole pages.
        const std::uint64_t base =
            (dmi.get_start_address() + page_bytes - 1) / page_bytes * page_bytes;
        const std::uint64_t end = (dmi.get_end_address() + 1) / page_bytes * page_bytes;
        if (base <= address && address < end) {
            direct_.push_back({base, end - base});
            return uc_mem_map_ptr(emulator_, base, end - base, UC_PROT_ALL,
                                  dmi.get_dmi_ptr() + (base - dmi.get_start_address())) ==
                   UC_ERR_OK;
        }
    }
    const std::uint64_t base = address / page_bytes * page_bytes;
    pages_.push_back(std::make_unique<Page>(Page{this, base}));
    Page* page = pages_.back().get();
    const auto read_callback = [](uc_engine*, std::uint64_t offset, unsigned bytes, void* user) {
        const Page& place = *static_cast<Page*>(user);
        return place.cpu->transport(tlm::TLM_READ_COMMAND, place.base + offset, bytes, 0);
    };
    const auto write_callback = [](uc_engine*, std::uint64_t offset, unsigned bytes,
                                   std::uint64_t value, void* user) {
        const Page& place = *static_cast<Page*>(user);
        place.cpu->transport(tlm::TLM_WRITE_COMMAND, place.base + offset, bytes, value);
    };
    return uc_mmio_map(emulator_, base, page_bytes, read_callback, page, write_callback, page) ==
           UC_ERR_OK;
}

std::uint64_t Cpu::transport(tlm::tlm_command command, std::uint64_t address, unsigned bytes,
                             std::uint64_t value) {
    tlm::tlm_generic_payload transaction;
    dve::prepare(transaction, command, address, &value, bytes);
    // Devices act when they are written, so simulated time catches up first.
    keeper_.sync();
    sc_core::sc_time delay;
    bus->b_transport(transaction, delay);
    keeper_.inc(delay);
    if (!transaction.is_response_ok()) {
        std::fprintf(stderr, "%s: %u bytes at 0x%" PRIx64 ": %s\n", name(), bytes, address,
                     transaction.get_response_string().c_str());
        failed_ = true;
        uc_emu_stop(emulator_);
    }
    return value;
}

void Cpu::withdraw(sc_dt::uint64 start, sc_dt::uint64 end) {
    // The emulator may be inside a page of the range: it is unmapped when it has stopped.
    withdrawn_.push_back({start, end - start + 1});
}

void Cpu::unmap_withdrawn() {
    for (const Range& gone : withdrawn_) {
        const auto overlaps = [&](const Range& range) {
            const bool hit =
                range.base < gone.base + gone.bytes && gone.base < range.base + range.bytes;
            if (hit) {
                uc_mem_unmap(emulator_, range.base, range.bytes);
            }
            return hit;
        };
        direct_.erase(std::remove_if(direct_.begin(), direct_.end(), overlaps), direct_.end());
    }
    withdrawn_.clear();
}

std::uint64_t Cpu::read(int number) const {
    std::uint64_t value = 0;
    uc_reg_read(emulator_, number, &value);
    return value;
}

void Cpu::write(int number, std::uint64_t value) { uc_reg_write(emulator_, number, &value); }
