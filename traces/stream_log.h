// The firmware-style log on an output stream.
#pragma once

#include <ostream>

#include "tlm/firmware_log.h"

namespace dve {

class StreamLog final : public FirmwareLog {
public:
    explicit StreamLog(std::ostream& out) : FirmwareLog(true), out_(out) {}
    void write(const std::string& text) override { out_ << text << '\n'; }

private:
    std::ostream& out_;
};

}  // namespace dve
