"""The page about registers, rings and the byte map, in Markdown."""
from register_tables import ACCESS, Table, bit_range

HEAD = """# Registers

The `csr` socket of `dve::DveEngine`: aligned 32-bit words. Written by `docs/generate_registers.py` from the tables of
the model, like [registers.rdl](registers.rdl) (SystemRDL 2.0) and the C header `<dve/dve_registers.h>`
(`include/dve/dve_registers.h` in the source tree; C89 to C23 and C++), which has all numbers of this page.

An address without a register answers TLM_ADDRESS_ERROR_RESPONSE, an access against its kind
TLM_COMMAND_ERROR_RESPONSE, a value that is not legal now TLM_GENERIC_ERROR_RESPONSE; nothing changes then. While
`reset_n` is low, every write answers TLM_GENERIC_ERROR_RESPONSE. Accesses that are not of four bytes at a
multiple of four answer TLM_BURST_ERROR_RESPONSE (a wide bus has to split them), byte enables
TLM_BYTE_ENABLE_ERROR_RESPONSE. Bits outside of the fields read 0.

An access takes `csr.access` cycles (a parameter, 1 by default), which are annotated to its delay. It takes effect at
the local time of its caller: an access that comes with a delay first waits until that time, so it synchronises an
initiator that runs ahead, and comes back with the time of the access alone. `nb_transport` calls with a delay are
accepted, and answered at their time. Debug reads have no side effects; debug writes move nothing.
"""
START = """
## Running a program

1. Write the records to memory and set PROGRAM_BASE_LO, PROGRAM_BASE_HI (a multiple of 64: another low word answers
   an error when it is written) and PROGRAM_BYTES.
2. Write ones to INTERRUPT to clear old causes, and to INTERRUPT_ENABLE those that shall drive `irq`.
3. Write START = 1. RUN_STATE is RUNNING until the run has ended; then it is HALTED or FAULTED, and
   INTERRUPT.RUN_ENDED is set, with INTERRUPT.FAULT after a fault.
4. After a fault, ERROR_TYPE and ERROR_RECORD say what and where, until the next START or a reset.

PROGRAM_BYTES is checked at START; 0 is a program that ends at once. What stops a run:

| cause | ERROR_TYPE | SUBTYPE of the notification |
|---|---|---|
| an opcode that does not exist, or that nobody has registered | SEQUENCER_FATAL | BAD_OPCODE |
| an integer division by zero | SEQUENCER_FATAL | INT_DIVIDE_BY_ZERO |
| a record that a predicate refuses, an operand, branch or pointer that leads nowhere, what is not modelled | SEQUENCER_FATAL | ASSERT |
| a record, tensor, index or pointer in bytes that the memory refuses | MEMORY_ERROR | ASSERT |

The other values of ERROR_TYPE are never given. The record at fault leaves no trace, those before it are done.

```c
#include <dve/dve_registers.h>

static void dve_run(volatile unsigned *csr, unsigned program, unsigned bytes)
{
    csr[DVE_PROGRAM_BASE_LO_OFFSET / 4] = program;
    csr[DVE_PROGRAM_BASE_HI_OFFSET / 4] = 0;
    csr[DVE_PROGRAM_BYTES_OFFSET / 4] = bytes;
    csr[DVE_INTERRUPT_OFFSET / 4] = DVE_INTERRUPT_RUN_ENDED_MASK | DVE_INTERRUPT_FAULT_MASK;
    csr[DVE_INTERRUPT_ENABLE_OFFSET / 4] = DVE_INTERRUPT_RUN_ENDED_MASK;
    csr[DVE_START_OFFSET / 4] = DVE_START_PROGRAM;
}
```
"""
RING = """
## Instruction ring

The host writes records to the ring at RING_BASE and then moves RING_TAIL behind them: the doorbell. The engine
executes from RING_HEAD on, never fetches behind the tail, and wraps around at RING_BYTES. Head == tail is empty, so one
place always stays free. RING_HEAD moves when a record has been issued: its place is the host's again.

1. Set RING_BASE_LO, RING_BASE_HI (a multiple of 64) and RING_BYTES, which empties the ring. During a run of the ring,
   writes of the three answer an error.
2. Write START = 2, before or after the first doorbell. On an empty ring RUN_STATE becomes PAUSED without setting
   INTERRUPT.RING_EMPTY.
3. Write records and ring the doorbell as often as there is room. When the ring has run empty after at least one record
   of this run, and the last write is visible, RUN_STATE is PAUSED and INTERRUPT.RING_EMPTY is set; the next doorbell
   goes on.

INTERRUPT.RING_EMPTY is an edge like NOTIFICATION below: acknowledge it before the doorbell, not behind it.

HALT ends the run with the head behind it, a fault with the head at the record at fault. A doorbell while RUN_STATE is
IDLE, HALTED or FAULTED only moves the tail; START = 2 goes on from the head, behind a fault with the same record again.
A write of RING_BYTES empties the ring instead. A branch goes forward only, at most to the tail.
"""
NOTIFICATIONS = """
## Notification ring

The engine writes entries of {bytes} bytes through its `fetch` socket at NOTIFICATION_TAIL; the host reads them at
NOTIFICATION_HEAD and moves it. A ring of n entries holds n - 1: head == tail is empty. Entries are written by the
instruction NOTIFY, in program order and without waiting for earlier instructions, and by a fault, before
INTERRUPT.FAULT is set. If the ring is full, the new entry is dropped, never one that the host has not read; the same
holds if the memory answers an error. NOTIFICATIONS_LOST and INTERRUPT.NOTIFICATION_LOST count and report it, and the
next entry that is written carries an overflow bit.

1. Clear the entries in memory, set NOTIFICATION_BASE_LO, NOTIFICATION_BASE_HI (a multiple of 16) and
   NOTIFICATION_ENTRIES. PHASE starts again at 1 after a reset and after every write of NOTIFICATION_ENTRIES: entries
   that were not cleared would look new to a host that goes by PHASE.
2. Set NOTIFICATION_THRESHOLD and INTERRUPT_ENABLE.NOTIFICATION.

INTERRUPT.NOTIFICATION is an edge: it is set when an entry is written and the threshold is reached, and not again for
entries that lie there already. So acknowledge first, then drain, then sleep: an entry that comes after the
acknowledgement sets the cause again.

```c
#include <dve/dve_registers.h>

static void dve_notifications(volatile unsigned *csr, const volatile unsigned *ring, unsigned entries)
{{
    unsigned head = csr[DVE_NOTIFICATION_HEAD_OFFSET / 4];
    csr[DVE_INTERRUPT_OFFSET / 4] = DVE_INTERRUPT_NOTIFICATION_MASK; /* first */
    while (head != csr[DVE_NOTIFICATION_TAIL_OFFSET / 4]) {{
        const volatile unsigned *entry = ring + head * (DVE_NOTIFICATION_BYTES / 4);
        if ((entry[DVE_ENTRY_TYPE_WORD] & DVE_ENTRY_TYPE_MASK) >> DVE_ENTRY_TYPE_SHIFT == DVE_ENTRY_TYPE_TPB_ERROR) {{
            /* (entry[DVE_ENTRY_ID_WORD] & DVE_ENTRY_ID_MASK) is one of DVE_ERROR_TYPE_... */
        }}
        head = (head + 1) % entries;
        csr[DVE_NOTIFICATION_HEAD_OFFSET / 4] = head;
    }}
}}
```

| bits | field | meaning |
|---|---|---|
"""
COUNTERS = """
## Counters

64 bits in two words. A read of the low word keeps the high word that belongs to it: read low, then high. A debug read
keeps nothing. They count from the start of a run, can be read while it runs, hold after its end, and are 0 after a
reset and at the next start. Instructions, busy cycles, elements and stalls are those of retired instructions: cycle by
cycle, when their last write is visible; in the loose and approximate views when they are issued, with all the cycles
that they will take, so that BUSY may be above CYCLES while they do. At the end of a run all views say the same.

Loosely timed, the engine issues ahead of SystemC time by up to the global quantum (one microsecond without one) and the
instruction under way, and counts then. What is written to R[n] or FCR during a run reaches the records that have not
been issued ahead. CYCLES, RUN_STATE, ERROR_TYPE, RING_HEAD, INTERRUPT, semaphores and events are those of the moment.

| offset | counter | counts |
|---|---|---|
"""
BYTE_MAP = """
## Byte map

The `memory` socket, and the addresses in R[]. Byte b of partition p lies at base + p x stride + b; there are
{partitions} partitions. Bytes between a partition's size and the stride answer TLM_ADDRESS_ERROR_RESPONSE. Records of
the instruction stream have {record} bytes.

| generation | SBUF base | stride | bytes of a partition | PSUM base | stride | bytes of a partition |
|---|---|---|---|---|---|---|
"""
RESET = """
## Reset

RESET and a falling edge of `reset_n` act at any moment, also in the middle of an instruction, a wait or a fetch. All
state is as after power-on, but SBUF and PSUM keep their bytes: those that an unfinished instruction has written
stay written. Direct memory access is withdrawn and can be asked for again. A fetch or notification that the memory
has not answered yet is not broken off; the next run can be started at once and begins when the answer is there.
"""


def words(table):
    text = "\n## Words\n\n| offset | register | access | reset | meaning |\n|---|---|---|---|---|\n"
    for r in table.registers:
        text += f"| 0x{r.offset:04X} | {r.name} | {ACCESS[r.access]} | 0x{r.reset:X} | {r.what} |\n"
    text += "\n## Fields and values\n\n| register | bits | field | meaning |\n|---|---|---|---|\n"
    for r in table.registers:
        for name, first, bits, what in r.fields:
            text += f"| {r.name} | {bit_range(first, bits)} | {name} | {what} |\n"
    text += "\n| register | value | name | meaning |\n|---|---|---|---|\n"
    for r in table.registers:
        for name, value, what in r.values:
            text += f"| {r.name} | {value if value < 256 else f'0x{value:X}'} | {name} | {what} |\n"
    text += "\n## Windows\n\nWord n at offset + 4n.\n\n| offset | words | window | access | meaning |\n|---|---|---|---|---|\n"
    for name, offset, count, access, what in table.windows:
        text += f"| 0x{offset:04X} | {count} | {name} | {ACCESS[access]} | {what} |\n"
    return text


def notifications(table):
    text = NOTIFICATIONS.format(bytes=table.entry_bytes)
    for name, first, bits, what in table.entry:
        text += f"| {bit_range(first, bits)} | {name} | {what} |\n"
    text += "\n| TYPE | | bits | holds | meaning |\n|---|---|---|---|---|\n"
    for kind, value in table.types:
        for of, name, first, bits, what in table.parts:
            if of == kind:
                text += f"| 0x{value:02X} | {kind} | {bit_range(first, bits)} | {name} | {what} |\n"
    text += "\n| SUBTYPE | |\n|---|---|\n"
    for name, value in table.subtypes:
        text += f"| 0x{value:02X} | {name} |\n"
    return text


def byte_map(table):
    text = BYTE_MAP.format(partitions=table.partitions, record=table.record_bytes)
    for name, sbuf, psum in table.generations:
        sbuf_cells = f"0x{sbuf.base:X} | 0x{sbuf.stride:X} | 0x{sbuf.bytes:X} ({sbuf.bytes // 1024} KiB)"
        where = f"0x{psum.base:X}" if psum.present else f"0x{psum.base:X}, only with `psum.enable`"
        text += f"| {name} | {sbuf_cells} | {where} | 0x{psum.stride:X} | 0x{psum.bytes:X} ({psum.bytes // 1024} KiB) |\n"
    return text


def counters(table):
    return COUNTERS + "".join(f"| 0x{offset:04X} | {name} | {what} |\n" for name, offset, what in table.counters)


def markdown(table: Table):
    return HEAD + words(table) + START + RING + notifications(table) + counters(table) + RESET + byte_map(table)
