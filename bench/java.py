#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A float model through Java beside the same through C++, in turns on one machine.

java.py BUILD_FOLDER MODEL [--threads N] [--rounds N] [--runs N]

Java is Interpreter.run with direct buffers, copies of input and output included; C++ is Invoke alone (bench/c_api_run.cc).
Each round times both, one after the other; the medians over the rounds are shown."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


class Java:
    """One JVM for all rounds, so that its compiler is done after the first of them."""

    def __init__(self, build, model, threads):
        jar = next((build / 'java/tensorflow-lite').glob('tensorflow-lite-*.jar'), None)
        if jar is None:
            sys.exit(f'no jar in {build}/java/tensorflow-lite: ./dev java builds it')
        self.process = subprocess.Popen(['java', '-cp', str(jar), str(HERE / 'JavaRun.java'), model, str(threads)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def medians_ms(self, runs):
        """Of whole calls, and of the runtime's part of them."""
        self.process.stdin.write(f'{runs}\n')
        self.process.stdin.flush()
        return tuple(map(float, self.process.stdout.readline().split()))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def native_median_ms(build, model, threads, runs):
    command = [build / 'bin/c_api_run', build / 'lib/libtensorflowlite_c.so', model, '--threads', threads, '--runs', runs]
    return json.loads(subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout)['median_ms']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('model')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=21)
    parser.add_argument('--runs', type=int, default=15)
    arguments = parser.parse_args()
    java = Java(arguments.build, arguments.model, arguments.threads)
    java.medians_ms(arguments.runs)
    rounds = []
    for _ in range(arguments.rounds):
        native = native_median_ms(arguments.build, arguments.model, arguments.threads, arguments.runs)
        rounds.append((native, *java.medians_ms(arguments.runs)))
    java.close()
    native, whole, inside = map(statistics.median, zip(*rounds))
    beside_native = statistics.median(100 * (w / n - 1) for n, w, _ in rounds)
    outside = statistics.median(100 * (w / i - 1) for _, w, i in rounds)
    print(f'{pathlib.Path(arguments.model).name}, {arguments.threads} threads, {arguments.rounds} rounds of {arguments.runs}\n'
          f'C++ {native:.3f} ms, Java {whole:.3f} ms of which the runtime {inside:.3f} ms\n'
          f'Java beside C++ {beside_native:+.1f} %, around the runtime {outside:+.1f} %')


if __name__ == '__main__':
    main()
