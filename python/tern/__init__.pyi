# SPDX-License-Identifier: Apache-2.0
from tern.commands import advise as advise, devices as devices
from tern.delegate import Delegate as Delegate, GpuDelegate as GpuDelegate, gpu_delegate as gpu_delegate, load_delegate as load_delegate
from tern.interpreter import Interpreter as Interpreter, OpResolverType as OpResolverType, SignatureRunner as SignatureRunner
from tern.measure import benchmark as benchmark, explain as explain

__all__: list[str]
__version__: str
