# SPDX-License-Identifier: Apache-2.0
"""The Signal* operations beside those of the real TensorFlow Lite Micro.

Usage: signal_test.py C_LIBRARY WORK_FOLDER

Runs one-op models and, where $TERN_SHARED has them, the audio preprocessors in both: integers must
have the same bits, run by run. The rest is said in micro.py.
"""
import wave

import micro
from micro import BOOL, FLOAT32, INT16, INT32, INT8, UINT32, UINT64


class SignalChecks:
    """Of one-op models."""

    def __init__(self, checks):
        self.compare = checks.compare

    def op(self, op, options, inputs, outputs, feeds, **how):
        def set_op(schema, code, node):
            from flatbuffers import flexbuffers
            import numpy as np
            code.customCode, code.version = f'Signal{op}', 1
            code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
            flex = flexbuffers.Builder()
            with flex.Map():
                for key, value in options.items():
                    (flex.Bool if isinstance(value, bool) else flex.Int)(key, value)
            node.customOptions = np.frombuffer(bytes(flex.Finish()), np.uint8)
        self.compare(f'Signal{op} {options}', micro.one_op(set_op, inputs, outputs),
                     [kind for kind, _ in outputs], feeds, **how)


class Values:
    """Numbers of all sizes."""

    def __init__(self):
        import numpy as np
        self.np, self.random = np, np.random.default_rng(7)

    def int16(self, *shape):
        return self.random.integers(-32767, 32768, shape).astype(self.np.int16)

    def int32(self, *shape):
        return self.random.integers(-2**31, 2**31, shape).astype(self.np.int32)

    def float32(self, *shape):
        return self.random.normal(0, 1, shape).astype(self.np.float32)

    def unsigned(self, bits, count):
        np = self.np
        whole = self.random.integers(0, 2**bits - 1, count, dtype=np.uint64)
        shifts = self.random.integers(0, bits, count).astype(np.uint64)
        return (whole >> shifts).astype(np.uint32 if bits == 32 else np.uint64)


def check_transforms(checks, values):
    for length in (4, 6, 8, 10, 12, 18, 20, 30, 32, 60, 64, 90, 100, 128, 250, 480, 486, 512, 1024):
        for kind, made in ((INT16, values.int16), (INT32, values.int32), (FLOAT32, values.float32)):
            options = {'T': kind, 'fft_length': length}
            how = {'tolerance': 1e-6 if kind == FLOAT32 else 0}
            frame, spectrum = [2, length - 3], [2, length + 2]
            checks.op('Rfft', options, [(kind, frame, None)], [(kind, spectrum)],
                      [[made(*frame)] for _ in range(5)], **how)
            checks.op('Irfft', options, [(kind, spectrum, None)], [(kind, [2, length])],
                      [[made(*spectrum)] for _ in range(5)], **how)


def check_filter_bank(checks, values):
    lists = [values.int16(32), values.int16(32), [0, 3, 5, 9, 9, 14, 20, 25],
             [0, 4, 8, 12, 16, 20, 24, 28], [3, 4, 4, 0, 4, 4, 4, 4]]
    checks.op('FilterBank', {'num_channels': 7},
              [(UINT32, [30], None)] + [(INT16, [len(v)], v) for v in lists], [(UINT64, [7])],
              [[values.unsigned(32, 30)] for _ in range(20)])
    for bits in (0, 5, 31):
        checks.op('FilterBankSquareRoot', {}, [(UINT64, [300], None), (INT32, [], bits)],
                  [(UINT32, [300])], [[values.unsigned(64, 300)] for _ in range(20)])
    for bits in (0, 3, 31):
        for scale in (1, 64, 1600, 2**31 - 1):
            checks.op('FilterBankLog', {'input_correction_bits': bits, 'output_scale': scale},
                      [(UINT32, [300], None)], [(INT16, [300])],
                      [[values.unsigned(32, 300)] for _ in range(20)])
    for clamping in (False, True):
        for bits, parts in ((10, 14), (0, 14), (5, 10)):
            one = 1 << parts
            checks.op('FilterBankSpectralSubtraction',
                      {'alternate_one_minus_smoothing': one - one // 16,
                       'alternate_smoothing': one // 16, 'clamping': clamping,
                       'min_signal_remaining': one // 20, 'num_channels': 21,
                       'one_minus_smoothing': one - one // 40, 'smoothing': one // 40,
                       'smoothing_bits': bits, 'spectral_subtraction_bits': parts},
                      [(UINT32, [21], None)], [(UINT32, [21]), (UINT32, [21])],
                      [[values.unsigned(32, 21)] for _ in range(40)], reset_at=17)
    for shift in (0, 6, 40):
        checks.op('PCAN', {'snr_shift': shift},
                  [(UINT32, [60], None), (UINT32, [60], None), (INT16, [125], values.int16(125))],
                  [(UINT32, [60])],
                  [[values.unsigned(32, 60), values.unsigned(32, 60)] for _ in range(20)])


def check_samples(checks, values):
    for shift in (0, 12, 31):
        checks.op('Window', {'shift': shift},
                  [(INT16, [2, 30], None), (INT16, [30], values.int16(30))], [(INT16, [2, 30])],
                  [[values.int16(2, 30)] for _ in range(20)])
    checks.op('FftAutoScale', {}, [(INT16, [50], None)], [(INT16, [50]), (INT32, [])],
              [[values.int16(50) >> shift] for shift in range(16)])
    checks.op('Energy', {'start_index': 0, 'end_index': 30}, [(INT16, [60], None)],
              [(UINT32, [30])], [[values.int16(60)] for _ in range(10)])
    for delay in (0, 3, 10, 25):
        checks.op('Delay', {'delay_length': delay}, [(INT16, [2, 3, 10], None)],
                  [(INT16, [2, 3, 10])], [[values.int16(2, 3, 10)] for _ in range(12)], reset_at=7)
    for size, step, count in ((400, 160, 160), (5, 2, 2), (5, 2, 6), (4, 4, 8), (3, 4, 8)):
        for prefill in ((False, True) if size >= step else (False,)):
            checks.op('Framer', {'frame_size': size, 'frame_step': step, 'prefill': prefill},
                      [(INT16, [2, count], None)], [(INT16, [2, count // step, size]), (BOOL, [])],
                      [[values.int16(2, count)] for _ in range(12)], reset_at=6, valid=1)
    for left, right, step in ((0, 0, 1), (2, 1, 1), (2, 1, 2), (1, 1, 3), (3, 0, 1), (0, 4, 2)):
        checks.op('Stacker', {'num_channels': 4, 'stacker_left_context': left,
                              'stacker_right_context': right, 'stacker_step': step},
                  [(INT16, [4], None)], [(INT16, [4 * (left + right + 1)]), (BOOL, [])],
                  [[values.int16(4)] for _ in range(24)], reset_at=11, valid=1)
    for kind, made in ((INT16, values.int16), (FLOAT32, values.float32)):
        for frames, size, step in ((1, 5, 2), (3, 5, 2), (2, 8, 8), (1, 512, 160)):
            checks.op('OverlapAdd', {'T': kind, 'frame_step': step},
                      [(kind, [2, frames, size], None)], [(kind, [2, frames * step])],
                      [[made(2, frames, size)] for _ in range(12)], reset_at=5)


def check_preprocessors(checks, values):
    shared = micro.shared_folder()
    np = values.np
    time = np.arange(16000) / 16000
    signals = {'a sine and noise': (8000 * np.sin(2 * np.pi * 440 * time) +
                                    values.random.normal(0, 300, 16000)).astype(np.int16),
               'noise': values.int16(16000), 'hiss': values.int16(16000) >> 13,
               'silence': np.zeros(4000, np.int16)}
    for path in sorted((shared / 'media').glob('*.wav')):
        with wave.open(str(path)) as file:
            signals[path.name] = np.frombuffer(file.readframes(file.getnframes()), np.int16)
    for name, kind in (('float', FLOAT32), ('int8', INT8)):
        path = shared / 'models' / f'audio_preprocessor_{name}.tflite'
        if not path.exists():
            print(f'skipped: no {path}')
            continue
        for text, samples in signals.items():
            frames = [[samples[i:i + 480].reshape(1, 480)] for i in range(0, len(samples) - 480, 320)]
            checks.compare(f'{path.name}, {text}', path.read_bytes(), [kind], frames)


def check(all_checks):
    checks, values = SignalChecks(all_checks), Values()
    check_transforms(checks, values)
    check_filter_bank(checks, values)
    check_samples(checks, values)
    check_preprocessors(checks, values)


if __name__ == '__main__':
    micro.run(__file__, check)
