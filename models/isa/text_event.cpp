// Parsing and printing of wait and update lines.
#include "models/isa/text_event.h"

#include "models/isa/enums.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

constexpr std::uint8_t register_flag = 0x80;  // IMM code with bit 7 set: operand in a register
constexpr std::uint8_t complete_flag = 0x10;  // READ code with bit 4 set: at completion

struct Form {
    std::string_view text;
    std::uint8_t mode;
};

constexpr std::uint8_t code(WaitMode mode) { return static_cast<std::uint8_t>(mode); }
constexpr std::uint8_t code(UpdateMode mode) { return static_cast<std::uint8_t>(mode); }

// Longer operators first, so that `<=` is not read as `<`.
constexpr Form compares[] = {{"==", code(WaitMode::SEM_EQ_IMM)},
                             {"<=", code(WaitMode::SEM_LE_IMM)},
                             {">=", code(WaitMode::SEM_GE_IMM)},
                             {"<", code(WaitMode::SEM_LT_IMM)},
                             {">", code(WaitMode::SEM_GT_IMM)}};
constexpr Form event_waits[] = {{"set", code(WaitMode::EVT_SET)},
                                {"clear", code(WaitMode::EVT_CLEAR)},
                                {"set_then_clear", code(WaitMode::EVT_SET_THEN_CLEAR)},
                                {"clear_then_set", code(WaitMode::EVT_CLEAR_THEN_SET)}};
constexpr Form counter_updates[] = {{"++", code(UpdateMode::SEM_INC_READ)},
                                    {"--", code(UpdateMode::SEM_DEC_READ)}};
constexpr Form value_updates[] = {{"+=", code(UpdateMode::SEM_ADD_IMM_READ)},
                                  {"-=", code(UpdateMode::SEM_SUB_IMM_READ)},
                                  {"=", code(UpdateMode::SEM_WR_IMM_READ)}};
constexpr Form event_updates[] = {{"set", code(UpdateMode::EVT_SET_READ)},
                                  {"clear", code(UpdateMode::EVT_CLR_READ)}};

template <std::size_t N>
const Form* find_mode(const Form (&forms)[N], std::uint8_t mode) {
    for (const Form& form : forms) {
        if (form.mode == mode) {
            return &form;
        }
    }
    return nullptr;
}

class Reader {
public:
    explicit Reader(std::string_view text) : rest_(trim(text)) {}

    bool take(std::string_view expected) {
        if (rest_.substr(0, expected.size()) != expected) {
            return false;
        }
        rest_ = trim(rest_.substr(expected.size()));
        return true;
    }
    template <std::size_t N>
    const Form* take_one(const Form (&forms)[N]) {
        for (const Form& form : forms) {
            if (take(form.text)) {
                return &form;
            }
        }
        return nullptr;
    }
    // A form that must be a whole word: `set` is not the beginning of `set_then_clear`.
    template <std::size_t N>
    const Form* take_word(const Form (&forms)[N]) {
        const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
        for (const Form& form : forms) {
            if (word == form.text) {
                take(word);
                return &form;
            }
        }
        return nullptr;
    }
    // `name[number]`.
    std::optional<std::uint32_t> take_indexed(std::string_view name, std::uint32_t maximum) {
        const std::size_t close = rest_.find(']');
        if (!take(name) || !take("[") || close == std::string_view::npos) {
            return std::nullopt;
        }
        const std::size_t end = rest_.find(']');
        const auto number = parse_unsigned(trim(rest_.substr(0, end)), maximum);
        rest_ = trim(rest_.substr(end + 1));
        return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
    }
    // A number, or R[n] with from_register set.
    std::optional<std::uint32_t> take_operand(bool& from_register) {
        from_register = rest_.substr(0, 1) == "R";
        if (from_register) {
            return take_indexed("R", 0xFFFFFFFFU);
        }
        const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
        const auto number = parse_unsigned(word, 0xFFFFFFFFU);
        take(word);
        return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
    }
    bool at_semaphore() const { return rest_.substr(0, 3) == "sem"; }
    bool done() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

std::string operand_text(bool from_register, std::uint32_t value) {
    return from_register ? "R[" + std::to_string(value) + ']' : std::to_string(value);
}

std::string indexed(std::string_view name, std::uint8_t index) {
    return std::string(name) + '[' + std::to_string(index) + ']';
}

}  // namespace

Result<EventText> parse_wait(std::string_view text) {
    const Error refused{"wait " + quoted(text) +
                        " is malformed; legal: sem[0..255] ==|<|<=|>|>= n or R[n], event[0..255] "
                        "set|clear|set_then_clear|clear_then_set, unordered"};
    Reader reader(text);
    EventText event;
    if (reader.take("unordered")) {
        event.mode = code(WaitMode::UNORDERED);
        return reader.done() ? Result<EventText>(event) : refused;
    }
    const bool semaphore = reader.at_semaphore();
    const auto index = reader.take_indexed(semaphore ? "sem" : "event", 0xFF);
    const Form* form = semaphore ? reader.take_one(compares) : reader.take_word(event_waits);
    if (!index || form == nullptr) {
        return refused;
    }
    event.mode = form->mode;
    event.index = static_cast<std::uint8_t>(*index);
    if (semaphore) {
        bool from_register = false;
        event.value = reader.take_operand(from_register);
        if (!event.value) {
            return refused;
        }
        event.mode |= from_register ? register_flag : std::uint8_t{0};
    }
    return reader.done() ? Result<EventText>(event) : refused;
}

Result<EventText> parse_update(std::string_view text) {
    const Error refused{"update " + quoted(text) +
                        " is malformed; legal: sem[0..255] +=|-=|= n or R[n], sem[0..255]++ or --, "
                        "event[0..255] set|clear, then on read or on complete"};
    Reader reader(text);
    EventText event;
    const bool semaphore = reader.at_semaphore();
    const auto index = reader.take_indexed(semaphore ? "sem" : "event", 0xFF);
    const Form* form =
        semaphore ? reader.take_one(counter_updates) : reader.take_word(event_updates);
    if (!index) {
        return refused;
    }
    event.index = static_cast<std::uint8_t>(*index);
    if (semaphore && form == nullptr) {
        form = reader.take_one(value_updates);
        bool from_register = false;
        event.value = reader.take_operand(from_register);
        if (!event.value) {
            return refused;
        }
        event.mode = from_register ? register_flag : std::uint8_t{0};
    }
    if (form == nullptr) {
        return refused;
    }
    event.mode |= form->mode;
    bool at_read = false;
    if (reader.take("on")) {
        at_read = reader.take("read");
        if (!at_read && !reader.take("complete")) {
            return refused;
        }
    }
    event.mode |= at_read ? std::uint8_t{0} : complete_flag;
    return reader.done() ? Result<EventText>(event) : refused;
}

std::optional<std::string> format_wait(std::uint8_t mode, std::uint8_t index, std::uint32_t value) {
    if (mode == code(WaitMode::UNORDERED)) {
        return index == 0 ? std::optional<std::string>("wait unordered") : std::nullopt;
    }
    if (const Form* form = find_mode(event_waits, mode)) {
        return "wait " + indexed("event", index) + ' ' + std::string(form->text);
    }
    const bool from_register = (mode & register_flag) != 0;
    if (const Form* form = find_mode(compares, static_cast<std::uint8_t>(mode & ~register_flag))) {
        return "wait " + indexed("sem", index) + ' ' + std::string(form->text) + ' ' +
               operand_text(from_register, value);
    }
    return std::nullopt;
}

std::optional<std::string> format_update(std::uint8_t mode, std::uint8_t index,
                                         std::uint32_t value) {
    const std::string when = (mode & complete_flag) != 0 ? "" : " on read";
    const auto moment = static_cast<std::uint8_t>(mode & ~complete_flag);
    if (const Form* form = find_mode(event_updates, moment)) {
        return "update " + indexed("event", index) + ' ' + std::string(form->text) + when;
    }
    if (const Form* form = find_mode(counter_updates, moment)) {
        return "update " + indexed("sem", index) + std::string(form->text) + when;
    }
    const bool from_register = (mode & register_flag) != 0;
    if (const Form* form =
            find_mode(value_updates, static_cast<std::uint8_t>(moment & ~register_flag))) {
        return "update " + indexed("sem", index) + ' ' + std::string(form->text) + ' ' +
               operand_text(from_register, value) + when;
    }
    return std::nullopt;
}

}  // namespace dve
