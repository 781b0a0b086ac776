// Every rule of the checker is tripped, alone, and stays silent when it is switched off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/initiator.h"
#include "tests/tlm/checked_arrow.h"
#include "tlm/dispatch_extension.h"

namespace dve {

void PrintTo(const ProtocolRuleRow& row, std::ostream* out) { *out << row.name; }

namespace test {
namespace {

using Scenario = std::function<void(CheckedArrow&)>;

/// A blocking call with an attribute set wrongly.
Scenario blocking(std::function<void(CheckedArrow&, Payload&)> spoil) {
    return [spoil](CheckedArrow& arrow) {
        Payload transaction;
        arrow.fill(transaction);
        spoil(arrow, transaction);
        arrow.initiator.blocking(transaction);
        transaction.clear_extension<DispatchExtension>();
    };
}

/// A blocking call that the target answers wrongly.
Scenario answered(std::function<void(Payload&, Time&)> answer) {
    return [answer](CheckedArrow& arrow) {
        arrow.target.blocking = [answer](Payload& transaction, Time& delay) {
            transaction.set_response_status(tlm::TLM_OK_RESPONSE);
            answer(transaction, delay);
        };
        Payload transaction;
        arrow.fill(transaction);
        transaction.set_byte_enable_ptr(arrow.enables);
        transaction.set_byte_enable_length(2);
        arrow.initiator.blocking(transaction, ns(5));
        transaction.clear_extension<DispatchExtension>();
    };
}

/// A DMI request that the target answers with `dmi`.
Scenario granted(std::function<void(tlm::tlm_dmi&)> spoil) {
    return [spoil](CheckedArrow& arrow) {
        const auto honest = arrow.target.direct;
        arrow.target.direct = [honest, spoil](Payload& transaction, tlm::tlm_dmi& dmi) {
            const bool result = honest(transaction, dmi);
            spoil(dmi);
            return result;
        };
        arrow.direct(arrow.request());
    };
}

DispatchExtension extension;

std::vector<Scenario> scenarios_of(ProtocolRule rule) {
    switch (rule) {
        case ProtocolRule::COMMAND:
            return {blocking([](CheckedArrow&, Payload& transaction) {
                transaction.set_command(static_cast<tlm::tlm_command>(7));
            })};
        case ProtocolRule::DATA_POINTER:
            return {blocking(
                [](CheckedArrow&, Payload& transaction) { transaction.set_data_ptr(nullptr); })};
        case ProtocolRule::DATA_LENGTH:
            return {blocking(
                [](CheckedArrow&, Payload& transaction) { transaction.set_data_length(0); })};
        case ProtocolRule::BYTE_ENABLE_VALUE:
            return {blocking([](CheckedArrow& arrow, Payload& transaction) {
                arrow.enables[1] = 1;
                transaction.set_byte_enable_ptr(arrow.enables);
                transaction.set_byte_enable_length(2);
            })};
        case ProtocolRule::BYTE_ENABLE_LENGTH:
            return {blocking([](CheckedArrow& arrow, Payload& transaction) {
                transaction.set_byte_enable_ptr(arrow.enables);
            })};
        case ProtocolRule::STREAMING_WIDTH:
            return {blocking(
                [](CheckedArrow&, Payload& transaction) { transaction.set_streaming_width(0); })};
        case ProtocolRule::DMI_HINT:
            return {blocking(
                [](CheckedArrow&, Payload& transaction) { transaction.set_dmi_allowed(true); })};
        case ProtocolRule::STATUS_INCOMPLETE:
            return {blocking([](CheckedArrow&, Payload& transaction) {
                        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
                    }),
                    [](CheckedArrow& arrow) {
                        Payload& transaction = arrow.request();
                        transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
                        arrow.target.forward = [](Payload&, Phase&, Time&) {
                            return tlm::TLM_COMPLETED;
                        };
                        arrow.begin(transaction);
                    }};
        case ProtocolRule::OPTION:
            return {blocking([](CheckedArrow&, Payload& transaction) {
                        transaction.set_gp_option(tlm::TLM_FULL_PAYLOAD);
                    }),
                    [](CheckedArrow& arrow) {
                        Payload& transaction = arrow.request();
                        transaction.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
                        arrow.initiator.socket->transport_dbg(transaction);
                    }};
        case ProtocolRule::ATTRIBUTES_KEPT:
            return {
                answered([](Payload& transaction, Time&) { transaction.set_read(); }),
                answered([](Payload& transaction, Time&) { transaction.set_data_length(2); }),
                answered([](Payload& transaction, Time&) {
                    transaction.set_data_ptr(transaction.get_data_ptr() + 1);
                }),
                answered([](Payload& transaction, Time&) { transaction.set_streaming_width(2); }),
                answered(
                    [](Payload& transaction, Time&) { transaction.set_byte_enable_ptr(nullptr); }),
                [](CheckedArrow& arrow) {
                    Payload& transaction = arrow.request();
                    arrow.begin(transaction);
                    transaction.set_data_length(1);
                    arrow.target.backward(transaction, tlm::END_REQ);
                }};
        case ProtocolRule::OPTION_KEPT:
            return {answered([](Payload& transaction, Time&) {
                transaction.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
            })};
        case ProtocolRule::ADDRESS_RESTORED:
            return {answered([](Payload& transaction, Time&) { transaction.set_address(0); }),
                    [](CheckedArrow& arrow) {
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        transaction.set_address(0);
                        arrow.respond(transaction);
                    },
                    [](CheckedArrow& arrow) {
                        arrow.target.debug = [](Payload& transaction) {
                            transaction.set_address(0);
                            return 0;
                        };
                        arrow.initiator.socket->transport_dbg(arrow.request());
                    }};
        case ProtocolRule::WRITE_DATA_KEPT:
            return {answered([](Payload& transaction, Time&) { ++*transaction.get_data_ptr(); })};
        case ProtocolRule::BYTE_ENABLES_KEPT:
            return {answered([](Payload& transaction, Time&) {
                *transaction.get_byte_enable_ptr() = TLM_BYTE_DISABLED;
            })};
        case ProtocolRule::INACTIVE_BYTES_KEPT:
            return {[](CheckedArrow& arrow) {
                arrow.target.blocking = [](Payload& transaction, Time&) {
                    transaction.get_data_ptr()[3] = 1;
                    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
                };
                Payload& transaction = arrow.request();
                transaction.set_read();
                transaction.set_byte_enable_ptr(arrow.enables);
                transaction.set_byte_enable_length(2);
                arrow.initiator.blocking(transaction);
            }};
        case ProtocolRule::EXTENSIONS_KEPT:
            return {[](CheckedArrow& arrow) {
                arrow.target.blocking = [](Payload& transaction, Time&) {
                    transaction.clear_extension(&extension);
                    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
                };
                Payload transaction;
                arrow.fill(transaction);
                transaction.set_extension(&extension);
                arrow.initiator.blocking(transaction);
            }};
        case ProtocolRule::EXTENSIONS_REMOVED:
            return {answered(
                [](Payload& transaction, Time&) { transaction.set_extension(&extension); })};
        case ProtocolRule::STATUS_SET:
            return {answered([](Payload& transaction, Time&) {
                        transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                    }),
                    answered([](Payload& transaction, Time&) {
                        transaction.set_response_status(static_cast<tlm::tlm_response_status>(9));
                    }),
                    [](CheckedArrow& arrow) {
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.target.backward(transaction, tlm::BEGIN_RESP);
                    }};
        case ProtocolRule::RESPONSE_KEPT:
            return {[](CheckedArrow& arrow) {
                Payload& transaction = arrow.request();
                arrow.begin(transaction);
                arrow.respond(transaction);
                transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
                arrow.initiator.forward(transaction, tlm::END_RESP);
            }};
        case ProtocolRule::METHOD_CALL:
            return {[](CheckedArrow& arrow) {
                in_process([&arrow] { arrow.initiator.blocking(arrow.request()); }, true);
            }};
        case ProtocolRule::TIME_KEPT:
            return {answered([](Payload&, Time& delay) { delay -= ns(1); }),
                    [](CheckedArrow& arrow) {
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction, ns(10));
                        arrow.target.backward(transaction, tlm::END_REQ, ns(9));
                    },
                    [](CheckedArrow& arrow) {
                        arrow.target.forward = [](Payload&, Phase& phase, Time& delay) {
                            phase = tlm::END_REQ;
                            delay = ns(3);
                            return tlm::TLM_UPDATED;
                        };
                        arrow.begin(arrow.request(), ns(4));
                    }};
        case ProtocolRule::NO_WAIT:
            return {[](CheckedArrow& arrow) {
                        arrow.target.forward = [](Payload&, Phase&, Time&) {
                            sc_core::wait(ns(1));
                            return tlm::TLM_ACCEPTED;
                        };
                        in_process([&arrow] { arrow.begin(arrow.request()); });
                    },
                    [](CheckedArrow& arrow) {
                        arrow.target.debug = [](Payload&) {
                            sc_core::wait(sc_core::SC_ZERO_TIME);
                            return 0;
                        };
                        in_process(
                            [&arrow] { arrow.initiator.socket->transport_dbg(arrow.request()); });
                    }};
        case ProtocolRule::ACCEPTED_UNCHANGED:
            return {[](CheckedArrow& arrow) {
                        arrow.target.forward = [](Payload&, Phase&, Time& delay) {
                            delay = ns(1);
                            return tlm::TLM_ACCEPTED;
                        };
                        arrow.begin(arrow.request());
                    },
                    [](CheckedArrow& arrow) {
                        arrow.target.forward = [](Payload& transaction, Phase&, Time&) {
                            transaction.set_response_status(tlm::TLM_OK_RESPONSE);
                            return tlm::TLM_ACCEPTED;
                        };
                        arrow.begin(arrow.request());
                    },
                    [](CheckedArrow& arrow) {
                        arrow.initiator.backward = [](Payload&, Phase& phase, Time&) {
                            phase = tlm::END_RESP;
                            return tlm::TLM_ACCEPTED;
                        };
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.respond(transaction);
                    }};
        case ProtocolRule::MEMORY_MANAGER:
            return {[](CheckedArrow& arrow) {
                Payload transaction;
                arrow.fill(transaction);
                arrow.begin(transaction);
            }};
        case ProtocolRule::REFERENCE_COUNT:
            return {[](CheckedArrow& arrow) {
                Payload transaction(&arrow.pool);
                arrow.fill(transaction);
                arrow.begin(transaction);
            }};
        case ProtocolRule::REUSED_IN_FLIGHT:
            return {[](CheckedArrow& arrow) {
                Payload& transaction = arrow.request();
                arrow.begin(transaction);
                arrow.target.backward(transaction, tlm::END_REQ);
                arrow.begin(transaction);
            }};
        case ProtocolRule::PHASE_DIRECTION:
            return {[](CheckedArrow& arrow) {
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.initiator.forward(transaction, tlm::END_REQ);
                    },
                    [](CheckedArrow& arrow) {
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.target.backward(transaction, tlm::END_RESP);
                    }};
        case ProtocolRule::PHASE_ORDER:
            return {[](CheckedArrow& arrow) {  // no response yet
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.initiator.forward(transaction, tlm::END_RESP);
                    },
                    [](CheckedArrow& arrow) {  // twice
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.target.backward(transaction, tlm::END_REQ);
                        arrow.target.backward(transaction, tlm::END_REQ);
                    },
                    [](CheckedArrow& arrow) {  // twice
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.respond(transaction);
                        arrow.respond(transaction);
                    },
                    [](CheckedArrow& arrow) {  // never begun
                        arrow.initiator.forward(arrow.request(), tlm::END_RESP);
                    },
                    [](CheckedArrow& arrow) {
                        arrow.initiator.forward(arrow.request(), tlm::UNINITIALIZED_PHASE);
                    },
                    [](CheckedArrow& arrow) {  // an update after the end
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.respond(transaction);
                        arrow.target.forward = [](Payload&, Phase& phase, Time&) {
                            phase = tlm::END_REQ;
                            return tlm::TLM_UPDATED;
                        };
                        arrow.initiator.forward(transaction, tlm::END_RESP);
                    }};
        case ProtocolRule::COMPLETED_TOO_EARLY:
            return {[](CheckedArrow& arrow) {
                        arrow.initiator.backward = [](Payload&, Phase&, Time&) {
                            return tlm::TLM_COMPLETED;
                        };
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.target.backward(transaction, tlm::END_REQ);
                    },
                    [](CheckedArrow& arrow) {  // after a response of its own
                        arrow.target.forward = [&arrow](Payload& transaction, Phase&, Time&) {
                            arrow.respond(transaction);
                            return tlm::TLM_COMPLETED;
                        };
                        arrow.begin(arrow.request());
                    }};
        case ProtocolRule::REQUEST_EXCLUSION:
            return {[](CheckedArrow& arrow) {
                arrow.begin(arrow.request());
                arrow.begin(arrow.request());
            }};
        case ProtocolRule::RESPONSE_EXCLUSION:
            return {[](CheckedArrow& arrow) {
                Payload& first = arrow.request();
                Payload& second = arrow.request();
                arrow.begin(first);
                arrow.target.backward(first, tlm::END_REQ);
                arrow.begin(second);
                arrow.respond(first);
                arrow.respond(second);
            }};
        case ProtocolRule::MIXED_TRANSPORT:
            return {[](CheckedArrow& arrow) {
                        Payload& transaction = arrow.request();
                        arrow.begin(transaction);
                        arrow.initiator.blocking(transaction);
                    },
                    [](CheckedArrow& arrow) {
                        arrow.target.blocking = [&arrow](Payload& transaction, Time&) {
                            arrow.begin(transaction);
                            transaction.set_response_status(tlm::TLM_OK_RESPONSE);
                        };
                        arrow.initiator.blocking(arrow.request());
                    }};
        case ProtocolRule::RESPONSE_PATH:
            return {
                [](CheckedArrow& arrow) { arrow.target.backward(arrow.request(), tlm::END_REQ); }};
        case ProtocolRule::DMI_REQUEST:
            return {[](CheckedArrow& arrow) {
                Payload& transaction = arrow.request();
                transaction.set_command(tlm::TLM_IGNORE_COMMAND);
                arrow.direct(transaction);
            }};
        case ProtocolRule::DMI_DESCRIPTOR:
            return {[](CheckedArrow& arrow) {
                        tlm::tlm_dmi used;
                        used.set_end_address(0xFF);
                        arrow.direct(arrow.request(), used);
                    },
                    [](CheckedArrow& arrow) {
                        tlm::tlm_dmi used;
                        used.set_read_latency(ns(1));
                        arrow.direct(arrow.request(), used);
                    }};
        case ProtocolRule::DMI_RANGE:
            return {granted([](tlm::tlm_dmi& dmi) { dmi.set_end_address(0xF); }),
                    granted([](tlm::tlm_dmi& dmi) { dmi.set_start_address(0x11); })};
        case ProtocolRule::DMI_GRANT:
            return {granted([](tlm::tlm_dmi& dmi) { dmi.set_dmi_ptr(nullptr); }),
                    granted([](tlm::tlm_dmi& dmi) { dmi.allow_read(); })};
        case ProtocolRule::INVALIDATED_RANGE:
            return {[](CheckedArrow& arrow) {
                arrow.target.socket->invalidate_direct_mem_ptr(0x20, 0x1F);
            }};
        case ProtocolRule::DEBUG_POINTER:
            return {[](CheckedArrow& arrow) {
                Payload& transaction = arrow.request();
                transaction.set_data_ptr(nullptr);
                arrow.initiator.socket->transport_dbg(transaction);
            }};
        case ProtocolRule::DEBUG_COUNT:
            return {[](CheckedArrow& arrow) {
                arrow.target.debug = [](Payload&) { return 5; };
                arrow.initiator.socket->transport_dbg(arrow.request());
            }};
    }
    return {};
}

class ProtocolRules : public testing::TestWithParam<ProtocolRuleRow> {};

INSTANTIATE_TEST_SUITE_P(Rule, ProtocolRules, testing::ValuesIn(protocol_rules),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(ProtocolRules, IsTrippedAloneAndCanBeSwitchedOff) {
    const ProtocolRule rule = GetParam().rule;
    const std::vector<Scenario> scenarios = scenarios_of(rule);
    ASSERT_FALSE(scenarios.empty()) << "no scenario";
    std::vector<std::unique_ptr<CheckedArrow>> watched;
    std::vector<std::unique_ptr<CheckedArrow>> unwatched;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        watched.push_back(std::make_unique<CheckedArrow>());
        unwatched.push_back(std::make_unique<CheckedArrow>());
        unwatched.back()->checker.set_rule(rule, false);
    }
    elaborate();
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        scenarios[i](*watched[i]);
        scenarios[i](*unwatched[i]);
        EXPECT_THAT(watched[i]->seen, testing::ElementsAre(rule)) << "scenario " << i;
        EXPECT_EQ(watched[i]->checker.violations(rule), 1U);
        EXPECT_EQ(watched[i]->checker.violations(), 1U);
        for (const std::string& line : watched[i]->lines) {
            EXPECT_THAT(line, testing::HasSubstr(GetParam().name));
            EXPECT_THAT(line, testing::Not(testing::HasSubstr("\n")));
        }
        EXPECT_TRUE(unwatched[i]->seen.empty()) << "scenario " << i;
    }
}

}  // namespace
}  // namespace test
}  // namespace dve
