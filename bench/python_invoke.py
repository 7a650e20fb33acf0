# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of `invoke` through Python: python_invoke.py C_API_RUN LIBRARY PACKAGE_FOLDER MODEL [ROUNDS [RUNS]]

In each round a process in C++ and one in Python run the model over the same library, 1 thread, one after the other; the
ratio of their medians is taken within the round, and the median over the rounds counts.
"""
import json
import os
import statistics
import subprocess
import sys

IN_PYTHON = '''
import json, sys, tern
print(json.dumps(tern.benchmark(sys.argv[1], num_threads=1, runs=int(sys.argv[2]))))
'''


def measured(command, **more):
    run = subprocess.run(command, check=True, capture_output=True, text=True, **more)
    return json.loads(run.stdout)['median_ms']


def main():
    runner, library, packages, model = sys.argv[1:5]
    rounds, runs = (int(text) for text in (sys.argv[5:] + ['9', '60'][len(sys.argv) - 5:]))
    environment = {**os.environ, 'PYTHONPATH': packages}
    ratios, native, python = [], [], []
    for number in range(rounds):
        pair = [lambda: measured([runner, library, model, '--threads', '1', '--runs', str(runs)]),
                lambda: measured([sys.executable, '-c', IN_PYTHON, model, str(runs)], env=environment)]
        first = number % 2  # who begins may find the processor warmer
        times = {first: pair[first](), 1 - first: pair[1 - first]()}
        native.append(times[0])
        python.append(times[1])
        ratios.append(times[1] / times[0])
    print(f'{os.path.basename(model)}: C++ {statistics.median(native):.3f} ms, Python {statistics.median(python):.3f} '
          f'ms, ratio {statistics.median(ratios):.3f} (rounds {min(ratios):.3f} to {max(ratios):.3f})')


if __name__ == '__main__':
    main()
