# SPDX-License-Identifier: Apache-2.0
"""Whole models: our engines against the reference runtime's Python package.

Every round runs all peers one after the other, each in a process of its own, so that a busy moment of
the machine meets all of them; what counts is the median over the rounds of the ratios within a round.
A short round before them finds what nothing cached costs, and how many runs fit into the time of a round.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

PEERS = ["reference:1", "reference:2", "cpu:1", "cpu:2", "opencl", "gles"]
BASE = "reference:2"
MARKED = "mobilenet_v1_1.0_224"  # the model that the goals speak of
GOALS = {"opencl": 1.6, "cpu:2": 1.3}  # a peer's time over that of BASE
GLES_GOAL_MS = 200  # or GLES_GOAL_RATIO times OpenCL, whichever is longer
GLES_GOAL_RATIO = 40
PROGRAM_GOAL = 8
SHORT_RUNS = 3
ROUND_MS = 1500  # of one peer

REFERENCE = r"""
import sys, time, json
import numpy as np
from ai_edge_litert.interpreter import Interpreter
model, threads, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
start = time.perf_counter()
engine = Interpreter(model_path=model, num_threads=threads)
engine.allocate_tensors()
init = time.perf_counter() - start
rng = np.random.default_rng(1)
for d in engine.get_input_details():
    kind = np.dtype(d["dtype"])
    data = rng.random(d["shape"]) if kind.kind == "f" else rng.integers(0, 100, d["shape"])
    engine.set_tensor(d["index"], data.astype(kind))
times = []
for i in range(runs + 1):
    start = time.perf_counter()
    engine.invoke()
    times.append((time.perf_counter() - start) * 1e3)
times = sorted(times[1:])
print(json.dumps({"init_ms": init * 1e3, "median_ms": times[len(times) // 2]}))
"""


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "failed"


def run_reference(python, model, threads, runs):
    if python is None:
        raise RuntimeError("no reference package here")
    done = subprocess.run([python, "-c", REFERENCE, model, threads, str(runs)],
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(last_line(done.stderr))
    return json.loads(last_line(done.stdout))


def run_tern(tern, model, engine, runs, cache):
    name, _, threads = engine.partition(":")
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [tern, "run", model, "--engine", name, "--runs", str(runs + 1), "--report", report.name]
        if threads:
            command += ["--threads", threads]
        environment = dict(os.environ, POCL_CACHE_DIR=cache, MESA_SHADER_CACHE_DIR=cache)
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
        if done.returncode != 0:
            raise RuntimeError(last_line(done.stderr + done.stdout))
        return json.load(open(report.name))


def measure(args, model, cache):
    """Per peer its reports of all rounds, or why it could not run; and the reports of the short round."""
    results = {peer: [] for peer in PEERS}
    failed = {}
    first = {}

    def run(peer, runs):
        if peer.startswith("reference"):
            return run_reference(args.python, model, peer[-1], runs)
        return run_tern(args.tern, model, peer, runs, cache)

    for round_number in range(args.rounds + 1):
        for peer in PEERS:
            if peer in failed:
                continue
            try:
                if round_number == 0:
                    first[peer] = run(peer, SHORT_RUNS)
                else:
                    fitting = int(ROUND_MS / max(first[peer]["median_ms"], 1e-3))
                    results[peer].append(run(peer, min(max(fitting, SHORT_RUNS), args.runs)))
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                failed[peer] = str(error)
    return results, failed, first


class Table:
    """The rounds of one model."""

    def __init__(self, results, failed):
        self.failed = failed
        self.times = {peer: [r["median_ms"] for r in rounds] for peer, rounds in results.items()
                      if peer not in failed}
        self.init = {peer: statistics.median(r["init_ms"] for r in rounds)
                     for peer, rounds in results.items() if peer not in failed}

    def ratios(self, peer, base):
        """Sorted; empty where one of both is missing."""
        return sorted(t / b for t, b in zip(self.times.get(peer, []), self.times.get(base, [])))

    def print(self):
        print(f"  {'engine':<14}{'init ms':>10}{'median ms':>12}{'min':>9}{'max':>9}{'/ ' + BASE:>16}{'min':>7}{'max':>7}")
        for peer in PEERS:
            if peer in self.failed:
                print(f"  {peer:<14}not run: {self.failed[peer]}")
                continue
            times = self.times[peer]
            line = (f"  {peer:<14}{self.init[peer]:>10.1f}{statistics.median(times):>12.2f}"
                    f"{min(times):>9.2f}{max(times):>9.2f}")
            ratios = self.ratios(peer, BASE)
            if ratios:
                line += f"{statistics.median(ratios):>16.2f}{ratios[0]:>7.2f}{ratios[-1]:>7.2f}"
            print(line)


def verdict(fine):
    return "ok" if fine else "MISSED"


def marks(name, table, first):
    """The goals of the marked model, one line each, judged or with the reason why not."""
    for peer, goal in GOALS.items():
        ratios = table.ratios(peer, BASE)
        if ratios:
            ratio = statistics.median(ratios)
            yield f"{name} on {peer}, {ratio:.2f} x {BASE} (goal {goal}): {verdict(ratio <= goal)}"
        else:
            yield f"{name} on {peer}: not judged, {table.failed.get(peer) or table.failed[BASE]}"
    if "opencl" in first:
        programs = first["opencl"]["programs"]
        yield f"{name}, {programs} programs built (goal {PROGRAM_GOAL}): {verdict(programs <= PROGRAM_GOAL)}"
    if "gles" in table.times:
        took = statistics.median(table.times["gles"])
        ratios = table.ratios("gles", "opencl")
        ratio = statistics.median(ratios) if ratios else float("inf")
        text = f", {ratio:.1f} x opencl" if ratios else ""
        yield (f"{name} on gles, {took:.0f} ms{text} (goal {GLES_GOAL_MS} ms or {GLES_GOAL_RATIO} x): "
               f"{verdict(took <= GLES_GOAL_MS or ratio <= GLES_GOAL_RATIO)}")
    else:
        yield f"{name} on gles: not judged, {table.failed['gles']}"


def report(model, results, failed, first):
    name = os.path.basename(model).removesuffix(".tflite")
    print(f"\n{name}")
    table = Table(results, failed)
    table.print()
    for peer in ("opencl", "gles"):
        if peer in first:
            cold = first[peer]
            print(f"  {peer}, nothing cached: init {cold['init_ms']:.0f} ms, first {cold['first_ms']:.0f} ms, "
                  f"{cold['programs']} programs, {cold['delegated']} of {cold['nodes']} nodes")
    if MARKED in name:
        for mark in marks(name, table, first):
            print(f"mark: {mark}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", help=".tflite files")
    parser.add_argument("--tern", required=True, help="the command line program")
    parser.add_argument("--python", help="a Python with the reference package")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=50, help="timed runs of one peer in a round, at most")
    args = parser.parse_args()
    for model in args.models:
        with tempfile.TemporaryDirectory() as cache:
            report(model, *measure(args, model, cache))


if __name__ == "__main__":
    main()
