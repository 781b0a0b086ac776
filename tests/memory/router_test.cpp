// The router: windows, translation there and back, DMI bounds, invalidation.
#include "tlm/router.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include "tests/support/initiator.h"

namespace dve::test {
namespace {

/// Keeps what it was asked; grants DMI over a range of its own.
class Recorder : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Recorder> socket;
    std::uint64_t address = 0;
    unsigned calls = 0;
    tlm::tlm_response_status answer = tlm::TLM_OK_RESPONSE;
    std::uint8_t storage[0x1000] = {};
    std::uint64_t dmi_start = 0;
    std::uint64_t dmi_end = 0xFFF;
    bool grant = true;

    explicit Recorder(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
        socket.register_b_transport(this, &Recorder::b_transport);
        socket.register_get_direct_mem_ptr(this, &Recorder::get_direct_mem_ptr);
        socket.register_transport_dbg(this, &Recorder::transport_dbg);
    }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
        address = transaction.get_address();
        ++calls;
        delay += sc_core::sc_time(3, sc_core::SC_NS);
        transaction.set_response_status(answer);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
        address = transaction.get_address();
        ++calls;
        dmi.set_start_address(dmi_start);
        dmi.set_end_address(dmi_end);
        dmi.set_dmi_ptr(storage);
        if (grant) {
            dmi.allow_read_write();
        }
        return grant;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& transaction) {
        address = transaction.get_address();
        ++calls;
        return transaction.get_data_length();
    }
};

class RouterTest : public testing::Test {
protected:
    void SetUp() override {
        host.socket.bind(router.target);
        router.map(0x1000, 0x800);
        router.initiator.bind(low.socket);
        router.map(0x4000, 0x400, true);
        router.initiator.bind(kept.socket);
        elaborate();
    }
    std::uint8_t data[64] = {};
    Router router{"router"};
    Initiator host{"host"};
    Recorder low{"low"};
    Recorder kept{"kept"};
};

TEST_F(RouterTest, TranslatesAndRestoresTheAddress) {
    EXPECT_EQ(host.write(0x1010, data, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(host.attributes_kept);
    EXPECT_EQ(low.address, 0x10U);
    EXPECT_EQ(host.delay, sc_core::sc_time(3, sc_core::SC_NS));
    EXPECT_EQ(host.read(0x4010, data, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(host.attributes_kept);
    EXPECT_EQ(kept.address, 0x4010U);
}

TEST_F(RouterTest, PassesTheTargetsStatusOn) {
    low.answer = tlm::TLM_BURST_ERROR_RESPONSE;
    EXPECT_EQ(host.write(0x1000, data, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_TRUE(host.attributes_kept);
    low.answer = tlm::TLM_INCOMPLETE_RESPONSE;
    EXPECT_EQ(host.write(0x1000, data, 4), tlm::TLM_INCOMPLETE_RESPONSE);
}

TEST_F(RouterTest, UnmappedIsAnAddressErrorWithoutAForward) {
    for (const std::uint64_t address :
         {std::uint64_t{0}, std::uint64_t{0xFFF}, std::uint64_t{0x17FD}, std::uint64_t{0x1800},
          std::uint64_t{0x3FFE}, std::uint64_t{0x43FD}, ~std::uint64_t{0} - 2}) {
        EXPECT_EQ(host.write(address, data, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(host.debug(tlm::TLM_READ_COMMAND, address, data, 4), 0U);
        EXPECT_TRUE(host.attributes_kept);
    }
    EXPECT_EQ(low.calls + kept.calls, 0U);
    EXPECT_EQ(host.write(0x17FC, data, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(host.write(0x43FC, data, 4), tlm::TLM_OK_RESPONSE);
    // Streaming touches only its width.
    EXPECT_EQ(host.send({tlm::TLM_WRITE_COMMAND, 0x17FE, data, 64, {}, true, 2, false}),
              tlm::TLM_OK_RESPONSE);
}

TEST_F(RouterTest, DebugAccessesStayInTheWindow) {
    EXPECT_EQ(host.debug(tlm::TLM_READ_COMMAND, 0x17F0, data, 16), 16U);
    EXPECT_EQ(low.address, 0x7F0U);
    EXPECT_TRUE(host.attributes_kept);
    EXPECT_EQ(host.debug(tlm::TLM_WRITE_COMMAND, 0x17F0, data, 17), 0U);
    EXPECT_EQ(low.calls, 1U);
}

TEST_F(RouterTest, DirectMemoryIsTranslatedAndNarrowed) {
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(host.direct_memory(0x1234, dmi));
    EXPECT_TRUE(host.attributes_kept);
    EXPECT_EQ(low.address, 0x234U);
    EXPECT_EQ(dmi.get_start_address(), 0x1000U);
    EXPECT_EQ(dmi.get_end_address(), 0x17FFU);
    EXPECT_EQ(dmi.get_dmi_ptr(), low.storage);

    // A smaller region inside the window keeps its bounds.
    low.dmi_start = 0x200;
    low.dmi_end = 0x2FF;
    ASSERT_TRUE(host.direct_memory(0x1234, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x1200U);
    EXPECT_EQ(dmi.get_end_address(), 0x12FFU);
    EXPECT_EQ(dmi.get_dmi_ptr(), low.storage);

    // Where the region begins before the window, the pointer moves with the start.
    kept.dmi_start = 0x3F00;
    kept.dmi_end = 0x4FFF;
    ASSERT_TRUE(host.direct_memory(0x4100, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x4000U);
    EXPECT_EQ(dmi.get_end_address(), 0x43FFU);
    EXPECT_EQ(dmi.get_dmi_ptr(), kept.storage + 0x100);

    // A target may grant the whole address space.
    low.dmi_start = 0;
    low.dmi_end = ~std::uint64_t{0};
    ASSERT_TRUE(host.direct_memory(0x1000, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x1000U);
    EXPECT_EQ(dmi.get_end_address(), 0x17FFU);
}

TEST_F(RouterTest, RefusedDirectMemory) {
    tlm::tlm_dmi dmi;
    low.grant = false;
    EXPECT_FALSE(host.direct_memory(0x1000, dmi));
    dmi.allow_read_write();
    EXPECT_FALSE(host.direct_memory(0x2000, dmi));
    EXPECT_FALSE(dmi.is_read_allowed());
    EXPECT_EQ(dmi.get_start_address(), 0x2000U);
    EXPECT_EQ(dmi.get_end_address(), 0x2000U);
}

TEST_F(RouterTest, InvalidationReachesTheHostTranslated) {
    low.socket->invalidate_direct_mem_ptr(0x100, 0x1FF);
    low.socket->invalidate_direct_mem_ptr(0x700, 0xFFF);          // narrowed
    low.socket->invalidate_direct_mem_ptr(0, ~std::uint64_t{0});  // everything
    low.socket->invalidate_direct_mem_ptr(0x800, 0xFFF);          // not visible here
    kept.socket->invalidate_direct_mem_ptr(0, ~std::uint64_t{0});
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {
        {0x1100, 0x11FF}, {0x1700, 0x17FF}, {0x1000, 0x17FF}, {0x4000, 0x43FF}};
    EXPECT_EQ(host.invalidations, expected);
}

}  // namespace
}  // namespace dve::test
