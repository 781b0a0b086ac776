// Kanata log (Konata viewer) from the retire stream.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "models/isa/text_place.h"
#include "tlm/retire_record.h"
#include "traces/output_file.h"

namespace dve {

/// Commands must stand in the order of time, so what an instruction does is held back until no
/// record to come can begin before it: fetch_cycle must not fall from record to record.
/// docs/timelines.md describes the stages.
class KanataLog final : public RetireObserver {
public:
    /// `path`: `-` is standard output. `fetch_cycles`: length of FETCH of one record, the rest up
    /// to decoded_cycle is DECODE.
    KanataLog(const std::string& path, Generation generation, const MemoryMap& memory,
              std::uint64_t fetch_cycles);
    ~KanataLog() override;

    void retired(const RetireRecord& record) override;

    Status status() const { return file_.status(); }
    /// Writes what was held back.
    Status finish();

private:
    void stage(std::uint64_t id, const char* name, std::uint64_t begin, std::uint64_t end);
    void write_before(std::uint64_t cycle);

    OutputFile file_;
    Generation generation_;
    MemoryMap memory_;
    std::uint64_t fetch_cycles_;
    std::uint64_t now_ = 0;                           ///< cycle of the last command written
    std::map<std::uint64_t, std::string> held_back_;  ///< command lines by cycle
};

}  // namespace dve
