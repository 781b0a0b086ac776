// Addresses and shapes that the platform, the firmware and its linker script share.
#ifndef RISCV_EXAMPLE_MEMORY_MAP_H
#define RISCV_EXAMPLE_MEMORY_MAP_H

#define MEMORY_BASE 0x00000000
#define MEMORY_BYTES 0x01000000
#define CSR_BASE 0x10000000
#define CONSOLE_BASE 0x18000000
#define LOCAL_BASE 0x20000000 /* SBUF by partition, PSUM behind it */
#define LOCAL_BYTES 0x10000000
#define PARTITION_STRIDE 0x40000

/* Tensors of kernels/softmax/softmax.dvs, bytes from the start of a partition. */
#define ROWS 128
#define COLUMNS 1024
#define INPUT_OFFSET 0x0000
#define RESULT_OFFSET 0x1000

#endif
