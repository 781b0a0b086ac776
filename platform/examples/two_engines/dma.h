// A DMA engine: moves rows between memories when semaphores say so, and says so by semaphores.
#pragma once

#include <utility>
#include <vector>

#include "initiator.h"

/// A semaphore has reached a value: its read address, and the least value to go on.
struct Awaited {
    std::uint64_t address;
    std::uint32_t least;
};

/// Waits for all of `awaits`, moves, then adds one at every address of `signals`.
struct Descriptor {
    std::vector<Awaited> awaits;
    std::uint64_t from;
    std::uint64_t to;
    unsigned rows;
    unsigned row_bytes;
    std::uint64_t stride;  ///< from row to row, at both ends
    std::vector<std::uint64_t> signals;
};

class Dma : public Initiator {
public:
    Dma(sc_core::sc_module_name name, std::vector<Descriptor> work)
        : Initiator(name), work_(std::move(work)) {
        DVE_HAS_PROCESS(Dma);
        SC_THREAD(run);
    }

private:
    void run() {
        const sc_core::sc_time poll_period(50, sc_core::SC_NS);
        for (const Descriptor& descriptor : work_) {
            for (const Awaited& awaited : descriptor.awaits) {
                while (read_word(awaited.address) < awaited.least) {
                    wait(poll_period);
                }
            }
            std::vector<std::uint8_t> row(descriptor.row_bytes);
            for (unsigned r = 0; r < descriptor.rows; ++r) {
                read(descriptor.from + r * descriptor.stride, row.data(), descriptor.row_bytes);
                write(descriptor.to + r * descriptor.stride, row.data(), descriptor.row_bytes);
            }
            for (const std::uint64_t signal : descriptor.signals) {
                write_word(signal, 1);
            }
            std::printf("tile moved at %s\n", sc_core::sc_time_stamp().to_string().c_str());
        }
    }

    std::vector<Descriptor> work_;
};
