# Reset and the trap vector: a stack, floating point, then C.
        .section .start, "ax"
        .globl _start
_start:
        la      sp, stack_top
        li      t0, 1 << 13             # mstatus.FS: initial
        csrs    mstatus, t0
        la      t0, trap
        csrw    mtvec, t0
        call    main
1:      wfi
        j       1b

# Interrupts come while the firmware sleeps; only the registers of a call can hold anything.
        .align  2
trap:
        addi    sp, sp, -128
        sd      ra, 0(sp)
        sd      t0, 8(sp)
        sd      t1, 16(sp)
        sd      t2, 24(sp)
        sd      t3, 32(sp)
        sd      t4, 40(sp)
        sd      t5, 48(sp)
        sd      t6, 56(sp)
        sd      a0, 64(sp)
        sd      a1, 72(sp)
        sd      a2, 80(sp)
        sd      a3, 88(sp)
        sd      a4, 96(sp)
        sd      a5, 104(sp)
        sd      a6, 112(sp)
        sd      a7, 120(sp)
        call    interrupt
        ld      ra, 0(sp)
        ld      t0, 8(sp)
        ld      t1, 16(sp)
        ld      t2, 24(sp)
        ld      t3, 32(sp)
        ld      t4, 40(sp)
        ld      t5, 48(sp)
        ld      t6, 56(sp)
        ld      a0, 64(sp)
        ld      a1, 72(sp)
        ld      a2, 80(sp)
        ld      a3, 88(sp)
        ld      a4, 96(sp)
        ld      a5, 104(sp)
        ld      a6, 112(sp)
        ld      a7, 120(sp)
        addi    sp, sp, 128
        mret

# The records of the kernel, as dve-sim assembled them.
        .section .rodata
        .balign 64
        .globl softmax_records, softmax_records_end
softmax_records:
        .incbin "softmax.bin"
softmax_records_end:
