"""Writes cross_entropy.dvs: the same instructions for each of the four chunks of the vocabulary."""
import pathlib

CHUNKS, COLUMNS = 4, 1024

HEADER = """\
; Forward pass of cross entropy over a vocabulary of 4096, in chunks of 1024 with a running maximum:
;     m = max(m, max of chunk)    d = d * exp(m before - m) + sum of exp(chunk - m)
; The loss of a row is log(d) + shift, shift = m - x[target]; the logarithm is left to the host.
; Written by generate.py.
.tensor x         sbuf:0:0x00000  128x4096 fp32
.tensor position  sbuf:0:0x04000  128x1024 uint16    ; 0, 1, 2, ... in every partition
.tensor target    sbuf:0:0x05000  128x1 fp32         ; column of the right answer
.tensor scratch   sbuf:0:0x06000  128x1024 fp32
.tensor m         sbuf:0:0x07000  128x1 fp32
.tensor d         sbuf:0:0x07004  128x1 fp32
.tensor shift     sbuf:0:0x07008  128x1 fp32
.tensor chunk     sbuf:0:0x0700c  128x1 fp32    ; of the chunk: its maximum, then its sum
.tensor before    sbuf:0:0x07010  128x1 fp32    ; m before the chunk, then the correction of d
.tensor local     sbuf:0:0x07014  128x1 fp32    ; target, counted from the chunk's first column
.tensor right     sbuf:0:0x07018  128x1 fp32    ; x[target], or 0 where the chunk does not hold it

; m starts at the smallest finite number: minus infinity less itself would be no number.
        tensor_scalar_arith dst=m src=target op0=mult imm0=0.0 op1=add imm1=0xff7fffff
        tensor_scalar_arith dst=d src=target op0=mult imm0=0.0 op1=bypass
        tensor_scalar_arith dst=shift src=target op0=mult imm0=0.0 op1=bypass
"""

CHUNK = """\
; chunk {chunk}
        tensor_scalar_cache_reduce dst=scratch src={x} op0=bypass op1=max accumulator_cmd=zero_accumulate
        dve_read_accumulator dst=chunk
        tensor_scalar_arith dst=before src=m op0=bypass op1=bypass
        tensor_tensor_arith dst=m src0=m src1=chunk op=max
        exponential dst=before src=before imm0=@m
        exponential dst=scratch src={x} imm0=@m accumulator_cmd=zero_accumulate
        dve_read_accumulator dst=chunk
        tensor_tensor_arith dst=d src0=d src1=before op=mult
        tensor_tensor_arith dst=d src0=d src1=chunk op=add
        tensor_scalar_arith dst=local src=target op0=subtract imm0={first}.0 op1=bypass
        scalar_tensor_tensor_arith dst=scratch src0=position op0=is_eq imm0=@local src1={x} op1=mult accumulator_cmd=zero_accumulate
        dve_read_accumulator dst=right
        tensor_tensor_arith dst=shift src0=shift src1=right op=subtract
"""

END = """\
; shift has been -x[target] so far
        tensor_tensor_arith dst=shift src0=shift src1=m op=add
"""


def program():
    chunks = [
        CHUNK.format(chunk=chunk, first=chunk * COLUMNS,
                     x=f"x[{chunk * COLUMNS}:{(chunk + 1) * COLUMNS}]")
        for chunk in range(CHUNKS)
    ]
    return HEADER + "".join(chunks) + END


if __name__ == "__main__":
    pathlib.Path(__file__).with_name("cross_entropy.dvs").write_text(program(), encoding="utf-8")
