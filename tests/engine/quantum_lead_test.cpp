// How far a loosely-timed engine runs ahead of SystemC time: by the global quantum, one microsecond
// without one, and what a single record takes; notifications are written at their time.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <set>

#include "platform/system_memory.h"
#include "tests/engine/quantum_bench.h"
#include "tests/support/random_record.h"

namespace dve::test {
namespace {

/// Shows every transport between two sockets.
class Watch : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Watch> target{"target"};
    tlm_utils::simple_initiator_socket<Watch> initiator{"initiator"};
    std::function<void(const tlm::tlm_generic_payload&, const sc_core::sc_time& delay)> seen;

    explicit Watch(sc_core::sc_module_name name) : sc_module(name) {
        target.register_b_transport(this, &Watch::b_transport);
    }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
        seen(transaction, delay);
        initiator->b_transport(transaction, delay);
    }
};

class QuantumLead : public testing::Test, private RetireObserver {
protected:
    // Without indirect operands: after a record the engine's time is that of its issue and a cycle.
    QuantumLead()
        : configuration_(Configuration::defaults(Generation::CAYMAN, SemanticsProfile::REFERENCE)),
          cycle_(cycle_time(configuration_)),
          engine_("engine", configuration_, log_),
          watch_("watch"),
          system_("system", 0x4000),
          csr_("csr"),
          memory_("memory"),
          irq_("irq") {
        engine_.fetch.bind(watch_.target);
        watch_.initiator.bind(system_.socket);
        csr_.socket.bind(engine_.csr);
        memory_.socket.bind(engine_.memory);
        engine_.irq.bind(irq_);
        engine_.sequencer().set_retire_observer(this);
        watch_.seen = [this](const tlm::tlm_generic_payload& transaction,
                             const sc_core::sc_time& delay) { see(transaction, delay); };
        elaborate();
    }

    void write(std::uint32_t offset, std::uint32_t value) { csr_.write(offset, &value, 4); }

    void run(const std::vector<Record>& program, const sc_core::sc_time& quantum,
             const std::array<std::uint32_t, 64>& registers = {}) {
        set_quantum(quantum);
        allowed_ = quantum == sc_core::SC_ZERO_TIME ? sc_core::sc_time(1, sc_core::SC_US) : quantum;
        write(csr::RESET, 1);
        for (unsigned number = 0; number < registers.size(); ++number) {
            write(csr::registers_window + 4 * number, registers[number]);
        }
        std::memcpy(system_.bytes().data(), program.data(), record_bytes * program.size());
        write(csr::NOTIFICATION_BASE_LO, 0x3000);
        write(csr::NOTIFICATION_ENTRIES, 64);
        write(csr::PROGRAM_BYTES, static_cast<std::uint32_t>(record_bytes * program.size()));
        start_ = sc_core::sc_time_stamp();
        local_ = largest_lead_ = largest_delay_ = sc_core::SC_ZERO_TIME;
        fetches_ = notifications_ = 0;
        times_.clear();
        write(csr::START, csr::value::START_PROGRAM);
        sc_core::sc_start();
        ASSERT_FALSE(engine_.sequencer().run_in_progress());
    }

    Configuration configuration_;
    sc_core::sc_time cycle_;
    sc_core::sc_time largest_lead_;
    sc_core::sc_time largest_delay_;    // of a fetch
    std::set<sc_core::sc_time> times_;  // at which SystemC time stood still
    unsigned fetches_ = 0;
    unsigned notifications_ = 0;

private:
    sc_core::sc_time at(std::uint64_t cycle) const {
        return start_ + cycle_ * static_cast<double>(cycle);
    }
    /// The engine does something new while its time is local_.
    void check_lead(const sc_core::sc_time& seen_at) {
        const sc_core::sc_time engine_time = start_ + local_;
        if (engine_time > seen_at) {
            EXPECT_LE(engine_time - seen_at, allowed_);
            largest_lead_ = std::max(largest_lead_, engine_time - seen_at);
        }
        times_.insert(seen_at);
    }
    void retired(const RetireRecord& record) override {
        check_lead(sc_core::sc_time_stamp());
        EXPECT_LE(sc_core::sc_time_stamp(), at(record.issue_cycle + 1)) << "late";
        local_ = at(record.channels == 0 ? record.end_cycle : record.issue_cycle + 1) - start_;
    }
    void see(const tlm::tlm_generic_payload& transaction, const sc_core::sc_time& delay) {
        const sc_core::sc_time seen_at = sc_core::sc_time_stamp() + delay;
        if (!transaction.is_write()) {
            ++fetches_;
            check_lead(sc_core::sc_time_stamp());
            EXPECT_LE(sc_core::sc_time_stamp(), start_ + local_) << "late";
            // The memory sees the local time; behind a branch the fetch comes later than the issue.
            EXPECT_LE(seen_at, start_ + local_ + at(configuration_.sequencer.fetch) - start_);
            largest_delay_ = std::max(largest_delay_, delay);
            return;
        }
        ++notifications_;
        const std::uint8_t* entry = transaction.get_data_ptr();
        std::uint64_t cycle = 0;
        std::memcpy(&cycle, entry + 8, sizeof cycle);
        const sc_core::sc_time stamped = at(cycle - start_.value() / cycle_.value());
        if (entry[0] == static_cast<std::uint8_t>(Opcode::NOTIFY)) {
            EXPECT_EQ(seen_at, stamped);
        } else {
            EXPECT_GE(seen_at, stamped);  // a fault is told when everything before it is done
        }
    }

    SilentLog log_;
    DveEngine engine_;
    Watch watch_;
    SystemMemory system_;
    Initiator csr_;
    Initiator memory_;
    sc_core::sc_signal<bool> irq_;
    sc_core::sc_time allowed_;
    sc_core::sc_time start_;
    sc_core::sc_time local_;  // of the engine, since the start
};

TEST_F(QuantumLead, OfLittleRecordsIsTheQuantum) {
    std::vector<Record> program;
    for (unsigned i = 0; i < 150; ++i) {
        program.push_back(i % 10 == 9 ? notify() : i % 3 == 0 ? legal_record(0x43) : nop());
    }
    for (const sc_core::sc_time& quantum : quanta(cycle_)) {
        SCOPED_TRACE("quantum " + quantum.to_string());
        run(program, quantum);
        EXPECT_EQ(notifications_, 15U);
        EXPECT_GE(fetches_, 10U);
        EXPECT_LE(times_.size(), 151U);
        // Whoever may run ahead does. NOTIFY catches up, ten records at most behind the last one.
        if (quantum >= sc_core::sc_time(1, sc_core::SC_US)) {
            EXPECT_GT(largest_lead_, sc_core::sc_time(100, sc_core::SC_NS));
            EXPECT_LE(times_.size(), 17U);
        }
    }
}

TEST_F(QuantumLead, OfRandomProgramsIsTheQuantum) {
    RandomRecords random(11, configuration_.isa);
    sc_core::sc_time longest;
    sc_core::sc_time longest_delay;
    for (unsigned number = 0; number < 6; ++number) {
        std::vector<Record> program;
        do {
            program = random.program(random.between(20, 60));
        } while (program.size() > 150);
        for (const sc_core::sc_time& quantum : quanta(cycle_)) {
            SCOPED_TRACE("program " + std::to_string(number) + ", quantum " + quantum.to_string());
            run(program, quantum, random.registers());
            ASSERT_FALSE(HasFailure());
        }
        longest = std::max(longest, largest_lead_);
        longest_delay = std::max(longest_delay, largest_delay_);
    }
    EXPECT_GT(longest_delay, sc_core::sc_time(100, sc_core::SC_NS)) << "with a millisecond";
    EXPECT_GT(longest, sc_core::sc_time(1, sc_core::SC_US)) << "with a millisecond";
}

}  // namespace
}  // namespace dve::test
