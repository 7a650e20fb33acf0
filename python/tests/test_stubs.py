# SPDX-License-Identifier: Apache-2.0
"""The .pyi files tell of what there is, with the same arguments."""
import ast
import importlib
import inspect
import pathlib

import pytest

import tern

PACKAGE = pathlib.Path(tern.__file__).parent
MODULES = ['commands', 'delegate', 'interpreter', 'measure']
INTERNAL = {'GpuDelegate._reason_text', 'why_not_applied'}  # of the package, for itself


def stub_functions(tree):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f'{node.name}.{inner.name}', inner) for inner in node.body if isinstance(inner, ast.FunctionDef))


def defined_functions(module):
    for name, value in vars(module).items():
        if getattr(value, '__module__', None) != module.__name__ or name.startswith('_'):
            continue
        if inspect.isfunction(value):
            yield name
        elif inspect.isclass(value):
            yield from (f'{name}.{inner}' for inner, member in vars(value).items()
                        if inspect.isfunction(member) or isinstance(member, property))


@pytest.mark.parametrize('name', MODULES)
def test_stubs_have_every_function_with_its_arguments(name):
    module = importlib.import_module(f'tern.{name}')
    stubs = dict(stub_functions(ast.parse((PACKAGE / f'{name}.pyi').read_text())))
    own = {f for f in defined_functions(module) if not f.startswith('OpResolverType') and f not in INTERNAL}
    assert own == set(stubs)
    for path, node in stubs.items():
        found = module
        for part in path.split('.'):
            found = inspect.getattr_static(found, part)
        if isinstance(found, property):
            continue
        arguments = inspect.signature(found).parameters.values()
        assert [a.arg for a in node.args.args] == [a.name for a in arguments if a.kind == a.POSITIONAL_OR_KEYWORD], path
        given = [ast.unparse(default) for default in node.args.defaults]
        real = [repr(a.default) for a in arguments if a.default is not a.empty]
        assert [g for g in given if g != '...'] == [r for g, r in zip(given, real) if g != '...'], path


def test_the_package_is_marked_as_typed():
    assert (PACKAGE / 'py.typed').exists()
