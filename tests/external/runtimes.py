# SPDX-License-Identifier: Apache-2.0
"""Other runtimes, each in a virtual environment of its own, for the tests beside this file."""
import os
import subprocess
import sys

SKIPPED = 77


def skip(reason):
    print(f'skipped: {reason}')
    sys.exit(SKIPPED)


def python_with(folder, variable, wheels, try_import, *pip_flags):
    """A Python that can run the statement `try_import`: the one that the environment variable names,
    or one in `folder`, made with these wheels where it is not there yet. Skips where it cannot be had."""
    given = os.environ.get(variable)
    if given:
        return given
    python = folder / 'bin' / 'python'
    try_it = [str(python), '-c', try_import]
    if python.exists() and subprocess.run(try_it, capture_output=True).returncode == 0:
        return str(python)
    folder.parent.mkdir(parents=True, exist_ok=True)
    install = [str(python), '-m', 'pip', 'install', '-q', '--retries', '1', *pip_flags, *wheels]
    for step in ([sys.executable, '-m', 'venv', '--clear', str(folder)], install, try_it):
        try:
            done = subprocess.run(step, capture_output=True, text=True, timeout=600)
        except (OSError, subprocess.TimeoutExpired) as error:
            skip(f'the runtime cannot be installed: {error}')
        if done.returncode != 0:
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            skip(f'the runtime cannot be installed: {" ".join(last)}')
    return str(python)
