"""Runs random legal programs through dve-sim and the oracle and compares all memory byte for byte."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    sys.exit(f'{sys.executable} has no numpy; install it (Debian: python3-numpy)')

from dve_oracle import PROFILES, Oracle, OracleError
from number_formats import ELEMENT_BYTES
from random_programs import ProgramGenerator

SIMULATION_TIMEOUT_SECONDS = 60


def make_oracle(program):
    parameters = dict(PROFILES[program.semantics], **program.overrides)
    return Oracle(program.generation, parameters, program.sbuf, program.sbuf_first_byte, program.psum,
                  program.psum_first_byte, program.registers, program.semaphores)


def areas_of(program):
    areas = [('sbuf', program.sbuf_first_byte, program.sbuf)]
    if program.psum is not None:
        areas.append(('psum', program.psum_first_byte, program.psum))
    return areas


def command_line(simulator, program, records, directory, timing):
    """Writes the input files and gives the dve-sim command that runs them."""
    program_file = os.path.join(directory, 'program.bin')
    with open(program_file, 'wb') as file:
        file.write(records)
    command = [simulator, 'run', program_file, '-q', '--gen', program.generation, '--semantics', program.semantics,
               '--timing', timing]
    for name, value in program.overrides.items():
        command += ['--set', f'{name}={value:#x}' if name == 'crc32.polynomial' else f'{name}={value}']
    for number, value in program.registers.items():
        command += ['--reg', f'{number}={value}']
    for index, value in program.semaphores.items():
        command += ['--sem', f'{index}={value}']
    for space, first_byte, image in areas_of(program):
        loaded, dumped = os.path.join(directory, f'{space}_in.npy'), os.path.join(directory, f'{space}_out.npy')
        numpy.save(loaded, image)
        shape = 'x'.join(map(str, image.shape))
        command += ['--load', f'{space}:0:{first_byte:#x}={loaded}', '--dump', f'{space}:0:{first_byte:#x}:{shape}:uint8={dumped}']
    return command


def simulate(simulator, program, records, directory, timing):
    """The dumped areas by name, or the text of what went wrong."""
    command = command_line(simulator, program, records, directory, timing)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SIMULATION_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return None, f'dve-sim still running after {SIMULATION_TIMEOUT_SECONDS} s'
    if done.returncode:
        return None, f'dve-sim exit {done.returncode}: {(done.stderr or done.stdout).strip()}'
    return {space: numpy.load(os.path.join(directory, f'{space}_out.npy')) for space, _, _ in areas_of(program)}, None


def disassemble(simulator, program, record, directory):
    path = os.path.join(directory, 'record.bin')
    with open(path, 'wb') as file:
        file.write(record)
    done = subprocess.run([simulator, 'disasm', '--gen', program.generation, path], capture_output=True, text=True)
    return ' '.join(line.strip() for line in done.stdout.splitlines() if line.strip()) or record.hex()


def result_bytes(record):
    """Element size of what a record writes."""
    at = {0x41: 13, 0x51: 13, 0x9B: 32, 0x9D: 41, 0x9E: 41, 0xE5: 41, 0xEA: 41}.get(record[0], 33)
    return ELEMENT_BYTES.get(record[at], 1)


def difference(simulated, expected):
    """(record that wrote last or -1, partition, byte in the area, space) of the first difference by
    that order, or None."""
    first = None
    for space, area in expected.items():
        partitions, columns = numpy.nonzero(simulated[space] != area.bytes)
        for partition, column in zip(partitions, columns):
            place = (int(area.writer[partition, column]), int(partition), int(column), space)
            first = place if first is None or place < first else first
    return first


def expected_areas(oracle):
    areas = {'sbuf': oracle.sbuf}
    if oracle.psum is not None:
        areas['psum'] = oracle.psum
    return areas


def run_prefix(simulator, program, length, directory, timing):
    """(problem, None) or (None, (simulated areas, expected areas)) after the first records."""
    records = program.records[:64 * length]
    oracle = make_oracle(program)
    try:
        oracle.run(records)
    except OracleError as error:
        return f'the oracle refuses the program: {error}', None
    simulated, problem = simulate(simulator, program, records, directory, timing)
    if problem:
        return problem, None
    return None, (simulated, expected_areas(oracle))


def check(simulator, program, directory, timing):
    """None if the two agree, else one line about the first record after which they do not."""
    total = len(program.records) // 64
    problem, outcome = run_prefix(simulator, program, total, directory, timing)
    if not problem and difference(*outcome) is None:
        return None
    for length in range(1, total + 1):
        problem, outcome = run_prefix(simulator, program, length, directory, timing)
        place = None if problem else difference(*outcome)
        if problem or place:
            break
    record = program.records[64 * (length - 1):64 * length]
    engine = ' '.join([program.generation, program.semantics] + [f'{name}={value}' for name, value in program.overrides.items()])
    start = f'seed {program.seed} ({engine}) record {length - 1}: '
    instruction = f' [{disassemble(simulator, program, record, directory)}]'
    if problem:
        return start + problem + instruction
    writer, partition, column, space = place
    simulated, expected = outcome
    size = result_bytes(record)
    column -= column % size
    model = simulated[space][partition, column:column + size][::-1].tobytes().hex()
    oracle = expected[space].bytes[partition, column:column + size][::-1].tobytes().hex()
    before = dict((name, image) for name, _, image in areas_of(program))[space]
    first_byte = program.sbuf_first_byte if space == 'sbuf' else program.psum_first_byte
    initially = before[partition, column:column + size][::-1].tobytes().hex()
    return (f'{start}{space} partition {partition} byte {first_byte + column:#x}: dve-sim 0x{model}, oracle 0x{oracle}'
            f' (initially 0x{initially}, last written by record {writer}){instruction}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--dve-sim', required=True, help='the simulator')
    parser.add_argument('--programs', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1, help='program i has seed SEED + i; one program alone: its seed and --programs 1')
    parser.add_argument('--timing', default='loose', help='timing to run with (default: loose)')
    parser.add_argument('--keep', metavar='DIR', help='keep program, inputs and command of every failure here')
    arguments = parser.parse_args()

    passed = failed = 0
    for seed in range(arguments.seed, arguments.seed + arguments.programs):
        program = ProgramGenerator(seed).generate()
        with tempfile.TemporaryDirectory(prefix='dve_oracle_') as directory:
            line = check(arguments.dve_sim, program, directory, arguments.timing)
            if line is None:
                passed += 1
                continue
            failed += 1
            print(line, flush=True)
            if arguments.keep:
                kept = os.path.join(arguments.keep, str(seed))
                shutil.rmtree(kept, ignore_errors=True)
                os.makedirs(kept)
                command = command_line(arguments.dve_sim, program, program.records, kept, arguments.timing)
                with open(os.path.join(kept, 'command'), 'w') as file:
                    file.write(' '.join(command) + '\n')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
