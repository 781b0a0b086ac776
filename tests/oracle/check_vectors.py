"""The oracle against published numbers: vectors of published_facts 6, conversion tables of 3.2 and 3.3."""

import struct
import sys
import unittest

try:
    import numpy
except ImportError:
    sys.exit(f'{sys.executable} has no numpy; install it (Debian: python3-numpy)')

from dve_oracle import PROFILES, Oracle
from number_formats import BF16, FP16, FP32, FP32R, FP8_EXP3, FP8_EXP4, FP8_EXP5, INT8, INT32, UINT8, from_fp32, to_fp32

SUBTRACT, ADD, MULT, MAX = 0x05, 0x04, 0x06, 0x08
SOURCE0, SOURCE1, RESULT = 0, 2048, 4096  # byte offsets in partition 0


def bits(value):
    return struct.unpack('<I', struct.pack('<f', value))[0]


def parameters_of(profile, **overrides):
    return dict(PROFILES[profile], **{name.replace('__', '.'): value for name, value in overrides.items()})


def oracle_with(parameters, first, second=()):
    sbuf = numpy.zeros((128, 8192), numpy.uint8)
    for at, values in ((SOURCE0, first), (SOURCE1, second)):
        raw = numpy.array(values, '<f4').view(numpy.uint8)
        sbuf[0, at:at + len(raw)] = raw
    return Oracle('mariana', parameters, sbuf, 0)


def result_of(oracle, count, dtype, at=RESULT):
    size = 4 if dtype in (FP32, INT32) else 2 if dtype == BF16 else 1
    raw = oracle.sbuf.bytes[0, at:at + count * size].copy().view(f'<u{size}')
    return to_fp32(raw, dtype, oracle.parameters).tolist()


def two_tensors(opcode, op0, op1, imm0, count, out_dtype=FP32, reverse=0, command=0):
    pattern = lambda byte: struct.pack('<I2h2H', byte, 1, 1, count, 1)
    return struct.pack('<BBBB8x12s12sBBBBBBBBB3x12sI', opcode, 16, 0, 0, pattern(SOURCE0), pattern(SOURCE1), op0, op1, reverse, 0,
                       FP32 | FP32 << 4, out_dtype, 1, FP32, command, pattern(RESULT), bits(imm0))


def tensor_scalar(op0, imm0, count, out_dtype):
    pattern = lambda byte: struct.pack('<I3h3H', byte, 1, 1, 1, count, 1, 1)
    return struct.pack('<BBBB8xB3x16sBBBBBBBBII16s', 0x43, 16, 0, 0, 0, pattern(SOURCE0), FP32, out_dtype, 1, 0, op0, 0, 0, 0,
                       bits(imm0), 0, pattern(RESULT))


def read_accumulator(byte, negated=0):
    return struct.pack('<BBBB8x16xIBBB9xIhH12x', 0x9B, 16, 0, 0, 1, FP32, negated, 1, byte, 1, 1)


def scan(parameters, op0, op1, first, second, initial, out_dtype=FP32, reverse=0):
    oracle = oracle_with(parameters, first, second)
    oracle.run(two_tensors(0xE5, op0, op1, initial, len(first), out_dtype, reverse))
    return result_of(oracle, len(first), out_dtype)


class DiscriminatingVectors(unittest.TestCase):
    def test_d1_multiply_add_scan(self):
        first, second = [.5] * 4, [1, 2, 3, 4]
        for order in ('sequential', 'rotate_combine'):
            published = parameters_of('published', scan__order=order)
            self.assertEqual(scan(published, MULT, ADD, first, second, 8), [5, 4.5, 5.25, 6.625])
            reference = parameters_of('reference', scan__order=order)
            self.assertEqual(scan(reference, MULT, ADD, first, second, 8), [5, 11, 18, 26])

    def test_d2_subtract_max_scan(self):
        first, second = [3, 1, 4, 1, 5], [0] * 5
        published = parameters_of('published')
        self.assertEqual(scan(published, SUBTRACT, MAX, first, second, 2), [1, 0, 4, 0, 5])
        self.assertEqual(scan(published, SUBTRACT, MAX, first, second, 2, reverse=1), [0, 0, 0, 0, 0])

    def test_d3_multiply_subtract_scan(self):
        for order in ('sequential', 'rotate_combine'):
            published = parameters_of('published', scan__order=order)
            self.assertEqual(scan(published, MULT, SUBTRACT, [1] * 3, [5] * 3, 1), [-4, -9, -14])
            self.assertEqual(scan(published, MULT, SUBTRACT, [1] * 3, [5] * 3, 1, reverse=2), [4, 1, 4])

    def test_d4_running_state_is_not_rounded_to_the_result(self):
        for profile in ('published', 'reference'):
            parameters = parameters_of(profile, scan__recurrence='carried')
            sums = scan(parameters, MULT, ADD, [1] * 300, [1] * 300, 0, out_dtype=BF16)
            self.assertEqual((sums[256], sums[258], sums[299]), (256, 260, 300))

    def test_d8_scalar_tensor_tensor_accumulates(self):
        program = b''.join([two_tensors(0x9D, MULT, ADD, 3, 2, command=3), read_accumulator(5000),
                            two_tensors(0x9D, MULT, ADD, 3, 2, command=2), read_accumulator(5004), read_accumulator(5008, negated=1)])
        for profile, stored in (('published', [13, 26]), ('reference', [0, 0])):
            oracle = oracle_with(parameters_of(profile), [1, 2], [10, 20])
            oracle.run(program)
            self.assertEqual(result_of(oracle, 2, FP32), stored)
            self.assertEqual(result_of(oracle, 3, FP32, 5000), [39, 78, -78])

    def test_d10_to_int8(self):
        values = [1.5, 2.5, -1.5, -0.6, 300, -300]
        for profile, expected in (('published', [2, 2, -2, -1, 127, -128]), ('reference', [1, 2, -1, 0, 127, -128])):
            oracle = oracle_with(parameters_of(profile), values)
            oracle.run(tensor_scalar(MULT, 1, len(values), INT8))
            self.assertEqual(result_of(oracle, len(values), INT8), expected)

    def test_d11_to_fp8_exp4(self):
        infinity = float('inf')
        for overrides, expected in (({}, [240, infinity]), ({'cast__overflow': 'saturate'}, [240, 240]),
                                    ({'fp8_exp4__variant': 'fn'}, [240, 256])):
            oracle = oracle_with(parameters_of('reference', **overrides), [247.9, 248])
            oracle.run(tensor_scalar(MULT, 1, 2, FP8_EXP4))
            self.assertEqual(result_of(oracle, 2, FP8_EXP4), expected)


class ConversionTables(unittest.TestCase):
    def assert_codes(self, dtype, pairs, parameters):
        values = numpy.array([value for value, _ in pairs], numpy.float32)
        self.assertEqual([hex(code) for code in from_fp32(values, dtype, parameters)], [hex(code) for _, code in pairs])

    def assert_integers(self, dtype, pairs):
        values = numpy.array([value for value, _ in pairs], numpy.float32)
        codes = from_fp32(values, dtype, parameters_of('published'))
        self.assertEqual(to_fp32(codes, dtype, parameters_of('published')).tolist(), [result for _, result in pairs])

    def test_integers(self):
        infinity = float('inf')
        self.assert_integers(INT8, [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (-2.5, -2), (126.5, 126), (127.4, 127),
                                    (127.5, 127), (128, 127), (infinity, 127), (-127.5, -128), (-128.5, -128), (-129, -128),
                                    (-infinity, -128)])
        self.assert_integers(UINT8, [(-1, 0), (-0.5, 0), (0.5, 0), (1.5, 2), (254.5, 254), (255.4, 255), (255.5, 255),
                                     (256, 255), (1e9, 255)])
        self.assertEqual(from_fp32(numpy.array([2.0 ** 31], numpy.float32), INT32, parameters_of('published')).tolist(), [2147483647])

    def test_fp16_and_bf16(self):
        reference = parameters_of('reference')
        self.assert_codes(FP16, [(65504, 0x7BFF), (65519.99, 0x7BFF), (65520, 0x7C00), (2.0 ** -14, 0x0400), (2.0 ** -24, 1),
                                 (2.0 ** -25, 0), (3 * 2.0 ** -25, 2), (float('-inf'), 0xFC00), (float('nan'), 0x7E00)], reference)
        self.assert_codes(BF16, [(1 + 2.0 ** -8, 0x3F80), (1 + 3 * 2.0 ** -8, 0x3F82), (3.4028235e38, 0x7F80), (3.3895314e38, 0x7F7F),
                                 (2.0 ** -133, 1), (float('nan'), 0x7FC0)], reference)

    def test_fp8(self):
        reference = parameters_of('reference')
        self.assert_codes(FP8_EXP4, [(0.1, 0x1D), (1.0625, 0x38), (1.1875, 0x3A), (240, 0x77), (247.9, 0x77), (248, 0x78),
                                     (2.0 ** -6, 0x08), (2.0 ** -9, 0x01), (float('nan'), 0x7C)], reference)
        fn = parameters_of('reference', fp8_exp4__variant='fn')
        self.assert_codes(FP8_EXP4, [(448, 0x7E), (464, 0x7E), (464.1, 0x7F), (float('inf'), 0x7F), (float('nan'), 0x7F)], fn)
        self.assert_codes(FP8_EXP4, [(464.1, 0x7E), (-1e9, 0xFE)], dict(fn, **{'cast.overflow': 'saturate'}))
        self.assert_codes(FP8_EXP5, [(0.1, 0x2E), (57344, 0x7B), (61439, 0x7B), (61440, 0x7C), (2.0 ** -14, 0x04), (2.0 ** -16, 0x01),
                                     (float('nan'), 0x7E)], reference)
        self.assert_codes(FP8_EXP3, [(0.1, 0x06), (15.5, 0x6F), (15.74, 0x6F), (15.75, 0x70), (0.25, 0x10), (2.0 ** -6, 0x01),
                                     (float('nan'), 0x78)], reference)

    def test_fp32r(self):
        reference = parameters_of('reference')
        self.assert_codes(FP32R, [(1 + 2.0 ** -11, 0x3F800000), (1 + 3 * 2.0 ** -11, 0x3F804000), (3.4028235e38, 0x7F800000),
                                  (float('nan'), 0x7FC00000)], reference)


if __name__ == '__main__':
    unittest.main()
