// Bus accesses, waits and comparisons of a script.
#include "platform/script/player.h"

#include <algorithm>
#include <filesystem>

#include "models/isa/text_number.h"
#include "platform/whole_file.h"
#include "tlm/initiator_access.h"

namespace dve::script {
namespace {

constexpr std::uint64_t burst_bytes = 4096;
constexpr std::uint64_t poll_period_ns = 100;

sc_core::sc_time nanoseconds(std::uint64_t count) {
    return sc_core::sc_time(static_cast<double>(count), sc_core::SC_NS);
}

}  // namespace

Player::Player(sc_core::sc_module_name name, std::vector<Command> commands, std::string folder)
    : sc_module(name),
      bus("bus"),
      irq("irq"),
      commands_(std::move(commands)),
      folder_(std::move(folder)) {
    DVE_HAS_PROCESS(Player);
    SC_THREAD(run);
}

void Player::run() {
    for (const Command& command : commands_) {
        line_ = command.line;
        if (!perform(command)) {
            return;
        }
    }
    outcome_ = Outcome::DONE;
    message_.clear();
}

bool Player::perform(const Command& command) {
    switch (command.action) {
        case Action::LOAD_MEM: return load(command);
        case Action::DUMP_MEM: return dump(command);
        case Action::READ_REG: return compare(command);
        case Action::POLL_REG: return poll(command);
        case Action::WAIT_IRQ: return wait_irq(command);
        case Action::WAIT: wait(nanoseconds(command.nanoseconds)); return true;
        case Action::WRITE_REG: break;
    }
    std::uint32_t value = command.value;
    return transfer(tlm::TLM_WRITE_COMMAND, command.address,
                    reinterpret_cast<std::uint8_t*>(&value), sizeof value);
}

bool Player::load(const Command& command) {
    const std::string path = std::filesystem::path(folder_) / command.file;
    auto bytes = read_whole_file(path);
    if (!bytes) {
        return fail(Outcome::FILE, bytes.error());
    }
    if (bytes->size() != command.bytes) {
        return fail(Outcome::FILE, path + ": has " + std::to_string(bytes->size()) +
                                       " bytes, the script says " + std::to_string(command.bytes));
    }
    return transfer(tlm::TLM_WRITE_COMMAND, command.address, bytes.value().data(), command.bytes);
}

bool Player::dump(const Command& command) {
    std::vector<std::uint8_t> bytes(command.bytes);
    if (!transfer(tlm::TLM_READ_COMMAND, command.address, bytes.data(), command.bytes)) {
        return false;
    }
    const Status written = write_whole_file(std::filesystem::path(folder_) / command.file,
                                            {{bytes.data(), bytes.size()}});
    return written || fail(Outcome::FILE, written.error());
}

bool Player::compare(const Command& command) {
    std::uint32_t value = 0;
    if (!read_register(command, value)) {
        return false;
    }
    return (value & command.mask) == command.value ||
           fail(Outcome::DIFFERENCE, "read_reg " + format_hex(command.address) + ": is " +
                                         format_hex(value) + ", expected " +
                                         format_hex(command.value) + " under mask " +
                                         format_hex(command.mask));
}

bool Player::poll(const Command& command) {
    const sc_core::sc_time end = sc_core::sc_time_stamp() + nanoseconds(command.nanoseconds);
    while (true) {
        std::uint32_t value = 0;
        if (!read_register(command, value)) {
            return false;
        }
        if ((value & command.mask) == command.value) {
            return true;
        }
        if (sc_core::sc_time_stamp() >= end) {
            return fail(Outcome::DIFFERENCE,
                        "poll_reg " + format_hex(command.address) + ": is " + format_hex(value) +
                            " after " + std::to_string(command.nanoseconds) + " ns, expected " +
                            format_hex(command.value) + " under mask " + format_hex(command.mask));
        }
        wait(std::min(nanoseconds(poll_period_ns), end - sc_core::sc_time_stamp()));
    }
}

bool Player::wait_irq(const Command& command) {
    if (irq.read() != command.level) {
        wait(nanoseconds(command.nanoseconds), irq.value_changed_event());
    }
    return irq.read() == command.level ||
           fail(Outcome::DIFFERENCE,
                std::string(command.level ? "wait_irq: no interrupt within "
                                          : "wait_irq low: the interrupt stays for ") +
                    std::to_string(command.nanoseconds) + " ns");
}

bool Player::transfer(tlm::tlm_command direction, std::uint64_t address, std::uint8_t* data,
                      std::uint64_t bytes) {
    for (std::uint64_t done = 0; done < bytes;) {
        // No burst crosses a multiple of its size, and so no border of a partition.
        const std::uint64_t room = burst_bytes - (address + done) % burst_bytes;
        const std::uint64_t count = std::min(room, bytes - done);
        tlm::tlm_generic_payload transaction;
        prepare(transaction, direction, address + done, data + done, static_cast<unsigned>(count));
        sc_core::sc_time delay;
        bus->b_transport(transaction, delay);
        wait(delay);
        if (!transaction.is_response_ok()) {
            return fail(Outcome::DIFFERENCE,
                        std::string(direction == tlm::TLM_READ_COMMAND ? "read" : "write") +
                            " of " + std::to_string(count) + " bytes at " +
                            format_hex(address + done) + " answered " +
                            transaction.get_response_string());
        }
        done += count;
    }
    return true;
}

bool Player::read_register(const Command& command, std::uint32_t& value) {
    return transfer(tlm::TLM_READ_COMMAND, command.address, reinterpret_cast<std::uint8_t*>(&value),
                    sizeof value);
}

bool Player::fail(Outcome outcome, const std::string& message) {
    outcome_ = outcome;
    message_ = message;
    return false;
}

}  // namespace dve::script
