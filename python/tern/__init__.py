# SPDX-License-Identifier: Apache-2.0
"""Runs .tflite models on the CPU and on GPUs, by the programming interface of tflite_runtime and ai_edge_litert."""
from tern.commands import advise, devices
from tern.delegate import Delegate, GpuDelegate, gpu_delegate, load_delegate
from tern.interpreter import Interpreter, OpResolverType, SignatureRunner
from tern.measure import benchmark, explain

__all__ = ['Delegate', 'GpuDelegate', 'Interpreter', 'OpResolverType', 'SignatureRunner', 'advise', 'benchmark', 'devices',
           'explain', 'gpu_delegate', 'load_delegate']
__version__ = '0.1.0'
