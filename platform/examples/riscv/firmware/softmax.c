// Bare metal: softmax through the engine's instruction ring, twice, asleep until it is done.
#include <dve/dve_registers.h>
#include <stdint.h>

#include "memory_map.h"

#define RECORD_BYTES 64
#define RING_BYTES (10 * RECORD_BYTES) /* the second softmax wraps around */

extern const uint8_t softmax_records[], softmax_records_end[];

static uint8_t ring[RING_BYTES] __attribute__((aligned(RECORD_BYTES)));
static uint32_t tail;
static volatile uint32_t causes;

static void write_register(uint32_t offset, uint32_t value) {
    *(volatile uint32_t*)(uintptr_t)(CSR_BASE + offset) = value;
}
static uint32_t read_register(uint32_t offset) {
    return *(volatile uint32_t*)(uintptr_t)(CSR_BASE + offset);
}

static void put(char c) { *(volatile uint32_t*)(uintptr_t)CONSOLE_BASE = (uint8_t)c; }
static void put_text(const char* text) {
    while (*text != 0) {
        put(*text++);
    }
}
static void put_number(uint64_t number) {
    if (number >= 10) {
        put_number(number / 10);
    }
    put((char)('0' + number % 10));
}
static void put_line(const char* text, uint64_t number) {
    put_text(text);
    put_number(number);
    put('\n');
}
static void finish(uint32_t status) { *(volatile uint32_t*)(uintptr_t)(CONSOLE_BASE + 4) = status; }

static float* row_of(unsigned row, unsigned offset) {
    return (float*)(uintptr_t)(LOCAL_BASE + row * PARTITION_STRIDE + offset);
}

/// Numbers in [-8, 8) that look random; exact in FP32.
static float input(unsigned round, unsigned row, unsigned column) {
    const uint32_t hash = ((round * ROWS + row) * COLUMNS + column) * 2654435761U;
    return (float)(int32_t)(hash >> 16 & 1023) / 64 - 8;
}

/// exp of a number in [-16, 0]: the series of exp(x / 256), squared eight times.
static double exponential(double x) {
    const double t = x / 256;
    double y = 1 + t * (1 + t / 2 * (1 + t / 3 * (1 + t / 4 * (1 + t / 5))));
    for (int i = 0; i < 8; ++i) {
        y *= y;
    }
    return y;
}

static unsigned wrong_in_row(unsigned row) {
    const float* x = row_of(row, INPUT_OFFSET);
    const float* y = row_of(row, RESULT_OFFSET);
    double maximum = x[0], sum = 0;
    for (unsigned i = 1; i < COLUMNS; ++i) {
        maximum = x[i] > maximum ? x[i] : maximum;
    }
    for (unsigned i = 0; i < COLUMNS; ++i) {
        sum += exponential(x[i] - maximum);
    }
    unsigned wrong = 0;
    for (unsigned i = 0; i < COLUMNS; ++i) {
        const double expected = exponential(x[i] - maximum) / sum;
        const double error = y[i] > expected ? y[i] - expected : expected - y[i];
        wrong += error > 1e-5 * expected;
    }
    return wrong;
}

void interrupt(void) {
    const uint32_t now = read_register(DVE_INTERRUPT_OFFSET);
    write_register(DVE_INTERRUPT_OFFSET, now);
    causes |= now;
}

/// Copies records behind the tail and rings the doorbell. There is room: the ring is empty.
static void submit(const uint8_t* record, const uint8_t* end) {
    while (record != end) {
        ring[tail] = *record++;
        tail = (tail + 1) % RING_BYTES;
    }
    write_register(DVE_RING_TAIL_OFFSET, tail);
}

/// Until a cause of the engine. Interrupts are on for one instruction after each sleep only: wfi
/// ends when one is pending, so none is missed between the question and the sleep.
static void sleep_until_interrupt(void) {
    while (causes == 0) {
        __asm__ volatile("wfi\n csrsi mstatus, 8\n nop\n csrci mstatus, 8" ::: "memory");
    }
}

/// A reset keeps the bytes of SBUF, so the input may be there already.
static void set_up(void) {
    write_register(DVE_RESET_OFFSET, DVE_RESET_ENGINE);
    write_register(DVE_RING_BASE_LO_OFFSET, (uint32_t)(uintptr_t)ring);
    write_register(DVE_RING_BYTES_OFFSET, RING_BYTES);
    write_register(DVE_INTERRUPT_ENABLE_OFFSET,
                   DVE_INTERRUPT_RING_EMPTY_MASK | DVE_INTERRUPT_FAULT_MASK);
    __asm__ volatile("csrs mie, %0" ::"r"(1 << 11));
}

static unsigned run(unsigned round) {
    for (unsigned row = 0; row < ROWS; ++row) {
        for (unsigned i = 0; i < COLUMNS; ++i) {
            row_of(row, INPUT_OFFSET)[i] = input(round, row, i);
        }
    }
    if (round == 0) {
        set_up();
    }
    causes = 0;
    submit(softmax_records, softmax_records_end);
    if (round == 0) {
        write_register(DVE_START_OFFSET, DVE_START_RING);
    }
    sleep_until_interrupt();
    put_line("softmax: interrupt causes ", causes);
    put_line("softmax: ring tail ", tail);
    put_line("softmax: busy cycles ", read_register(DVE_BUSY_LO_OFFSET));
    unsigned wrong = 0;
    for (unsigned row = 0; row < ROWS; ++row) {
        wrong += wrong_in_row(row);
    }
    put_line("softmax: wrong elements ", wrong);
    return wrong;
}

void main(void) {
    const unsigned wrong = run(0) + run(1);
    finish(wrong != 0);
}
