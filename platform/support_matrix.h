// Which operation an opcode executes on which dtype, asked of the predicates themselves.
#pragma once

#include <string>
#include <vector>

#include "models/isa/alu_op.h"
#include "models/isa/check.h"
#include "models/isa/dtype.h"

namespace dve {

struct SupportCell {
    const OpcodeRow* opcode;
    const AluOpRow* op;
    const DtypeRow* dtype;     ///< of every operand and the result
    std::string refused_by;    ///< name of the predicate; empty: legal
    bool result_only = false;  ///< legal as the result of FP32 operands; `refused_by` is empty
};

/// One cell for each opcode with an ALU operation, each operation and byte-sized dtype of the
/// generation. An opcode with two operations is asked with `op` first and BYPASS second.
std::vector<SupportCell> support_matrix(const IsaConfiguration& configuration,
                                        const OpcodeRow* only_opcode = nullptr);

}  // namespace dve
