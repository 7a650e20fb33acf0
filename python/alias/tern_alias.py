# SPDX-License-Identifier: Apache-2.0
"""Lets scripts import tern as tflite_runtime or ai_edge_litert where no package of that name is there.

Python asks the finder below last, so that a real package always goes before it; no file of one is touched.
"""
import importlib
import importlib.abc
import importlib.machinery
import sys

PACKAGES = ('tflite_runtime', 'ai_edge_litert')
# Name below the package -> where it comes from.
MODULES = {'interpreter': 'tern.interpreter'}


class _Loader(importlib.abc.Loader):

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        source = MODULES.get(module.__name__.partition('.')[2], 'tern')
        origin = importlib.import_module(source)
        for name, value in vars(origin).items():
            if not name.startswith('__'):
                setattr(module, name, value)
        module.__all__ = list(origin.__all__)
        module.__version__ = importlib.import_module('tern').__version__


class _Finder(importlib.abc.MetaPathFinder):

    def find_spec(self, fullname, path=None, target=None):
        package, _, rest = fullname.partition('.')
        if package not in PACKAGES or (rest and rest not in MODULES):
            return None
        # A name that the real package lacks is not in ours, either.
        if rest and not _is_ours(sys.modules.get(package)):
            return None
        return importlib.machinery.ModuleSpec(fullname, _Loader(), is_package=not rest)


def _is_ours(module):
    return isinstance(getattr(getattr(module, '__spec__', None), 'loader', None), _Loader)


def install():
    """Makes the names known; Python calls it at its start, by tern_alias.pth."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
