// Writing a lane trace allocates nothing once it has begun.
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/counted_new.h"
#include "traces/lane_trace_writer.h"

namespace dve {
namespace {

TEST(LaneTraceWriter, AllocatesNothingPerValue) {
    LaneTraceWriter writer("/dev/null", {{{"generation", "cayman"}}});
    std::vector<std::uint32_t> words(dve_num_channels, 5);
    LaneValues values;
    values.lanes = dve_num_channels;
    values.values = values.second = words.data();
    const Record record = make_record(Opcode::TENSOR_SCALAR_ARITH_OP);
    RetireRecord retire;
    retire.record = &record;
    retire.opcode = &opcode_row(Opcode::TENSOR_SCALAR_ARITH_OP);
    const std::size_t before = test::allocation_count();
    for (std::uint32_t element = 0; element < 20000; ++element) {
        if (element % 100 == 0) {
            retire.index = values.instruction = element / 100;
            writer.begins(retire);
        }
        words[element % dve_num_channels] += element % 3;
        values.element = element;
        values.stage = static_cast<LaneStage>(element % lane_stage_count);
        writer.values(values);
    }
    EXPECT_EQ(test::allocation_count(), before);
    EXPECT_TRUE(writer.status());
}

}  // namespace
}  // namespace dve
