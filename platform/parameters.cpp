// The parameter rows.
#include "platform/parameters.h"

#include <charconv>
#include <utility>

#include "models/isa/text_name.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

/// Reaches a member of the configuration.
template <typename T>
using Member = std::function<T&(Configuration&)>;

template <typename T>
T read(const Member<T>& member, const Configuration& configuration) {
    Configuration copy = configuration;
    return member(copy);
}

/// What a row says about itself besides its values.
struct About {
    bool assumption;
    const char* effect;
    const char* evidence;
};

template <typename T>
Parameter choice(const char* name, Member<T> member, std::vector<std::pair<const char*, T>> choices,
                 About about) {
    Parameter row;
    row.name = name;
    row.assumption = about.assumption;
    row.effect = about.effect;
    row.evidence = about.evidence;
    for (const auto& [text, value] : choices) {
        row.legal += (row.legal.empty() ? "" : " | ") + std::string(text);
    }
    row.get = [member, choices](const Configuration& configuration) -> std::string {
        const T value = read(member, configuration);
        for (const auto& [text, candidate] : choices) {
            if (candidate == value) {
                return text;
            }
        }
        return "?";
    };
    row.set = [member, choices, row_name = row.name, legal = row.legal](
                  Configuration& configuration, std::string_view value) -> Status {
        for (const auto& [text, candidate] : choices) {
            if (value == text) {
                member(configuration) = candidate;
                return Done{};
            }
        }
        return Error{row_name + ": " + quoted(value) + " is not a value of it; legal: " + legal};
    };
    return row;
}

template <typename T>
Parameter integer(const char* name, Member<T> member, std::uint64_t low, std::uint64_t high,
                  const char* unit, About about, bool hexadecimal = false) {
    const auto format = [hexadecimal](std::uint64_t value) {
        char text[24];
        std::snprintf(text, sizeof text, hexadecimal ? "0x%llX" : "%llu",
                      static_cast<unsigned long long>(value));
        return std::string(text);
    };
    Parameter row;
    row.name = name;
    row.assumption = about.assumption;
    row.effect = about.effect;
    row.evidence = about.evidence;
    row.legal = format(low) + ".." + format(high) + (*unit != '\0' ? " " : "") + unit;
    row.get = [member, format](const Configuration& configuration) {
        return format(read(member, configuration));
    };
    row.set = [member, low, high, row_name = row.name, legal = row.legal](
                  Configuration& configuration, std::string_view value) -> Status {
        const std::optional<Integer> number = parse_integer(value);
        if (!number) {
            return Error{row_name + ": " + quoted(value) + " is no whole number; legal: " + legal};
        }
        if (number->negative || number->magnitude < low || number->magnitude > high) {
            return Error{row_name + ": " + quoted(value) + " is out of range; legal: " + legal};
        }
        member(configuration) = static_cast<T>(number->magnitude);
        return Done{};
    };
    return row;
}

Parameter real(const char* name, Member<double> member, double low, double high, const char* unit,
               About about) {
    const auto format = [](double value) {
        char text[32];  // the shortest text that gives the same value again
        return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
    };
    Parameter row;
    row.name = name;
    row.assumption = about.assumption;
    row.effect = about.effect;
    row.evidence = about.evidence;
    row.legal = format(low) + ".." + format(high) + " " + unit;
    row.get = [member, format](const Configuration& configuration) {
        return format(read(member, configuration));
    };
    row.set = [member, low, high, row_name = row.name, legal = row.legal](
                  Configuration& configuration, std::string_view value) -> Status {
        double number = 0;
        const auto [end, error] =
            std::from_chars(value.data(), value.data() + value.size(), number);
        if (error == std::errc::invalid_argument || end != value.data() + value.size()) {
            return Error{row_name + ": " + quoted(value) + " is no number; legal: " + legal};
        }
        if (error != std::errc() || !(number >= low) || !(number <= high)) {
            return Error{row_name + ": " + quoted(value) + " is out of range; legal: " + legal};
        }
        member(configuration) = number;
        return Done{};
    };
    return row;
}

const std::vector<std::pair<const char*, bool>> on_off = {{"false", false}, {"true", true}};

#define SEMANTICS(type, member) \
    Member<type>([](Configuration& c) -> type& { return c.semantics.member; })
#define NUMBERS(type, member) \
    Member<type>([](Configuration& c) -> type& { return c.semantics.numbers.member; })
#define ISA(type, member) Member<type>([](Configuration& c) -> type& { return c.isa.member; })
#define TIMING(member) \
    Member<std::uint32_t>([](Configuration& c) -> std::uint32_t& { return c.timing.member; })
#define SEQUENCER(member) \
    Member<std::uint32_t>([](Configuration& c) -> std::uint32_t& { return c.sequencer.member; })

std::vector<Parameter> semantics_rows() {
    return {
        choice<ScanRecurrence>(
            "scan.recurrence", SEMANTICS(ScanRecurrence, scan_recurrence),
            {{"combine_prefix", ScanRecurrence::COMBINE_PREFIX},
             {"carried", ScanRecurrence::CARRIED}},
            {true,
             "0xE5: combine_prefix scans c = (src0 op0 imm0) op1 src1 with scan.combine; carried "
             "runs s = (src0 op0 s) op1 src1 from s = imm0",
             "reference: tensor_tensor_scan 3d (medium); published: vendor text, vector D1"}),
        choice<AluOp>(
            "scan.combine", SEMANTICS(AluOp, scan_combine),
            {{"add", AluOp::ADD},
             {"mult", AluOp::MULT},
             {"max", AluOp::MAX},
             {"min", AluOp::MIN},
             {"absolute_diff", AluOp::ABSOLUTE_DIFF}},
            {true, "operator of the prefix of 0xE5 (combine_prefix); registered in kernel_info",
             "no field in the record; vocabulary of tensor_tensor_scan 5"}),
        choice<ScanOrder>(
            "scan.order", SEMANTICS(ScanOrder, scan_order),
            {{"rotate_combine", ScanOrder::ROTATE_COMBINE}, {"sequential", ScanOrder::SEQUENTIAL}},
            {true, "order of the operations of 0xE5, and with it the rounding",
             "reference: tensor_tensor_scan 5; published: sequential cost 2N"}),
        choice<SttAccumulate>(
            "stt.accumulate", SEMANTICS(SttAccumulate, stt_accumulate),
            {{"replaces_store", SttAccumulate::REPLACES_STORE},
             {"adds_to_store", SttAccumulate::ADDS_TO_STORE}},
            {true, "0x9D with an accumulator command: whether dst is written as well",
             "reference: scalar_tensor_tensor 7; published: vector D8"}),
        choice<AccumulatorTap>("accumulator.tap", SEMANTICS(AccumulatorTap, accumulator_tap),
                               {{"before", AccumulatorTap::BEFORE_CONVERSION},
                                {"after", AccumulatorTap::AFTER_CONVERSION}},
                               {true, "accumulators take the result before or after conversion",
                                "op_semantics 3.2 (observed for RangeSelect)"}),
        choice<IndirectList>(
            "indirect.list", SEMANTICS(IndirectList, indirect_list),
            {{"group", IndirectList::GROUP}, {"partition", IndirectList::PARTITION}},
            {true,
             "gather and scatter: 16 partitions share a list that runs across them, or each "
             "partition has its own",
             "D-10: vendor text, group; firmware studies, partition"}),
    };
}

std::vector<Parameter> number_rows() {
    return {
        choice<bool>("cast.fp_to_int", NUMBERS(bool, fp_to_int_nearest),
                     {{"truncate", false}, {"nearest_even", true}},
                     {true, "rounding of floating point to integer, before saturation",
                      "reference: alu_op_matrix 7; published: release notes, vector D10"}),
        choice<bool>(
            "cast.overflow", NUMBERS(bool, saturate_narrowing),
            {{"infinity", false}, {"saturate", true}},
            {true, "narrowing overflow: infinity (NaN where there is none) or largest finite",
             "range_select text (observed) against quantise kernels"}),
        choice<bool>("cast.nan_to_int", NUMBERS(bool, nan_to_int_max),
                     {{"zero", false}, {"max", true}},
                     {true, "integer that a NaN becomes", "no source"}),
        choice<Rounding>("fp.rounding", NUMBERS(Rounding, rounding),
                         {{"nearest_even", Rounding::NEAREST_EVEN},
                          {"to_zero", Rounding::TO_ZERO},
                          {"up", Rounding::UP},
                          {"down", Rounding::DOWN}},
                         {true, "reset value of FCR RoundMode: FP32 stages, int to fp, narrowing",
                          "op_semantics 2.4"}),
        choice<bool>(
            "fp.subnormals", NUMBERS(bool, flush_subnormals), {{"keep", false}, {"flush", true}},
            {true, "FP32 subnormals of stage inputs and results", "no source for the lanes"}),
        integer<std::uint8_t>("fp32r.mantissa_bits", NUMBERS(std::uint8_t, fp32r_mantissa_bits), 10,
                              22, "bits",
                              {true, "explicit mantissa bits of an FP32R result",
                               "vendor tfloat32 says 10, others 11 or 13"}),
        choice<bool>("fp8_exp4.variant", NUMBERS(bool, fp8_exp4_fn),
                     {{"ieee", false}, {"fn", true}},
                     {true, "FP8_EXP4 with infinities (240) or without (448); fn from mariana on",
                      "op_semantics 0 #14"}),
        choice<bool>("minmax.nan", NUMBERS(bool, minmax_propagates_nan),
                     {{"number", false}, {"propagate", true}},
                     {true, "MAX and MIN with one NaN operand", "no source"}),
        choice<bool>("shift.overflow", NUMBERS(bool, shift_modulo),
                     {{"complete", false}, {"modulo", true}},
                     {true, "shift counts at or above the width", "no source"}),
        choice<bool>("symmetric_clamp", NUMBERS(bool, symmetric_clamp_min),
                     {{"max", false}, {"min", true}},
                     {true, "SYMMETRIC_CLAMP takes the larger or the smaller magnitude",
                      "header comment, doubtful (D-14)"}),
        integer<std::uint32_t>("crc32.polynomial", NUMBERS(std::uint32_t, crc32_polynomial), 1,
                               0xFFFFFFFF, "", {true, "reflected polynomial of CRC32", "no source"},
                               true),
    };
}

std::vector<Parameter> isa_rows() {
    return {
        choice<bool>("psum.enable",
                     Member<bool>([](Configuration& c) -> bool& { return c.isa.psum.present; }),
                     on_off,
                     {true, "whether the engine has a PSUM", "D-07: none on maverick by default"}),
        choice<bool>("psum.narrow_writes", ISA(bool, psum_narrow_writes), on_off,
                     {true, "1- and 2-byte outputs may go to PSUM",
                      "D-26: validator says no, vendor pages yes"}),
        choice<bool>("alu.symmetric_clamp_arith", ISA(bool, symmetric_clamp_is_arith), on_off,
                     {true, "SYMMETRIC_CLAMP counts as general arithmetic on maverick", "D-14"}),
        choice<bool>("isa.tile_mode", ISA(bool, tile_mode), on_off,
                     {true, "maverick: inst_flags carry a tile", "D-01, layout not published"}),
    };
}

std::vector<Parameter> timing_rows() {
    const auto cycles = [](const char* name, Member<std::uint32_t> member, const char* effect) {
        return integer<std::uint32_t>(name, std::move(member), 0, 100000, "cycles",
                                      {true, effect, "assumed"});
    };
    const auto width = [](const char* name, Member<std::uint32_t> member, const char* unit,
                          const char* effect) {
        return integer<std::uint32_t>(name, std::move(member), 1, 1024, unit,
                                      {false, effect, "derived from the published cost table"});
    };
    return {
        real("clock.ghz", [](Configuration& c) -> double& { return c.clock_ghz; }, 0.001, 100,
             "GHz", {false, "period of an engine cycle", "published_facts 2; maverick assumed"}),
        width("sbuf.read_bytes", TIMING(sbuf_read_bytes), "bytes",
              "SBUF read port, per lane and cycle"),
        width("psum.read_bytes", TIMING(psum_read_bytes), "bytes",
              "PSUM read port, per lane and cycle"),
        width("sbuf.write_bytes", TIMING(sbuf_write_bytes), "bytes",
              "SBUF write port, per lane and cycle"),
        width("psum.write_bytes", TIMING(psum_write_bytes), "bytes",
              "PSUM write port, per lane and cycle"),
        width("port.slot_bytes", TIMING(slot_bytes), "bytes",
              "least port use of an unpacked element"),
        width("port.strided_accesses", TIMING(strided_accesses), "accesses",
              "per port and cycle where the inner step is not 1"),
        width("alu.width_packed", TIMING(alu_width_packed), "elements", "per lane and cycle"),
        width("alu.width_unpacked", TIMING(alu_width_unpacked), "elements", "per lane and cycle"),
        integer<std::uint32_t>("dve.initiation_interval", TIMING(initiation_interval), 1, 100000,
                               "cycles",
                               {false, "least distance between the starts of two instructions",
                                "published: about 64"}),
        integer<std::uint32_t>("accumulator.read_cycles", TIMING(read_accumulator), 1, 100000,
                               "cycles", {false, "0x9B", "published: the 64 behind 0x9A"}),
        choice<bool>("psum.parallel_banks", Member<bool>([](Configuration& c) -> bool& {
                         return c.timing.psum_parallel_banks;
                     }),
                     on_off,
                     {false, "users of different PSUM banks do not wait for each other",
                      "published: not on sunda, from cayman on"}),
        cycles("sbuf.read_latency", TIMING(sbuf_read_latency), "READ to CVT_IN"),
        cycles("psum.read_latency", TIMING(psum_read_latency), "READ to CVT_IN"),
        cycles("pipeline.convert_in", TIMING(convert_in), "stage CVT_IN"),
        cycles("pipeline.alu0", TIMING(alu0), "stage ALU0: splat and op0"),
        cycles("pipeline.alu1", TIMING(alu1), "stage ALU1: op1"),
        cycles("pipeline.convert_out", TIMING(convert_out), "stage CVT_OUT"),
        cycles("write.latency", TIMING(write_latency), "WRITE until it is visible"),
        cycles("scan.pass", TIMING(scan_pass), "one rotate-combine pass"),
        cycles("scan.carry", TIMING(scan_carry), "the carry combine of a window"),
        cycles("scan.latency", TIMING(scan_latency), "per element of a sequential prefix"),
        cycles("seq.fetch", SEQUENCER(fetch), "FETCH of one record"),
        cycles("seq.decode", SEQUENCER(decode), "DECODE of one record"),
        cycles("seq.dispatch", SEQUENCER(dispatch), "DISPATCH of one record"),
        // At least one, or a loop of them would take no time.
        integer<std::uint32_t>("seq.control", SEQUENCER(control), 1, 100000, "cycles",
                               {true, "one control instruction", "assumed"}),
        integer<std::uint32_t>("seq.queue_depth", SEQUENCER(queue_depth), 1, 4096, "records",
                               {true, "records fetched ahead of DISPATCH", "assumed"}),
        integer<std::uint32_t>(
            "approx.outstanding",
            [](Configuration& c) -> std::uint32_t& { return c.approx_outstanding; }, 1, 64,
            "requests",
            {true, "requests that csr and each memory hold at once in the approximate view",
             "assumed"}),
        integer<std::uint32_t>("csr.access",
                               [](Configuration& c) -> std::uint32_t& { return c.csr_access; }, 0,
                               100000, "cycles", {true, "an access of the host to csr", "assumed"}),
        integer<std::uint32_t>("seq.instruction_limit", SEQUENCER(instruction_limit), 0, 0xFFFFFFFF,
                               "instructions",
                               {false, "a run that executes more is a fault; 0: no limit",
                                "a guard against endless loops"}),
    };
}

#undef SEMANTICS
#undef NUMBERS
#undef ISA
#undef TIMING
#undef SEQUENCER

}  // namespace

Configuration Configuration::defaults(Generation generation, SemanticsProfile profile) {
    Configuration configuration;
    configuration.profile = profile;
    configuration.isa = IsaConfiguration::for_generation(generation);
    configuration.timing = TimingParameters::for_generation(generation);
    configuration.clock_ghz = generation_row(generation).clock_ghz;
    if (profile == SemanticsProfile::PUBLISHED) {
        configuration.semantics.scan_recurrence = ScanRecurrence::CARRIED;
        configuration.semantics.scan_order = ScanOrder::SEQUENTIAL;
        configuration.semantics.stt_accumulate = SttAccumulate::ADDS_TO_STORE;
        configuration.semantics.numbers.fp_to_int_nearest = true;
    }
    return configuration;
}

const char* profile_name(SemanticsProfile profile) {
    return profile == SemanticsProfile::REFERENCE ? "reference" : "published";
}

const std::vector<Parameter>& parameters() {
    static const std::vector<Parameter> rows = [] {
        std::vector<Parameter> all;
        for (auto& group : {semantics_rows(), number_rows(), isa_rows(), timing_rows()}) {
            all.insert(all.end(), group.begin(), group.end());
        }
        return all;
    }();
    return rows;
}

const Parameter* find_parameter(std::string_view name) {
    for (const Parameter& row : parameters()) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

Status set_parameter(Configuration& configuration, std::string_view name, std::string_view value) {
    const Parameter* row = find_parameter(name);
    if (row == nullptr) {
        std::vector<std::string_view> names;
        for (const Parameter& candidate : parameters()) {
            names.push_back(candidate.name);
        }
        return unknown_name("parameter", name, names);
    }
    if (row->name == "fp8_exp4.variant" && value == "fn" &&
        configuration.generation() < Generation::MARIANA) {
        return Error{"fp8_exp4.variant: 'fn' needs mariana or later; legal on " +
                     std::string(configuration.isa.row().name) + ": ieee"};
    }
    return row->set(configuration, value);
}

}  // namespace dve
