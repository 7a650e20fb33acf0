# SPDX-License-Identifier: Apache-2.0
import os
from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import ArrayLike

from tern.delegate import Delegate

def explain(model: str | bytes | os.PathLike[str], device: str = 'gles-min', precision: str = 'f32',
            max_partitions: int | None = None, **options: Any) -> dict[str, Any]: ...
def benchmark(model: str | bytes | os.PathLike[str], num_threads: int = 1, delegates: Iterable[Delegate] = (),
              runs: int = 50, warmup: int = 5, inputs: Sequence[ArrayLike] | None = None,
              engine: str = 'cpu') -> dict[str, Any]: ...
