// Edit distance and lists of names.
#include "models/isa/text_name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <utility>

#include "models/isa/text_number.h"

namespace dve {
namespace {

// Levenshtein distance, one row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

// The `count` names nearest to a name, nearest first; in their own order where equally near.
std::vector<std::string_view> nearest_names(std::string_view name,
                                            const std::vector<std::string_view>& names,
                                            std::size_t count) {
    std::vector<std::pair<std::size_t, std::size_t>> order;  // distance, index
    order.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        order.emplace_back(distance(name, names[i]), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::string_view> nearest;
    for (std::size_t i = 0; i < std::min(count, order.size()); ++i) {
        nearest.push_back(names[order[i].second]);
    }
    return nearest;
}

}  // namespace

Error unknown_name(std::string_view what, std::string_view name,
                   const std::vector<std::string_view>& names, std::string_view also) {
    constexpr std::size_t longest_list = 24;
    constexpr std::size_t longest_name = 64;  // of input, which may be anything
    std::string message = "unknown " + std::string(what) + ' ' + quoted(name);
    const std::vector<std::string_view> nearest =
        nearest_names(name.substr(0, longest_name), names, 3);
    if (names.empty()) {
        message += "; legal: none";
    } else if (names.size() <= longest_list) {
        message += ", nearest is " + quoted(nearest.front()) + "; legal: " + join(names);
    } else {
        message += ", nearest are " + join(nearest) + "; legal: one of " +
                   std::to_string(names.size()) + " names";
    }
    if (!also.empty()) {
        message += ' ' + std::string(also);
    }
    return {message};
}

std::string join(const std::vector<std::string_view>& names) {
    std::string text;
    for (const std::string_view name : names) {
        text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return text;
}

bool is_identifier(std::string_view text) {
    const auto is_letter = [](char c) {
        return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) {
               return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
           });
}

}  // namespace dve
