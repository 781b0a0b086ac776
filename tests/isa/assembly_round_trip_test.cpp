// Disassembled text assembles to the same bytes: random records, mutated legal ones, any text.
#include <random>

#include "tests/isa/assembly_text.h"

namespace dve {
namespace {

using Random = std::mt19937_64;

Record random_record(Random& random) {
    Record record;
    for (std::uint8_t& byte : record.bytes) {
        byte = static_cast<std::uint8_t>(random());
    }
    return record;
}

Record with_known_opcode(Random& random) {
    Record record = random_record(random);
    record.bytes[0] = opcode_rows()[random() % opcode_rows().size()].value();
    return record;
}

// Mostly zero bytes, so that defaults and omitted fields meet values.
Record sparse(Random& random) {
    Record record = make_record(opcode_rows()[random() % opcode_rows().size()].opcode);
    for (unsigned changes = static_cast<unsigned>(random() % 12); changes > 0; --changes) {
        record.bytes[random() % record_bytes] = static_cast<std::uint8_t>(random());
    }
    return record;
}

std::vector<Record> sample_program(Generation generation) {
    const Assembly assembly = assemble(
        ".gen " + std::string(generation_row(generation).name) +
        "\n"
        ".tensor x sbuf:0:0 128x4x64 bf16\n"
        ".tensor y sbuf:0:0x8000 128x256 int16\n"
        "tensor_scalar_arith dst=x src=x[::-1] op0=mult imm0=0.1 op1=max imm1=@R[7] reverse=both\n"
        "tensor_scalar_bitvec dst=y src=y op0=bitwise_xor imm0=-7 op1=bypass\n"
        "tensor_scalar_ptr_arith dst=x src=x op0=add imm0=@x op1=bypass imm1=@y\n"
        "wait sem[3] >= 9\nupdate sem[4] += 9\n"
        "scalar_tensor_tensor_arith dst=x src0=x src1=x op0=add imm0=nan op1=mult "
        "accumulator_cmd=zero_accumulate\n"
        "wait event[1] set_then_clear\nupdate sem[2]++ on read\n"
        "tensor_tensor_scan_arith dst=x src0=R[9]:256:fp32 src1=x imm0=-inf op0=mult op1=add\n"
        "tensor_tensor_bitvec dst=y src0=y src1=y op=bitwise_or\n"
        "dve_read_accumulator dst=sbuf:0:0:1:fp32 num_active_channels=128\n"
        "move num_mov=1 dtype=uint32 data_src=immediate dst_registers=9 immediates=0x8000\n"
        "wait unordered\ncompare_branch cmp_op=1 dtype=int32 cmp_immediate=5 br_immediate=-3 "
        "target_mode=3\n"
        "event_semaphore extended_update_mode=sem_inc_complete extended_update_idx=8\n");
    EXPECT_TRUE(assembly.ok()) << messages(assembly);
    return assembly.records;
}

Record mutated(const std::vector<Record>& program, Random& random) {
    Record record = program[random() % program.size()];
    for (unsigned changes = 1 + static_cast<unsigned>(random() % 3); changes > 0; --changes) {
        std::uint8_t& byte = record.bytes[random() % record_bytes];
        byte = random() % 2 == 0 ? static_cast<std::uint8_t>(random())
                                 : static_cast<std::uint8_t>(byte ^ (1U << random() % 8));
    }
    return record;
}

void expect_round_trip(const std::vector<Record>& records, Generation generation) {
    const std::string text = disassemble(records, generation);
    const Assembly again = assemble(text);
    ASSERT_TRUE(again.ok()) << messages(again);
    EXPECT_EQ(again.generation, generation);
    ASSERT_EQ(again.records.size(), records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        ASSERT_EQ(hex(again.records[i]), hex(records[i])) << disassemble({records[i]}, generation);
        ASSERT_EQ(disassemble({records[i]}, generation).find(".raw") != std::string::npos,
                  find_opcode(records[i].opcode()) == nullptr)
            << "every known opcode is readable: " << hex(records[i]);
    }
}

class AssemblyRoundTrip : public testing::TestWithParam<Generation> {};

TEST_P(AssemblyRoundTrip, RandomRecords) {
    Random random(1);
    const std::vector<Record> program = sample_program(GetParam());
    expect_round_trip(program, GetParam());
    std::vector<Record> records;
    for (int i = 0; i < 1500; ++i) {
        records.push_back(random_record(random));
        records.push_back(with_known_opcode(random));
        records.push_back(sparse(random));
        records.push_back(mutated(program, random));
    }
    expect_round_trip(records, GetParam());
}

TEST_P(AssemblyRoundTrip, LogLines) {
    Random random(2);
    const std::vector<Record> program = sample_program(GetParam());
    AssemblyOptions options;
    options.generation = GetParam();
    for (int i = 0; i < 500; ++i) {
        const Record record = mutated(program, random);
        const std::string line = disassemble_record(record, GetParam());
        EXPECT_EQ(line.find('\n'), std::string::npos);
        const Assembly again = assemble(line, options);
        ASSERT_TRUE(again.ok()) << line << '\n' << messages(again);
        ASSERT_EQ(again.records.size(), 1U);
        ASSERT_EQ(hex(again.records[0]), hex(record)) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(EveryGeneration, AssemblyRoundTrip,
                         testing::Values(Generation::SUNDA, Generation::CAYMAN, Generation::MARIANA,
                                         Generation::MARIANA_PLUS, Generation::MAVERICK),
                         [](const auto& parameter) {
                             return std::string(generation_row(parameter.param).name);
                         });

TEST(AssemblyRoundTripText, LegalRecordsReadAsTheyAreWritten) {
    const std::string text =
        ".gen mariana\n"
        "        tensor_scalar_arith dst=sbuf:0:0x8000:512 src=sbuf:0:0x0:512 op0=mult imm0=0.125 "
        "op1=add imm1=1.0 in_dtype=bf16 out_dtype=bf16 num_active_channels=128\n"
        "        wait sem[3] >= 1\n"
        "        update sem[4]++ on read\n"
        "        tensor_scalar_arith dst=sbuf:0:0x8000:4x512/1024,1 src=R[3]:512/-1 op0=mult "
        "imm0=@sbuf:0:0x40 op1=bypass reverse=first in_dtype=bf16 out_dtype=fp8_exp4 "
        "num_active_channels=128\n"
        "        halt\n";
    const Assembly assembly = assemble(text);
    ASSERT_TRUE(assembly.ok()) << messages(assembly);
    EXPECT_EQ(disassemble(assembly.records, Generation::MARIANA), text);
}

TEST(AssemblyRoundTripText, RandomTextNeverThrows) {
    Random random(3);
    const std::string program =
        disassemble(sample_program(Generation::MARIANA), Generation::MARIANA) +
        ".tensor x sbuf:0:0 128x512 fp32 step=1\nnop imm0=@x[0:5:-1]\n";
    constexpr std::string_view alphabet = "=:,;[]()x/.-+@R0159af \t\n\r\0\xff";
    for (int i = 0; i < 2000; ++i) {
        std::string text = program;
        for (unsigned changes = 1 + static_cast<unsigned>(random() % 8); changes > 0; --changes) {
            const std::size_t at = random() % text.size();
            if (random() % 3 == 0) {
                text.erase(at, 1 + random() % 20);
            } else {
                text[at] = alphabet[random() % alphabet.size()];
            }
        }
        const Assembly assembly = assemble(text);
        EXPECT_EQ(assembly.records.size(), assembly.lines.size());
        for (const AssemblyError& error : assembly.errors) {
            EXPECT_EQ(error.message.find('\n'), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace dve
