#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts of the GPU delegate from what earlier processes saved: what each builds, and that all compute the same. The
driver's own cache is off.   warm_start_test.py TERN
Exit status 77: there is no engine whose programs can be saved."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TERN = sys.argv[1]
MODEL = 'demo/landscape.tflite'
PROCESSES = 10


def start(engine, folder, out, driver_keeps=False):
    """One process: its report and what it computed."""
    out.mkdir()
    # Mesa gives binaries only where it may keep things, so that it gets an empty folder each time.
    environment = {} if driver_keeps else {'POCL_KERNEL_CACHE': '0', 'MESA_SHADER_CACHE_DIR': str(out)}
    command = [TERN, 'run', MODEL, '--engine', engine, '--runs', '1', '--cache-dir', folder,
               '--report', out / 'report.json', '--output-dir', out]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return json.loads((out / 'report.json').read_text()), (out / '0.bin').read_bytes()


def check(engine, work):
    folder = work / 'cache'
    cold, wanted = start(engine, folder, work / 'cold')
    assert cold['texts_printed'] > 0 and cold['programs_compiled'] == cold['programs'], cold
    if not list(folder.iterdir()):
        return f'skipped: {engine} gives no binaries'
    warm, got = start(engine, folder, work / 'warm')
    assert warm['texts_printed'] == 0 and warm['programs_compiled'] == 0, warm
    assert warm['programs_loaded'] == warm['programs'] == cold['programs'], warm
    assert warm['plans_loaded'] == warm['partitions'] and got == wanted, warm
    for file in folder.iterdir():  # what another process damaged is there again afterwards
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    damaged, got = start(engine, folder, work / 'damaged')
    assert damaged['plans_loaded'] == 0 and got == wanted, damaged
    assert start(engine, folder, work / 'again')[0]['programs_compiled'] == 0
    check_at_once(engine, work, wanted)
    return f'{engine}: {warm["programs"]} programs'


def check_at_once(engine, work, wanted):
    """Ten processes begin in an empty folder at the same time, with what the driver keeps, for they build the same."""
    folder = work / 'shared'
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        all_of_them = list(pool.map(lambda i: start(engine, folder, work / f'shared{i}', driver_keeps=True), range(PROCESSES)))
    for report, got in all_of_them:
        assert got == wanted, report
    listed = subprocess.run([TERN, 'cache', 'check', '--cache-dir', str(folder)], capture_output=True, text=True, check=False)
    assert listed.returncode == 0, listed
    assert start(engine, folder, work / 'after')[0]['programs_compiled'] == 0


def main():
    done = []
    for engine in ('opencl', 'gles', 'vulkan'):
        found = subprocess.run([TERN, 'run', MODEL, '--engine', engine, '--runs', '1'], capture_output=True, text=True,
                               check=False)
        if found.returncode != 0:
            done.append(f'skipped: {engine}: {found.stderr.strip().splitlines()[-1]}')
            continue
        with tempfile.TemporaryDirectory() as folder:
            done.append(check(engine, pathlib.Path(folder)))
    print('\n'.join(done))
    return 77 if all(text.startswith('skipped') for text in done) else 0


if __name__ == '__main__':
    sys.exit(main())
