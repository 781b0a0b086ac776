"""Writes mamba.dvs: the same three instructions for each of the 16 states."""
import pathlib

STATES = 16

HEADER = """\
; State recurrence of Mamba for 128 channels, 512 steps and 16 states (published semantics):
;     h[n] = a[n] * h[n] + b[n]         y = sum over n of c[n] * h[n]
; a = exp(A * delta), b = delta * u * B and c, the same in every channel, are inputs.
; Written by generate.py.
.gen mariana
.tensor a        sbuf:0:0x00000  128x16x512 fp32
.tensor b        sbuf:0:0x08000  128x16x512 fp32
.tensor c        sbuf:0:0x10000  128x16x512 fp32
.tensor h        sbuf:0:0x18000  128x512    fp32    ; the state being worked on
.tensor product  sbuf:0:0x18800  128x512    fp32
.tensor y        sbuf:0:0x19000  128x512    fp32
"""

SCAN = "tensor_tensor_scan_arith dst=h src0=a[{n},:] op0=mult imm0=0.0 src1=b[{n},:] op1=add"
MULTIPLY = "scalar_tensor_tensor_arith dst={to} src0=h op0=bypass src1=c[{n},:] op1=mult"
ADD = "scalar_tensor_tensor_arith dst=y src0=product op0=bypass src1=y op1=add"


def program():
    lines = [HEADER]
    for n in range(STATES):
        lines.append(f"; state {n}")
        lines.append("        " + SCAN.format(n=n))
        if n == 0:
            lines.append("        " + MULTIPLY.format(n=n, to="y"))
        else:
            lines.append("        " + MULTIPLY.format(n=n, to="product"))
            lines.append("        " + ADD)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    pathlib.Path(__file__).with_name("mamba.dvs").write_text(program(), encoding="utf-8")
