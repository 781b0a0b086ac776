// The small enumerations of the ISA (isa_wire_format 1.3, 5.4, 5.5).
#pragma once

#include <cstdint>
#include <string_view>

#include "models/isa/record.h"

namespace dve {

enum class ImmSrc : std::uint8_t { INSTRUCTION = 0, POINTER = 1, REG_PTR = 2 };

enum class AccumCmd : std::uint8_t {
    IDLE = 0,
    ZERO = 1,
    ACCUMULATE = 2,
    ZERO_ACCUMULATE = 3,
    LOAD_ACCUMULATE = 4,
};

/// TENS_SCALAR_REV_OPS: bit 0 swaps the operands of op0, bit 1 those of op1.
enum class ReverseOperands : std::uint8_t { NONE = 0, FIRST = 1, SECOND = 2, BOTH = 3 };

enum class TensorSubdim : std::uint8_t { UNUSED = 0, X = 2, XY = 3, XYZ = 4, XYZW = 5 };

enum class DataSrc : std::uint8_t { REGISTER = 0, IMMEDIATE = 1 };

enum class WaitMode : std::uint8_t {
    NONE = 0x00,
    SEM_EQ_IMM = 0x01,
    SEM_LT_IMM = 0x02,
    SEM_LE_IMM = 0x03,
    SEM_GT_IMM = 0x04,
    SEM_GE_IMM = 0x05,
    EVT_SET = 0x06,
    EVT_SET_THEN_CLEAR = 0x07,
    EVT_CLEAR = 0x0E,
    EVT_CLEAR_THEN_SET = 0x0F,
    SEM_EQ_REG = 0x81,
    SEM_LT_REG = 0x82,
    SEM_LE_REG = 0x83,
    SEM_GT_REG = 0x84,
    SEM_GE_REG = 0x85,
    UNORDERED = 0xFE,
};

/// Without bit 4: when all source reads are done (_READ); with it: when all writes are (_COMPLETE).
enum class UpdateMode : std::uint8_t {
    NONE = 0x00,
    EVT_SET_READ = 0x01,
    EVT_CLR_READ = 0x02,
    SEM_INC_READ = 0x03,
    SEM_DEC_READ = 0x04,
    SEM_ADD_IMM_READ = 0x05,
    SEM_SUB_IMM_READ = 0x07,
    SEM_WR_IMM_READ = 0x09,
    EVT_SET_COMPLETE = 0x11,
    EVT_CLR_COMPLETE = 0x12,
    SEM_INC_COMPLETE = 0x13,
    SEM_DEC_COMPLETE = 0x14,
    SEM_ADD_IMM_COMPLETE = 0x15,
    SEM_SUB_IMM_COMPLETE = 0x17,
    SEM_WR_IMM_COMPLETE = 0x19,
    SEM_ADD_REG_READ = 0x85,
    SEM_SUB_REG_READ = 0x87,
    SEM_WR_REG_READ = 0x89,
    SEM_ADD_REG_COMPLETE = 0x95,
    SEM_SUB_REG_COMPLETE = 0x97,
    SEM_WR_REG_COMPLETE = 0x99,
};

/// NEURON_ISA_TPB_ERROR_TYPE.
enum class ErrorType : std::uint8_t {
    FP_UNDERFLOW = 0,
    FP_NAN_ = 1,  ///< FP_NAN is a macro of <cmath>
    FP_INF = 2,
    FP_OVERFLOW = 3,
    MEMORY_ERROR = 4,
    FAKE_ERROR = 5,
    SEMAPHORE_ERROR = 6,
    EVENT_ERROR = 7,
    PSUM_COLLISION = 8,
    SEQUENCER_NONFATAL = 9,
    SEQUENCER_FATAL = 0xA,
};
const char* error_type_name(ErrorType type);

/// One member of a small enumeration: value and lower-case text.
struct EnumMember {
    std::uint8_t value;
    const char* text;
};

/// Members of the enumeration behind a field kind (IMM_SRC, ACCUM_CMD, REVERSE, SUBDIM, DATA_SRC,
/// WAIT_MODE, UPDATE_MODE); an empty list for every other kind. The predicates, the text form and
/// the messages read this one list.
struct EnumMembers {
    const EnumMember* first = nullptr;
    std::size_t count = 0;

    const EnumMember* begin() const { return first; }
    const EnumMember* end() const { return first + count; }
    bool contains(std::uint8_t value) const { return text(value) != nullptr; }
    const char* text(std::uint8_t value) const;                ///< null if no member
    const EnumMember* find(std::string_view text_form) const;  ///< null if no member
};
EnumMembers enum_members(FieldKind kind);

}  // namespace dve
