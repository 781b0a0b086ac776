// From lists of element numbers to bytes.
#include "models/dve/indirect_offsets.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace dve {
namespace {

Fault outside(const TensorOperand& operand, const char* field, unsigned list, std::uint32_t element,
              std::uint32_t number) {
    const std::int64_t last = (operand.high - operand.byte) / operand.element_bytes - 1;
    return {ErrorType::MEMORY_ERROR,
            FaultSubtype::ASSERT,
            {"walk_inside_partition",
             std::string(field) + " index " + std::to_string(element) + " of channel " +
                 std::to_string(list * operand.list.sharers),
             number, "elements 0.." + std::to_string(last) + " behind data_addr"}};
}

}  // namespace

std::optional<Fault> IndirectOffsets::read(const TensorOperand& operand, unsigned channels,
                                           std::uint32_t elements, const MemoryRows& list_rows,
                                           const char* field) {
    const IndexList& list = operand.list;
    low_ = operand.low;
    high_ = operand.high;
    lists_ = 0;
    if (!list.used) {
        return std::nullopt;
    }
    sharers_ = list.sharers;
    elements_ = elements;
    const unsigned lists = (channels + sharers_ - 1) / sharers_;
    offsets_.resize(std::max(offsets_.size(), std::size_t{lists} * elements));
    std::int64_t smallest = operand.high;
    std::int64_t largest = 0;
    for (unsigned l = 0; l < lists; ++l) {
        std::uint32_t* offsets = offsets_.data() + l * std::size_t{elements};
        for (std::uint32_t element = 0; element < elements; ++element) {
            const std::uint8_t* words =
                list_rows.partition(list.partition + l * sharers_ + element % sharers_) + list.low;
            std::uint32_t number = 0;
            std::memcpy(&number, words + std::size_t{element / sharers_} * sizeof number,
                        sizeof number);
            const std::int64_t byte = operand.byte + std::int64_t{number} * operand.element_bytes;
            if (byte + operand.element_bytes > operand.high) {
                return outside(operand, field, l, element, number);
            }
            offsets[element] = static_cast<std::uint32_t>(byte);
            smallest = std::min(smallest, byte);
            largest = std::max(largest, byte);
        }
    }
    lists_ = lists;
    low_ = smallest;
    high_ = largest + operand.element_bytes;
    return std::nullopt;
}

}  // namespace dve
