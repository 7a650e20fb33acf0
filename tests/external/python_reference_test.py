# SPDX-License-Identifier: Apache-2.0
"""The Python package beside the reference's: the same script, with another import, gives the same numbers.

Usage: python_reference_test.py PACKAGE_FOLDER WORK_FOLDER

Makes a virtual environment with the reference's wheel in WORK_FOLDER (or uses the Python named by TERN_REFERENCE_PYTHON).
Public classes and functions have the same arguments, calls that fail (python_calls.py) the same errors. 40 models of
$TERN_SHARED run in either package with the reference kernels, and in ours with the optimized ones: details of inputs and
outputs are equal, integers too, floats within the tolerance of the model's case. Exit codes: 0 passed, 1 failed, 77
skipped (the last line says why).
"""
import importlib
import inspect
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

from real_runtime_test import WHEELS, Checks, shared_folder
from runtimes import python_with, skip

COUNT = 40
LARGEST = 20 << 20  # bytes of a model, to be done in a minute


def chosen_cases(shared):
    """One case of each model of models/, those with a meaning first; the first COUNT by name that the format has plain
    inputs for."""
    sys.path.insert(0, str(shared / 'tools'))
    import cases
    found = {}
    for case in cases.find(shared / 'goldens'):
        data = case.data
        plain = not any(key in data for key in ('signature', 'resized', 'runs', 'unstable'))
        if plain and case.model.resolve().parent == (shared / 'models').resolve() and case.model.stat().st_size <= LARGEST:
            if case.model.stem not in found or 'meaning' in data:
                found[case.model.stem] = case
    return [found[name] for name in sorted(found)][:COUNT]


def run_all(tflite, paths, resolvers):
    """Of every case and resolver: details of inputs and outputs, and the outputs."""
    reported = {}
    for case in paths:
        for resolver in resolvers:
            interpreter = tflite.Interpreter(model_path=str(case.model), num_threads=1,
                                             experimental_op_resolver_type=tflite.OpResolverType[resolver])
            interpreter.allocate_tensors()
            inputs, outputs = interpreter.get_input_details(), interpreter.get_output_details()
            for detail, value in zip(inputs, case.inputs()):
                interpreter.set_tensor(detail['index'], value)
            interpreter.invoke()
            values = [interpreter.get_tensor(detail['index']) for detail in outputs]
            reported[case.name, resolver] = inputs + outputs, values
    return reported


def arguments_of(tflite):
    """Name -> arguments of what is public."""
    reported = {f'OpResolverType.{member.name}': f' = {member.value}' for member in tflite.OpResolverType}
    reported['load_delegate'] = str(inspect.signature(tflite.load_delegate))
    for name in ('Delegate', 'Interpreter', 'InterpreterWithCustomOps', 'SignatureRunner'):
        for inner, member in vars(getattr(tflite, name)).items():
            if inspect.isfunction(member) and (not inner.startswith('_') or inner in ('__init__', '__call__')):
                reported[f'{name}.{inner}'] = str(inspect.signature(member))
    return reported


def same_details(ours, theirs):
    """Equal in every key, type and element, arrays and their types included."""
    import numpy as np
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, dict):
        return list(ours) == list(theirs) and all(same_details(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, (list, tuple)):
        return len(ours) == len(theirs) and all(map(same_details, ours, theirs))
    if isinstance(ours, np.ndarray):
        return ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
    return ours == theirs


def check_numbers(checks, case, name, ours, theirs, exact):
    import numpy as np
    from cases import picked
    for output, mine, reference in zip(case.data['outputs'], ours, theirs):
        same_form = mine.dtype == reference.dtype and mine.shape == reference.shape
        checks.expect(same_form, f'{name}: {mine.dtype} {mine.shape}, in the reference {reference.dtype} '
                                 f'{reference.shape}')
        if not same_form:
            continue
        if exact and mine.dtype.kind != 'f':
            bad = int(np.count_nonzero(mine != reference))
            checks.expect(bad == 0, f'{name}: {bad} of {mine.size} integers differ')
            continue
        where = slice(None) if 'pick' not in output else picked(output)
        a, b = mine.reshape(-1)[where].astype(np.float64), reference.reshape(-1)[where].astype(np.float64)
        most, relative = case.allowed(output, 'cpu', 'f32')
        difference = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b))
        checks.expect(bool(np.all(difference <= most + relative * np.abs(b))),
                      f'{name}: differs by {difference.max(initial=0):.3g} (allowed {most:.3g} + {relative:.3g})')


def inside(package, out, shared):
    import python_calls
    resolvers = ['BUILTIN_REF'] if package.startswith('ai_edge') else ['BUILTIN_REF', 'AUTO']
    tflite = importlib.import_module(package)
    reported = {'arguments': arguments_of(tflite),
            'errors': python_calls.errors(tflite, str(shared / 'models' / f'{python_calls.MODEL}.tflite')),
            'models': run_all(tflite, chosen_cases(shared), resolvers)}
    pathlib.Path(out).write_bytes(pickle.dumps(reported))


def check_errors(checks, ours, theirs):
    for (words, number), reference in theirs.items():
        mine = ours[words, number]
        fine = mine and reference and mine[0] == reference[0] and words in mine[1] and words in reference[1]
        checks.expect(fine, f'{words!r} #{number}: {mine}, in the reference {reference}')


def compare(python, packages, shared):
    checks = Checks()
    reported = {}
    with tempfile.TemporaryDirectory() as folder:
        for package in ('tern.interpreter', 'ai_edge_litert.interpreter'):
            out = pathlib.Path(folder) / package
            run = subprocess.run([python, '-B', __file__, '--inside', package, str(out)], check=False,
                                 env={**os.environ, 'PYTHONPATH': packages})
            checks.expect(run.returncode == 0, f'{package} runs all models')
            if run.returncode != 0:
                return 1
            reported[package] = pickle.loads(out.read_bytes())
    ours, theirs = reported.values()
    for name, arguments in theirs['arguments'].items():
        checks.expect(ours['arguments'].get(name) == arguments, f'{name}{arguments}')
    check_errors(checks, ours['errors'], theirs['errors'])
    ours, theirs = ours['models'], theirs['models']
    names = chosen_cases(shared)
    for case in names:
        details, values = theirs[case.name, 'BUILTIN_REF']
        for resolver in ('BUILTIN_REF', 'AUTO'):
            own_details, own_values = ours[case.name, resolver]
            checks.expect(same_details(own_details, details), f'{case.name}, {resolver}: the same details')
            check_numbers(checks, case, f'{case.name}, {resolver}', own_values, values, resolver == 'BUILTIN_REF')
    checks.expect(len(names) == COUNT, f'{len(names)} models')
    print(f'{checks.failed} failed')
    return 1 if checks.failed else 0


def main():
    shared = shared_folder()
    if sys.argv[1] == '--inside':
        return inside(sys.argv[2], sys.argv[3], shared)
    if sys.argv[1] == '--compare':
        return compare(sys.executable, sys.argv[2], shared)
    packages, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    python = python_with(work / 'venv', 'TERN_REFERENCE_PYTHON', WHEELS, 'import ai_edge_litert.interpreter, numpy')
    version = [python, '-c', 'import sys; print(sys.version_info[:2])']
    if subprocess.run(version, capture_output=True, text=True, check=True).stdout.strip() != str(sys.version_info[:2]):
        skip(f'{python} is not of the version of {sys.executable}, for which the package was built')
    return subprocess.run([python, '-B', __file__, '--compare', str(packages)], check=False).returncode


if __name__ == '__main__':
    sys.exit(main())
