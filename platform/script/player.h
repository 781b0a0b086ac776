// Plays the commands of a register script over a bus.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <string>
#include <vector>

#include "platform/script/script.h"
#include "tlm/systemc_compat.h"

namespace dve::script {

/// How a script ended; the values are exit statuses.
enum class Outcome : int {
    DONE = 0,
    DIFFERENCE = 1,  ///< a value, an interrupt or a response is not what the script asks for
    FILE = 2,        ///< a file cannot be read or written
};

class Player : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Player> bus;
    sc_core::sc_in<bool> irq;

    /// Files without an absolute name lie in `folder`.
    Player(sc_core::sc_module_name name, std::vector<Command> commands, std::string folder);

    Outcome outcome() const { return outcome_; }
    /// Line of the command that ended the script, and why; the message is empty if all are done.
    unsigned line() const { return line_; }
    const std::string& message() const { return message_; }

private:
    void run();
    bool perform(const Command& command);
    bool load(const Command& command);
    bool dump(const Command& command);
    bool compare(const Command& command);
    bool poll(const Command& command);
    bool wait_irq(const Command& command);
    bool transfer(tlm::tlm_command direction, std::uint64_t address, std::uint8_t* data,
                  std::uint64_t bytes);
    bool read_register(const Command& command, std::uint32_t& value);
    bool fail(Outcome outcome, const std::string& message);

    std::vector<Command> commands_;
    std::string folder_;
    Outcome outcome_ = Outcome::DIFFERENCE;
    unsigned line_ = 0;
    std::string message_ = "the simulation ended early";
};

}  // namespace dve::script
