// Every generation as a test parameter, under its name.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "models/isa/generation.h"

namespace dve::test {

inline auto every_generation() {
    return testing::Values(Generation::SUNDA, Generation::CAYMAN, Generation::MARIANA,
                           Generation::MARIANA_PLUS, Generation::MAVERICK);
}

inline std::string generation_label(const testing::TestParamInfo<Generation>& info) {
    return generation_row(info.param).name;
}

}  // namespace dve::test
