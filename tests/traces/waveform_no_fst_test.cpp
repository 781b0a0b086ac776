// A build without the FST writer says so.
#include <gtest/gtest.h>

#include "tests/traces/waveform_module.h"

namespace dve::test {
namespace {

TEST(WaveformNoFst, IsAnError) {
    WaveformOptions options = vcd_options(scratch_path("run.fst"));
    options.format = WaveFormat::FST;
    Top top("top");
    WaveformFile file(options);
    file.add_hierarchy();
    run_cycles(1);
    EXPECT_NE(file.error().find("built without FST"), std::string::npos) << file.error();
}

}  // namespace
}  // namespace dve::test
