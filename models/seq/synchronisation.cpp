// Wait conditions and update effects.
#include "models/seq/synchronisation.h"

namespace dve {

bool Synchronisation::add(unsigned index, std::uint32_t value) {
    const std::uint32_t before = semaphores_[index];
    semaphores_[index] = before + value;
    return semaphores_[index] < before;
}

bool Synchronisation::subtract(unsigned index, std::uint32_t value) {
    const std::uint32_t before = semaphores_[index];
    semaphores_[index] = before - value;
    return before < value;
}

bool Synchronisation::satisfied(WaitMode mode, unsigned index, std::uint32_t value) const {
    switch (mode) {
        case WaitMode::NONE:
        case WaitMode::UNORDERED: return true;
        case WaitMode::SEM_EQ_IMM:
        case WaitMode::SEM_EQ_REG: return semaphores_[index] == value;
        case WaitMode::SEM_LT_IMM:
        case WaitMode::SEM_LT_REG: return semaphores_[index] < value;
        case WaitMode::SEM_LE_IMM:
        case WaitMode::SEM_LE_REG: return semaphores_[index] <= value;
        case WaitMode::SEM_GT_IMM:
        case WaitMode::SEM_GT_REG: return semaphores_[index] > value;
        case WaitMode::SEM_GE_IMM:
        case WaitMode::SEM_GE_REG: return semaphores_[index] >= value;
        case WaitMode::EVT_SET:
        case WaitMode::EVT_SET_THEN_CLEAR: return events_[index];
        case WaitMode::EVT_CLEAR:
        case WaitMode::EVT_CLEAR_THEN_SET: return !events_[index];
    }
    return false;
}

void Synchronisation::consume(WaitMode mode, unsigned index) {
    if (mode == WaitMode::EVT_SET_THEN_CLEAR) {
        events_[index] = false;
    } else if (mode == WaitMode::EVT_CLEAR_THEN_SET) {
        events_[index] = true;
    }
}

void Synchronisation::restore(WaitMode mode, unsigned index) {
    if (mode == WaitMode::EVT_SET_THEN_CLEAR) {
        events_[index] = true;
    } else if (mode == WaitMode::EVT_CLEAR_THEN_SET) {
        events_[index] = false;
    }
}

bool Synchronisation::update(UpdateMode mode, unsigned index, std::uint32_t value) {
    switch (mode) {
        case UpdateMode::NONE: return false;
        case UpdateMode::EVT_SET_READ:
        case UpdateMode::EVT_SET_COMPLETE: events_[index] = true; return false;
        case UpdateMode::EVT_CLR_READ:
        case UpdateMode::EVT_CLR_COMPLETE: events_[index] = false; return false;
        case UpdateMode::SEM_INC_READ:
        case UpdateMode::SEM_INC_COMPLETE: return add(index, 1);
        case UpdateMode::SEM_DEC_READ:
        case UpdateMode::SEM_DEC_COMPLETE: return subtract(index, 1);
        case UpdateMode::SEM_ADD_IMM_READ:
        case UpdateMode::SEM_ADD_IMM_COMPLETE:
        case UpdateMode::SEM_ADD_REG_READ:
        case UpdateMode::SEM_ADD_REG_COMPLETE: return add(index, value);
        case UpdateMode::SEM_SUB_IMM_READ:
        case UpdateMode::SEM_SUB_IMM_COMPLETE:
        case UpdateMode::SEM_SUB_REG_READ:
        case UpdateMode::SEM_SUB_REG_COMPLETE: return subtract(index, value);
        case UpdateMode::SEM_WR_IMM_READ:
        case UpdateMode::SEM_WR_IMM_COMPLETE:
        case UpdateMode::SEM_WR_REG_READ:
        case UpdateMode::SEM_WR_REG_COMPLETE: semaphores_[index] = value; return false;
    }
    return false;
}

}  // namespace dve
