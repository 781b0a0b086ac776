// Validity of a record: walks the predicate list of its opcode.
#include "models/isa/check.h"

#include <cstdio>
#include <utility>

#include "models/isa/predicates/common.h"
#include "models/isa/predicates/patterns.h"
#include "models/isa/predicates/predicate.h"

namespace dve {

using predicates::CheckContext;
using predicates::Predicate;
using predicates::PredicateList;
using predicates::refuse;

namespace {

CheckContext context_of(const Record& record, const IsaConfiguration& configuration) {
    return {record, find_opcode(record.opcode()), configuration, configuration.row()};
}

// The list behind the opcode. An opcode outside the generation has no fields to judge, and one that
// is not modelled passes by header and events; dispatch reports it.
PredicateList family_of(const CheckContext& context) {
    if (context.opcode == nullptr || !context.opcode->exists_in(context.configuration.generation)) {
        return {};
    }
    return predicates::predicates_of(context.opcode->validator);
}

bool applies(const Predicate& predicate, const CheckContext& context) {
    return predicate.holds != nullptr &&
           contains(predicate.generations, context.configuration.generation);
}

Violation violation_of(const Predicate& predicate, const CheckContext& context) {
    Violation violation;
    predicate.holds(context, &violation);
    violation.predicate = predicate.name;
    return violation;
}

const Predicate* first_failure(PredicateList list, const CheckContext& context) {
    for (const Predicate& predicate : list) {
        if (applies(predicate, context) && !predicate.holds(context, nullptr)) {
            return &predicate;
        }
    }
    return nullptr;
}

}  // namespace

IsaConfiguration IsaConfiguration::for_generation(Generation generation) {
    IsaConfiguration configuration;
    configuration.generation = generation;
    configuration.sbuf = generation_row(generation).sbuf;
    configuration.psum = generation_row(generation).psum;
    return configuration;
}

std::string Violation::message() const {
    char number[24];
    std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(value));
    return std::string(predicate) + ": " + field + " = " + number + ", legal: " + legal;
}

std::optional<Violation> check(const Record& record, const IsaConfiguration& configuration) {
    const CheckContext context = context_of(record, configuration);
    const Predicate* failed = first_failure(predicates::common_predicates(), context);
    if (failed == nullptr) {
        failed = first_failure(family_of(context), context);
    }
    if (failed == nullptr) {
        return std::nullopt;
    }
    return violation_of(*failed, context);
}

std::vector<Violation> check_all(const Record& record, const IsaConfiguration& configuration) {
    const CheckContext context = context_of(record, configuration);
    std::vector<Violation> violations;
    for (const PredicateList& list : {predicates::common_predicates(), family_of(context)}) {
        for (const Predicate& predicate : list) {
            if (applies(predicate, context) && !predicate.holds(context, nullptr)) {
                violations.push_back(violation_of(predicate, context));
            }
        }
    }
    return violations;
}

std::vector<const char*> predicate_names(ValidatorId validator) {
    std::vector<const char*> names;
    for (const PredicateList& list :
         {predicates::common_predicates(), predicates::predicates_of(validator)}) {
        for (const Predicate& predicate : list) {
            names.push_back(predicate.name);
        }
    }
    return names;
}

bool start_address_valid(std::uint32_t address, std::uint8_t dtype, bool write,
                         const IsaConfiguration& configuration, Violation* violation) {
    const auto refused = [&](std::string legal) {
        violation->predicate = "tensor_start_addr_valid";
        return refuse(*violation, "start_addr", address, std::move(legal));
    };
    const unsigned alignment = predicates::dtype_alignment(configuration.row(), dtype);
    if (alignment == 0) {
        return violation != nullptr && refused("an address of a type that memory can hold");
    }
    const bool in_psum = configuration.psum.holds(address);
    if (!in_psum && !configuration.sbuf.holds(address)) {
        return violation != nullptr &&
               refused(configuration.psum.present ? "an address in SBUF or PSUM"
                                                  : "an address in SBUF; PSUM is absent");
    }
    if ((address & (alignment - 1)) != 0) {
        return violation != nullptr &&
               refused("a multiple of " + std::to_string(alignment) + ", the size of the type");
    }
    const bool narrow = alignment < 4 && configuration.psum_narrow_writes;
    return !write || !in_psum || alignment == 4 || narrow ||
           (violation != nullptr &&
            refused(configuration.psum_narrow_writes
                        ? "SBUF: a write to PSUM needs a type of at most 4 bytes"
                        : "SBUF: a write to PSUM needs int32, uint32, fp32 or fp32r"));
}

bool start_addr_active_channels(std::uint32_t address, unsigned channels,
                                const IsaConfiguration& configuration, Violation* violation) {
    const MemoryGeometry& memory =
        configuration.psum.holds(address) ? configuration.psum : configuration.sbuf;
    if (!memory.holds(address) || channels == 0 || channels > dve_num_channels) {
        return true;
    }
    const unsigned partition = memory.partition(address);
    const unsigned granule = channels <= 32 ? 32 : channels <= 64 ? 64 : dve_num_channels;
    if (partition % granule == 0) {
        return true;
    }
    if (violation == nullptr) {
        return false;
    }
    violation->predicate = "start_addr_active_channels";
    return refuse(*violation, "start_addr", address,
                  std::string("start partition ") +
                      (granule == 32   ? "0, 32, 64 or 96"
                       : granule == 64 ? "0 or 64"
                                       : "0") +
                      " for " + std::to_string(channels) + " channels, not " +
                      std::to_string(partition));
}

}  // namespace dve
