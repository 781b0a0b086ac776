// Member lists of the small enumerations.
#include "models/isa/enums.h"

#include <iterator>

namespace dve {
namespace {

constexpr EnumMember imm_src[] = {{0, "instruction"}, {1, "pointer"}, {2, "reg_ptr"}};
constexpr EnumMember accum_cmd[] = {
    {0, "idle"}, {1, "zero"}, {2, "accumulate"}, {3, "zero_accumulate"}, {4, "load_accumulate"}};
constexpr EnumMember reverse[] = {{0, "none"}, {1, "first"}, {2, "second"}, {3, "both"}};
constexpr EnumMember subdim[] = {{0, "unused"}, {2, "x"}, {3, "xy"}, {4, "xyz"}, {5, "xyzw"}};
constexpr EnumMember data_src[] = {{0, "register"}, {1, "immediate"}};
constexpr EnumMember wait_mode[] = {{0x00, "none"},       {0x01, "sem_eq_imm"},
                                    {0x02, "sem_lt_imm"}, {0x03, "sem_le_imm"},
                                    {0x04, "sem_gt_imm"}, {0x05, "sem_ge_imm"},
                                    {0x06, "evt_set"},    {0x07, "evt_set_then_clear"},
                                    {0x0E, "evt_clear"},  {0x0F, "evt_clear_then_set"},
                                    {0x81, "sem_eq_reg"}, {0x82, "sem_lt_reg"},
                                    {0x83, "sem_le_reg"}, {0x84, "sem_gt_reg"},
                                    {0x85, "sem_ge_reg"}, {0xFE, "unordered"}};
constexpr EnumMember update_mode[] = {{0x00, "none"},
                                      {0x01, "evt_set_read"},
                                      {0x02, "evt_clr_read"},
                                      {0x03, "sem_inc_read"},
                                      {0x04, "sem_dec_read"},
                                      {0x05, "sem_add_imm_read"},
                                      {0x07, "sem_sub_imm_read"},
                                      {0x09, "sem_wr_imm_read"},
                                      {0x11, "evt_set_complete"},
                                      {0x12, "evt_clr_complete"},
                                      {0x13, "sem_inc_complete"},
                                      {0x14, "sem_dec_complete"},
                                      {0x15, "sem_add_imm_complete"},
                                      {0x17, "sem_sub_imm_complete"},
                                      {0x19, "sem_wr_imm_complete"},
                                      {0x85, "sem_add_reg_read"},
                                      {0x87, "sem_sub_reg_read"},
                                      {0x89, "sem_wr_reg_read"},
                                      {0x95, "sem_add_reg_complete"},
                                      {0x97, "sem_sub_reg_complete"},
                                      {0x99, "sem_wr_reg_complete"}};
constexpr const char* error_types[] = {"FP_UNDERFLOW",       "FP_NAN",         "FP_INF",
                                       "FP_OVERFLOW",        "MEMORY_ERROR",   "FAKE_ERROR",
                                       "SEMAPHORE_ERROR",    "EVENT_ERROR",    "PSUM_COLLISION",
                                       "SEQUENCER_NONFATAL", "SEQUENCER_FATAL"};

template <std::size_t N>
constexpr EnumMembers members(const EnumMember (&list)[N]) {
    return {list, N};
}

}  // namespace

const char* error_type_name(ErrorType type) {
    const auto index = static_cast<std::size_t>(type);
    return index < std::size(error_types) ? error_types[index] : "?";
}

const char* EnumMembers::text(std::uint8_t value) const {
    for (const EnumMember& member : *this) {
        if (member.value == value) {
            return member.text;
        }
    }
    return nullptr;
}

const EnumMember* EnumMembers::find(std::string_view text_form) const {
    for (const EnumMember& member : *this) {
        if (text_form == member.text) {
            return &member;
        }
    }
    return nullptr;
}

EnumMembers enum_members(FieldKind kind) {
    switch (kind) {
        case FieldKind::IMM_SRC: return members(imm_src);
        case FieldKind::ACCUM_CMD: return members(accum_cmd);
        case FieldKind::REVERSE: return members(reverse);
        case FieldKind::SUBDIM: return members(subdim);
        case FieldKind::DATA_SRC: return members(data_src);
        case FieldKind::WAIT_MODE: return members(wait_mode);
        case FieldKind::UPDATE_MODE: return members(update_mode);
        default: return {};
    }
}

}  // namespace dve
