// The trace() functions of a waveform file: how the bits of each SystemC type are read.
#ifndef SC_INCLUDE_FX
#define SC_INCLUDE_FX
#endif
#include "traces/waveform/waveform_file.h"

namespace dve {
namespace {

void set_bit(std::uint32_t* words, int bit, bool value) {
    words[bit / 32] |= (value ? 1U : 0U) << (bit % 32);
}

template <typename Object>
const Object& as(const void* object) {
    return *static_cast<const Object*>(object);
}

/// sc_signed and sc_unsigned.
template <typename Object>
void read_integer(const void* object, std::uint32_t* data, std::uint32_t*) {
    const auto& integer = as<Object>(object);
    for (int bit = 0; bit < integer.length(); ++bit) {
        set_bit(data, bit, integer.test(bit));
    }
}

/// sc_int_base and sc_uint_base: at most 64 bits, kept sign- or zero-extended.
template <typename Object>
void read_short_integer(const void* object, std::uint32_t* data, std::uint32_t*) {
    const auto& integer = as<Object>(object);
    const std::uint64_t value = integer.to_uint64();
    data[0] = static_cast<std::uint32_t>(value);
    if (integer.length() > 32) {
        data[1] = static_cast<std::uint32_t>(value >> 32);
    }
}

/// sc_bv_base and sc_lv_base.
template <typename Object>
void read_logic_vector(const void* object, std::uint32_t* data, std::uint32_t* control) {
    const auto& vector = as<Object>(object);
    for (int word = 0; word < (vector.length() + 31) / 32; ++word) {
        data[word] = static_cast<std::uint32_t>(vector.get_word(word));
        control[word] = static_cast<std::uint32_t>(vector.get_cword(word));
    }
}

template <typename Object>
void read_fixed(const void* object, std::uint32_t* data, std::uint32_t*) {
    const auto& number = as<Object>(object);
    for (int bit = 0; bit < number.wl(); ++bit) {
        set_bit(data, bit, number[bit]);
    }
}

void read_bit(const void* object, std::uint32_t* data, std::uint32_t*) {
    data[0] = as<sc_dt::sc_bit>(object).to_bool() ? 1 : 0;
}

void read_logic(const void* object, std::uint32_t* data, std::uint32_t* control) {
    const auto value = as<sc_dt::sc_logic>(object).value();
    data[0] = value == sc_dt::Log_1 || value == sc_dt::Log_X ? 1 : 0;
    control[0] = value == sc_dt::Log_Z || value == sc_dt::Log_X ? 1 : 0;
}

void read_time(const void* object, std::uint32_t* data, std::uint32_t*) {
    const std::uint64_t value = as<sc_core::sc_time>(object).value();
    data[0] = static_cast<std::uint32_t>(value);
    data[1] = static_cast<std::uint32_t>(value >> 32);
}

template <typename Object>
double read_floating(const void* object) {
    return static_cast<double>(as<Object>(object));
}

template <typename Object>
double read_fixed_value(const void* object) {
    return as<Object>(object).to_double();
}

}  // namespace

void WaveformFile::trace_number(const void* object, const std::string& name, unsigned bytes,
                                int width) {
    const unsigned all = 8 * bytes;
    const unsigned bits = width > 0 && static_cast<unsigned>(width) < all ? width : all;
    if (declare(name, WaveType::BITS, bits, SignalKind::NUMBER)) {
        objects_.add_number(variables_.size() - 1, object, bytes, bits);
    }
}

void WaveformFile::trace_vector(const void* object, const std::string& name, int bits,
                                ReadVector read) {
    if (declare(name, WaveType::BITS, static_cast<unsigned>(bits), SignalKind::NUMBER)) {
        objects_.add_vector(variables_.size() - 1, object, static_cast<unsigned>(bits), read);
    }
}

void WaveformFile::trace_real(const void* object, const std::string& name, ReadReal read) {
    if (declare(name, WaveType::REAL, 64, SignalKind::NUMBER)) {
        objects_.add_real(variables_.size() - 1, object, read);
    }
}

#define DVE_NUMBER(type)                                                               \
    void WaveformFile::trace(const type& object, const std::string& name, int width) { \
        trace_number(&object, name, sizeof object, width);                             \
    }
#define DVE_VECTOR(type, bits, read)                                        \
    void WaveformFile::trace(const type& object, const std::string& name) { \
        trace_vector(&object, name, bits, read);                            \
    }
#define DVE_REAL(type, read)                                                \
    void WaveformFile::trace(const type& object, const std::string& name) { \
        trace_real(&object, name, read);                                    \
    }

DVE_NUMBER(unsigned char)
DVE_NUMBER(unsigned short)
DVE_NUMBER(unsigned int)
DVE_NUMBER(unsigned long)
DVE_NUMBER(char)
DVE_NUMBER(short)
DVE_NUMBER(int)
DVE_NUMBER(long)
DVE_NUMBER(sc_dt::int64)
DVE_NUMBER(sc_dt::uint64)
DVE_VECTOR(sc_core::sc_time, 64, read_time)
DVE_VECTOR(sc_dt::sc_bit, 1, read_bit)
DVE_VECTOR(sc_dt::sc_logic, 1, read_logic)
DVE_VECTOR(sc_dt::sc_int_base, object.length(), read_short_integer<sc_dt::sc_int_base>)
DVE_VECTOR(sc_dt::sc_uint_base, object.length(), read_short_integer<sc_dt::sc_uint_base>)
DVE_VECTOR(sc_dt::sc_signed, object.length(), read_integer<sc_dt::sc_signed>)
DVE_VECTOR(sc_dt::sc_unsigned, object.length(), read_integer<sc_dt::sc_unsigned>)
DVE_VECTOR(sc_dt::sc_bv_base, object.length(), read_logic_vector<sc_dt::sc_bv_base>)
DVE_VECTOR(sc_dt::sc_lv_base, object.length(), read_logic_vector<sc_dt::sc_lv_base>)
DVE_VECTOR(sc_dt::sc_fxnum, object.wl(), read_fixed<sc_dt::sc_fxnum>)
DVE_VECTOR(sc_dt::sc_fxnum_fast, object.wl(), read_fixed<sc_dt::sc_fxnum_fast>)
DVE_REAL(float, read_floating<float>)
DVE_REAL(double, read_floating<double>)
DVE_REAL(sc_dt::sc_fxval, read_fixed_value<sc_dt::sc_fxval>)
DVE_REAL(sc_dt::sc_fxval_fast, read_fixed_value<sc_dt::sc_fxval_fast>)

#undef DVE_NUMBER
#undef DVE_VECTOR
#undef DVE_REAL

void WaveformFile::trace(const bool& object, const std::string& name) {
    trace_number(&object, name, sizeof object, 1);
}

void WaveformFile::trace(const unsigned int& object, const std::string& name, const char**) {
    trace_number(&object, name, sizeof object, 32);
}

void WaveformFile::trace(const sc_core::sc_event& object, const std::string& name) {
    if (declare(name, WaveType::EVENT, 1, SignalKind::NUMBER)) {
        objects_.add_event(variables_.size() - 1, &event_trigger_stamp(object));
    }
}

void WaveformFile::write_comment(const std::string& comment) {
    if (is_started_ && !is_closed_) {
        writer_->comment(comment);
    }
}

}  // namespace dve
