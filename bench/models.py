# SPDX-License-Identifier: Apache-2.0
"""Whole models: our CPU and OpenCL engines against the reference runtime's Python package.

Every round runs all peers one after the other, each in a process of its own, so that a busy moment of
the machine meets all of them; what counts is the median over the rounds of the ratios within a round.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

# A peer's time over that of the reference with two threads; None: only told.
MARKED = "mobilenet_v1_1.0_224"  # the model that the goals speak of
GOALS = {(MARKED, "opencl"): 1.6, (MARKED, "cpu:2"): 1.3}
PROGRAM_GOAL = 8

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
for i in range(runs + 5):
    start = time.perf_counter()
    engine.invoke()
    times.append((time.perf_counter() - start) * 1e3)
times = sorted(times[5:])
print(json.dumps({"init_ms": init * 1e3, "median_ms": times[len(times) // 2]}))
"""


def run_reference(python, model, threads, runs):
    done = subprocess.run([python, "-c", REFERENCE, model, str(threads), str(runs)],
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "failed")
    return json.loads(done.stdout.strip().splitlines()[-1])


def run_tern(tern, model, engine, runs, cache):
    name, _, threads = engine.partition(":")
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [tern, "run", model, "--engine", name, "--runs", str(runs + 5), "--report", report.name]
        if threads:
            command += ["--threads", threads]
        environment = dict(os.environ)
        if cache is not None:
            environment["POCL_CACHE_DIR"] = cache
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
        if done.returncode != 0:
            lines = (done.stderr + done.stdout).strip().splitlines()
            raise RuntimeError(lines[-1] if lines else "failed")
        return json.load(open(report.name))


def ratio_mark(model, peer, ratio):
    for (part, engine), goal in GOALS.items():
        if part in model and engine == peer:
            return f"goal {goal}: " + ("ok" if ratio <= goal else "MISSED")
    return ""


def measure(args, model, cache):
    peers = ["reference:1", "reference:2", "cpu:1", "cpu:2", "opencl"]
    results = {peer: [] for peer in peers}
    failed = {}
    cold = None
    for round_number in range(args.rounds):
        for peer in peers:
            if peer in failed:
                continue
            try:
                if peer.startswith("reference"):
                    if args.python is None:
                        raise RuntimeError("no reference package here")
                    got = run_reference(args.python, model, int(peer[-1]), args.runs)
                else:
                    got = run_tern(args.tern, model, peer, args.runs, cache)
                    if peer == "opencl" and round_number == 0:
                        cold = got
                results[peer].append(got)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                failed[peer] = str(error)
    return results, failed, cold


def report(model, results, failed, cold):
    name = os.path.basename(model).removesuffix(".tflite")
    marks = []
    print(f"\n{name}")
    print(f"  {'engine':<14}{'init ms':>10}{'median ms':>12}{'/ reference:2':>16}")
    base = [r["median_ms"] for r in results["reference:2"]]
    for peer, rounds in results.items():
        if peer in failed:
            print(f"  {peer:<14}not run: {failed[peer]}")
            continue
        times = [r["median_ms"] for r in rounds]
        init = statistics.median(r["init_ms"] for r in rounds)
        line = f"  {peer:<14}{init:>10.1f}{statistics.median(times):>12.2f}"
        if base and len(base) == len(times):
            ratio = statistics.median(t / b for t, b in zip(times, base))
            line += f"{ratio:>16.2f}"
            mark = ratio_mark(name, peer, ratio)
            if mark:
                marks.append(f"mark: {name} on {peer} at {ratio:.2f} x the reference ({mark})")
        print(line)
    if cold is not None and "opencl" not in failed:
        print(f"  opencl, nothing cached: init {cold['init_ms']:.0f} ms, first {cold['first_ms']:.0f} ms, "
              f"{cold['programs']} programs, {cold['delegated']} of {cold['nodes']} nodes")
        if MARKED in name:
            fine = cold["programs"] <= PROGRAM_GOAL
            marks.append(f"mark: {name} builds {cold['programs']} programs "
                         f"(goal {PROGRAM_GOAL}: {'ok' if fine else 'MISSED'})")
    for mark in marks:
        print(mark)
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", help=".tflite files")
    parser.add_argument("--tern", required=True, help="the command line program")
    parser.add_argument("--python", help="a Python with the reference package")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=50, help="timed runs per round")
    args = parser.parse_args()
    for model in args.models:
        with tempfile.TemporaryDirectory() as cache:
            report(model, *measure(args, model, cache))


if __name__ == "__main__":
    main()
