// Random instructions through worker and executor against plain loops.
#include "models/dve/loose_executor.h"

#include <gtest/gtest.h>

#include "models/workers/workers.h"
#include "tests/dve/random_instruction.h"

namespace dve::test {
namespace {

/// Worker and executor over a copy of the reference's memories.
class Model {
public:
    explicit Model(Generation generation) : isa_(IsaConfiguration::for_generation(generation)) {}

    ExecutionNotes execute(const Instruction& instruction, const Semantics& semantics) {
        std::array<std::uint32_t, 64> registers{};
        const Record record = encode(instruction, isa_.generation, registers);
        const OpcodeRow& opcode = *find_opcode(instruction.opcode);
        LaneProgram program;
        const auto fault =
            FirmwareWorkers()
                .find(isa_.generation, find_worker(opcode.worker)->address(isa_.generation))
                ->build({record, opcode, registers.data(), isa_, semantics,
                         static_cast<std::uint32_t>(semantics.scan_combine)},
                        program);
        EXPECT_FALSE(fault) << fault->message();
        constexpr auto stride = static_cast<std::ptrdiff_t>(Memories::row_bytes);
        executor.set_memories({memories.at(Space::SBUF, 0, 0), stride},
                              {memories.at(Space::PSUM, 0, 0), stride});
        return executor.execute(program, semantics.numbers);
    }

    LooseExecutor executor;
    Memories memories;

private:
    IsaConfiguration isa_;
};

Semantics random_semantics(std::mt19937& engine) {
    Semantics semantics;
    const auto flip = [&engine] { return between(engine, 0, 1) == 1; };
    static constexpr AluOp combines[] = {AluOp::ADD, AluOp::MULT, AluOp::MAX, AluOp::MIN,
                                         AluOp::ABSOLUTE_DIFF};
    semantics.scan_combine = combines[between(engine, 0, 4)];
    semantics.scan_recurrence = flip() ? ScanRecurrence::CARRIED : ScanRecurrence::COMBINE_PREFIX;
    semantics.scan_order = flip() ? ScanOrder::SEQUENTIAL : ScanOrder::ROTATE_COMBINE;
    semantics.stt_accumulate =
        flip() ? SttAccumulate::ADDS_TO_STORE : SttAccumulate::REPLACES_STORE;
    semantics.accumulator_tap =
        flip() ? AccumulatorTap::AFTER_CONVERSION : AccumulatorTap::BEFORE_CONVERSION;
    semantics.numbers.fp_to_int_nearest = flip();
    if (between(engine, 0, 4) == 0) {
        semantics.numbers.rounding = static_cast<Rounding>(between(engine, 0, 3));
        semantics.numbers.flush_subnormals = flip();
    }
    return semantics;
}

class RandomInstructions : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomInstructions, testing::Range(1U, 9U));

TEST_P(RandomInstructions, GiveTheBitsOfPlainLoops) {
    constexpr Generation generations[] = {Generation::SUNDA, Generation::CAYMAN,
                                          Generation::MARIANA, Generation::MARIANA};
    const Generation generation = generations[GetParam() % 4];
    InstructionSource source(GetParam());
    Model model(generation);
    Reference reference;
    unsigned staged = 0;
    unsigned sequential = 0;
    for (unsigned program = 0; program < 6; ++program) {
        reference.memories.fill(source.engine());
        model.memories = reference.memories;
        const Semantics semantics = random_semantics(source.engine());
        for (unsigned i = 0; i < 30; ++i) {
            const Instruction instruction = source.next(generation);
            const bool in_network = instruction.opcode == 0xE5 &&
                                    Reference::composes(instruction) &&
                                    semantics.scan_recurrence == ScanRecurrence::CARRIED &&
                                    semantics.scan_order == ScanOrder::ROTATE_COMBINE;
            if (in_network) {
                continue;  // the algebra of maps is the scan's own test
            }
            reference.execute(instruction, semantics);
            const ExecutionNotes notes = model.execute(instruction, semantics);
            ASSERT_TRUE(model.memories == reference.memories)
                << "program " << program << " instruction " << i << " opcode "
                << int{instruction.opcode};
            ASSERT_EQ(model.executor.accumulators().bits, reference.accumulators);
            staged += notes.partial_overlap ? 1 : 0;
            const bool fell_back = instruction.opcode == 0xE5 &&
                                   semantics.scan_recurrence == ScanRecurrence::CARRIED &&
                                   semantics.scan_order == ScanOrder::ROTATE_COMBINE;
            ASSERT_EQ(notes.scan_ran_sequentially, fell_back);
            sequential += fell_back ? 1 : 0;
        }
    }
    EXPECT_EQ(model.executor.status().bits, reference.status.bits);
    EXPECT_GT(staged, 5U);
    RecordProperty("sequential", static_cast<int>(sequential));
}

/// FP32 copy of a row by 0x43 with two bypasses.
Instruction copy(const Tensor& src, const Tensor& dst, unsigned channels) {
    Instruction instruction;
    instruction.channels = channels;
    instruction.src0 = src;
    instruction.dst = dst;
    return instruction;
}

TEST(Order, ADestinationHitTwiceKeepsTheLast) {
    Model model(Generation::MARIANA);
    for (std::uint32_t i = 0; i < 64; ++i) {
        const float value = static_cast<float>(i);
        std::memcpy(model.memories.at(Space::SBUF, 0, 4 * i), &value, 4);
    }
    Tensor src;
    src.shape = row_of(64);
    Tensor dst;
    dst.byte = 0x1000;
    dst.shape = {{4, 16, 1, 1}, {1, 0, 1, 1}};  // four places, sixteen times
    model.execute(copy(src, dst, 1), {});
    for (std::uint32_t i = 0; i < 4; ++i) {
        float value = 0;
        std::memcpy(&value, model.memories.at(Space::SBUF, 0, 0x1000 + 4 * i), 4);
        EXPECT_EQ(value, 60 + static_cast<float>(i));
    }
}

TEST(Order, ShiftByOneElementReadsEverythingFirst) {
    for (const int shift : {-1, 1, 3, 700}) {
        Model model(Generation::MARIANA);
        constexpr std::uint32_t n = 1500;  // more than one block
        std::mt19937 engine(5);
        std::vector<float> before(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            before[i] = static_cast<float>(engine() % 1000);
            std::memcpy(model.memories.at(Space::SBUF, 64, 4 * (i + 10)), &before[i], 4);
        }
        Tensor src;
        src.partition = 64;
        src.byte = 40;
        src.shape = row_of(n);
        Tensor dst = src;
        dst.byte = static_cast<std::uint32_t>(40 + 4 * shift);
        EXPECT_TRUE(model.execute(copy(src, dst, 1), {}).partial_overlap);
        for (std::uint32_t i = 0; i < n; ++i) {
            float value = 0;
            std::memcpy(&value, model.memories.at(Space::SBUF, 64, dst.byte + 4 * i), 4);
            ASSERT_EQ(value, before[i]);
        }
    }
}

TEST(Order, ExactInPlaceIsNormalUse) {
    Model model(Generation::MARIANA);
    for (const Shape& shape : {row_of(1500), row_of(1500, 2), row_of(64, -3)}) {
        Tensor tensor;
        tensor.byte = 0x400;
        tensor.shape = shape;
        EXPECT_FALSE(model.execute(copy(tensor, tensor, 32), {}).partial_overlap);
    }
}

// The same places read and written four times, over more than one block: each read sees what was
// there before the instruction.
TEST(Order, InPlaceWithRepeatedPlacesReadsEverythingFirst) {
    Model model(Generation::MARIANA);
    Tensor tensor;
    tensor.shape = {{600, 4, 1, 1}, {1, 0, 1, 1}};
    Instruction instruction = copy(tensor, tensor, 1);
    instruction.op0 = AluOp::ADD;
    instruction.scalar0.bits = 0x3F800000;
    EXPECT_TRUE(model.execute(instruction, {}).partial_overlap);
    for (std::uint32_t i = 0; i < 600; ++i) {
        float value = 0;
        std::memcpy(&value, model.memories.at(Space::SBUF, 0, 4 * i), 4);
        ASSERT_EQ(value, 1.0F);
    }
}

// A pointer scalar that the destination overwrites was read before.
TEST(Order, ScalarsAreReadFirst) {
    Model model(Generation::MARIANA);
    const float two = 2;
    const float ten = 10;
    for (unsigned c = 0; c < 8; ++c) {
        for (unsigned i = 0; i < 20; ++i) {
            std::memcpy(model.memories.at(Space::SBUF, c, 4 * i), i == 0 ? &two : &ten, 4);
        }
    }
    Instruction instruction;
    instruction.channels = 8;
    instruction.src0.shape = instruction.dst.shape = row_of(20);
    instruction.op0 = AluOp::MULT;
    instruction.scalar0.source = ImmSrc::POINTER;  // byte 0, the first element of dst
    model.execute(instruction, {});
    for (unsigned c = 0; c < 8; ++c) {
        for (unsigned i = 0; i < 20; ++i) {
            float value = 0;
            std::memcpy(&value, model.memories.at(Space::SBUF, c, 4 * i), 4);
            ASSERT_EQ(value, i == 0 ? 4.0F : 20.0F);
        }
    }
}

// Idle leaves the value and takes the right to read it (decisions 3).
TEST(AccumulatorState, UndefinedReadsAreNoted) {
    Model model(Generation::MARIANA);
    Instruction read;
    read.opcode = 0x9B;
    read.channels = 8;
    read.dst.byte = 0x100;
    Instruction accumulate;
    accumulate.opcode = 0x9D;
    accumulate.channels = 8;
    accumulate.src0.shape = accumulate.src1.shape = accumulate.dst.shape = row_of(4);
    accumulate.dst.byte = 0x200;
    EXPECT_TRUE(model.execute(read, {}).accumulator_undefined);
    accumulate.accumulate = 2;
    EXPECT_TRUE(model.execute(accumulate, {}).accumulator_undefined);
    EXPECT_FALSE(model.execute(accumulate, {}).accumulator_undefined);
    EXPECT_FALSE(model.execute(read, {}).accumulator_undefined);
    accumulate.accumulate = 0;
    const auto bits = model.executor.accumulators().bits;
    model.execute(accumulate, {});
    EXPECT_EQ(model.executor.accumulators().bits, bits);
    EXPECT_TRUE(model.execute(read, {}).accumulator_undefined);
    accumulate.accumulate = 3;
    EXPECT_FALSE(model.execute(accumulate, {}).accumulator_undefined);
    read.channels = 9;  // the ninth was never set
    EXPECT_TRUE(model.execute(read, {}).accumulator_undefined);
}

}  // namespace
}  // namespace dve::test
