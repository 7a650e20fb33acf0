# SPDX-License-Identifier: Apache-2.0
"""Memory and threads: nothing is leaked, and Python goes on while a model runs."""
import gc
import pathlib
import threading

import numpy as np
import pytest

import tern

CYCLES = 10000


def resident_bytes():
    pages = int(pathlib.Path('/proc/self/statm').read_text().split()[1])
    return pages * 4096


def one_cycle(path, content, value, number):
    interpreter = tern.Interpreter(model_content=content) if number % 2 else tern.Interpreter(path)
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, value)
    interpreter.tensor(1)()[...] = value
    interpreter.invoke()
    assert interpreter.get_tensor(2)[0, 0] == 2 * value[0, 0]
    interpreter.get_signature_runner('square')(x=value)
    with pytest.raises(ValueError):
        interpreter.set_tensor(0, None)


def growth(cycle, count):
    """Objects and resident bytes that this many cycles leave: the minimum of three rounds, since a leak shows in each."""
    rounds = []
    for _ in range(3):
        gc.collect()
        objects, resident = len(gc.get_objects()), resident_bytes()
        for number in range(count):
            cycle(number)
        gc.collect()
        rounds.append((len(gc.get_objects()) - objects, resident_bytes() - resident))
    return [min(values) for values in zip(*rounds)]


def test_ten_thousand_cycles_leak_nothing(model):
    path = model('signatures')
    content = pathlib.Path(path).read_bytes()
    value = np.ones((1, 2), np.float32)

    def cycle(number):
        one_cycle(path, content, value, number)

    for number in range(1000):
        cycle(number)
    objects, resident = growth(cycle, CYCLES)
    # A leak of one small tensor per cycle would be ten times as much.
    assert objects < 100 and resident < CYCLES * 64


def test_delegates_leak_nothing(gpu, landscape):
    def cycle(_):
        interpreter = tern.Interpreter(landscape, experimental_delegates=[tern.gpu_delegate(tern_plan_only=1)])
        interpreter.allocate_tensors()

    for number in range(30):
        cycle(number)
    objects, resident = growth(cycle, 100)
    assert objects < 50 and resident < 100 * 5000


def test_python_goes_on_while_a_model_runs(landscape):
    interpreter = tern.Interpreter(landscape, experimental_op_resolver_type=tern.OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    refused = []
    stop = threading.Event()

    def watch():
        while not stop.is_set():
            try:
                interpreter.get_tensor(0)
            except RuntimeError as error:
                refused.append(str(error))

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(200):
        try:
            interpreter.invoke()
        except RuntimeError as error:
            refused.append(str(error))
        if refused:
            break
    stop.set()
    watcher.join()
    # Only while invoke() works without the lock does the other thread find the interpreter at work.
    assert refused and set(refused) == {'The interpreter is at work in another thread.'}


def test_threads_have_interpreters_of_their_own(landscape):
    content = pathlib.Path(landscape).read_bytes()
    image = np.random.default_rng(4).uniform(0, 1, (1, 240, 320, 3)).astype(np.float32)
    results = {}

    def work(number):
        interpreter = tern.Interpreter(model_content=content)
        interpreter.allocate_tensors()
        interpreter.set_tensor(0, image)
        for _ in range(5):
            interpreter.invoke()
        results[number] = interpreter.get_tensor(22)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and all(np.array_equal(results[0], result) for result in results.values())
