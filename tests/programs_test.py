#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many programs a cold start builds and a run launches, counted from plans for an invented device."""
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'bench'))
from programs import launches_of, programs_of  # noqa: E402

TERN = sys.argv[1]
MODELS = pathlib.Path(os.environ.get('TERN_SHARED', ROOT.parent / 'shared')) / 'models'
DEMO = 7
MOST = {
    'derived_mobilenet_v1_1.0_224_float': 6,
    'deeplabv3_257_mv_gpu': 9,
    'face_detection_front': 10,
    'selfie_segmentation': 11,
    'pose_landmark_lite': 15,
    'palm_detection_lite': 12,
    'hand_landmark_lite': 11,
    'face_landmark': 9,
    'iris_landmark': 8,
    'yolox_nano_with_post_float32': 42,
}


class Programs(unittest.TestCase):
    def test_each_text_is_built_once(self):
        programs = programs_of(TERN, ROOT / 'demo/landscape.tflite')
        self.assertEqual(len(programs), len(set(programs)))
        self.assertGreater(len(programs), 1)
        self.assertLessEqual(len(programs), DEMO)

    def test_a_launch_needs_a_program(self):
        model = ROOT / 'demo/landscape.tflite'
        launches = launches_of(TERN, model)
        self.assertGreaterEqual(launches, len(programs_of(TERN, model)))
        self.assertLessEqual(launches, 9)

    def test_models(self):
        for name, most in MOST.items():
            with self.subTest(name):
                model = MODELS / f'{name}.tflite'
                if not model.exists():
                    self.skipTest(f'no {model} (set TERN_SHARED)')
                programs = programs_of(TERN, model)
                self.assertGreater(len(programs), 1)
                self.assertLessEqual(len(programs), most, sorted(kernel for kernel, _ in programs))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
