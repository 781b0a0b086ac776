// One retire stream for several observers.
#pragma once

#include <vector>

#include "tlm/retire_record.h"

namespace dve {

/// Hands every record to the observers in the order in which they were added.
class RetireFanOut final : public RetireObserver {
public:
    /// The observer must outlive the run.
    void add(RetireObserver& observer) { observers_.push_back(&observer); }

    void retired(const RetireRecord& record) override {
        for (RetireObserver* observer : observers_) {
            observer->retired(record);
        }
    }

private:
    std::vector<RetireObserver*> observers_;
};

}  // namespace dve
