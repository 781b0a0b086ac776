"""The programs behind the golden waveforms: every form of work of the lanes, and the sequencer's.

x, y, i and p are arrays [8, N] of values that every format holds, made here without any random numbers."""

import numpy

HEAD = """\
.gen mariana
.tensor x   sbuf:0:0x0000  8x{n} {dtype}
.tensor y   sbuf:0:0x1000  8x{n} {dtype}
.tensor p   psum:0:0x0800  8x{n} fp32
.tensor i   sbuf:0:0x2000  8x{n} int32
.tensor z   sbuf:0:0x4000  8x{n} {dtype}
.tensor w   sbuf:0:0x5000  8x{n} fp32
.tensor a   sbuf:0:0x6000  8x1   fp32
"""

# name: (elements, dtype, scope, lines)
CASES = {
    "tensor_scalar": (18, "fp32", "engine.dve*", """
 tensor_scalar_arith dst=z src=x op0=mult imm0=0.5 op1=add imm1=1.0
 tensor_scalar_arith dst=w src=z op0=subtract imm0=2.0 op1=max imm1=0.0 reverse=first
"""),
    "packed": (18, "bf16", "engine.dve*", """
 tensor_scalar_arith dst=z src=x op0=mult imm0=0.5 op1=add imm1=1.0
 tensor_tensor_arith dst=z src0=x src1=y op=add
"""),
    "sbuf_and_psum": (18, "fp32", "engine.dve*", """
 tensor_tensor_arith dst=z src0=x src1=p op=mult
"""),
    "accumulators": (10, "fp32", "engine.dve*", """
 tensor_scalar_cache_reduce dst=z src=x op0=mult imm0=2.0 op1=add accumulator_cmd=zero_accumulate
 dve_read_accumulator dst=a
 tensor_scalar_cache_cumulative dst=w src=x op0=add imm0=1.0 op1=max accumulator_cmd=zero_accumulate
"""),
    "scan_network": (35, "fp32", "engine.dve*", """
 tensor_tensor_scan_arith dst=z src0=x src1=y imm0=2.0 op0=mult op1=add
"""),
    "tensor_cumulative": (12, "fp32", "engine.dve*", """
 tensor_cumulative_arith dst=z src=x op=add op_dim=x
"""),
    "exponential": (8, "fp32", "engine.dve*", """
 exponential dst=z src=x imm0=1.0 accumulator_cmd=zero_accumulate
"""),
    "integers": (8, "fp32", "engine.dve*", """
 tensor_tensor_arith dst=i src0=i src1=i op=mult_int
"""),
    "sequencer": (16, "fp32", "engine.seq*", """
 move num_mov=1 dtype=uint32 data_src=immediate dst_registers=3 immediates=2
 update sem[3] += 1
 tensor_scalar_arith dst=z src=x op0=mult imm0=0.5 op1=bypass
 wait sem[3] >= 1
 tensor_scalar_arith dst=w src=y op0=mult imm0=0.5 op1=bypass
 drain
 halt
"""),
}


def program(name):
    elements, dtype, _, lines = CASES[name]
    return HEAD.format(n=elements, dtype=dtype) + lines


def arrays(name):
    """Arrays to load, by tensor."""
    elements, dtype, _, _ = CASES[name]
    lane, element = numpy.indices((8, elements))
    x = ((lane * 3 + element * 5) % 23 - 7) / 4
    y = ((lane * 7 + element * 2) % 19 - 9) / 2

    def stored(values):
        fp32 = values.astype("<f4")
        return fp32 if dtype == "fp32" else (fp32.view("<u4") >> 16).astype("<u2")

    return {"x": stored(x), "y": stored(y), "p": (x + y).astype("<f4"),
            "i": (lane * 1000003 + element * 77).astype("<i4")}
