// Memory-managed payloads for non-blocking transport, all accounted for.
#pragma once

#include <tlm.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace dve::test {

class PayloadPool : public tlm::tlm_mm_interface {
public:
    /// With one reference, that of the caller.
    tlm::tlm_generic_payload& take() {
        if (spare_.empty()) {
            all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
            spare_.push_back(all_.back().get());
        }
        tlm::tlm_generic_payload& payload = *spare_.back();
        spare_.pop_back();
        payload.acquire();
        ++taken_;
        return payload;
    }
    void free(tlm::tlm_generic_payload* payload) override {
        payload->reset();
        spare_.push_back(payload);
        ++returned_;
    }

    std::uint64_t taken() const { return taken_; }
    std::uint64_t returned() const { return returned_; }

private:
    std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
    std::vector<tlm::tlm_generic_payload*> spare_;
    std::uint64_t taken_ = 0;
    std::uint64_t returned_ = 0;
};

}  // namespace dve::test
