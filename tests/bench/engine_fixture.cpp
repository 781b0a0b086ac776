// Elaboration of the benchmark's engine.
#include "tests/bench/engine_fixture.h"

#include <cstring>

namespace dve::bench {
namespace {

Configuration mariana(TimingMode mode) {
    Configuration configuration =
        Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE);
    configuration.mode = mode;
    return configuration;
}

}  // namespace

EngineFixture::EngineFixture(TimingMode mode)
    : program_("program", maximum_records * record_bytes),
      engine_("engine", mariana(mode), log_),
      host_("host"),
      irq_("irq") {
    host_.csr.bind(engine_.csr);
    host_.memory.bind(engine_.memory);
    engine_.fetch.bind(program_.socket);
    engine_.irq.bind(irq_);
}

void EngineFixture::load(const Record& record, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(program_.bytes().data() + i * record_bytes, record.bytes.data(), record_bytes);
    }
    bytes_ = count * record_bytes;
}

bool EngineFixture::run() {
    engine_.sequencer().start(0, bytes_);
    sc_core::sc_start();
    return engine_.sequencer().state() == RunState::HALTED;
}

EngineFixture& engine() {
    static EngineFixture fixture(TimingMode::LOOSE);
    return fixture;
}

}  // namespace dve::bench
