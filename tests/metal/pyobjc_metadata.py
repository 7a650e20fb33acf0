# SPDX-License-Identifier: Apache-2.0
"""Reads the module _metadata.py of a framework that pyobjc wraps, without running it: types of methods, functions, enums.

A method of a protocol is registered there by its selector alone. Where two protocols have the selector with other types, one
of them is there; its integers may be of the other sign then (`status` is one: NSInteger of one protocol, NSUInteger of
another)."""
import ast


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def encoding(metadata):
    """Types of a registered method: a list of the result's and the arguments', None where pyobjc leaves one to the class."""
    arguments = metadata.get('arguments', {})
    found = [text(metadata.get('retval', {}).get('type'))]
    for number in range(2, max(arguments, default=1) + 1):
        found.append(text(arguments.get(number, {}).get('type')))
    return found


class Metadata:
    def __init__(self, source):
        self.selectors = {}  # selector -> types, of protocols
        self.classes = {}  # (class, selector) -> types
        self.functions = {}  # name -> encoding: the result, then the arguments
        self.constants = {}  # name -> value
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and getattr(node.func, 'id', '') == 'r':
                owner, selector = text(node.args[0].value), text(node.args[1].value)
                types = encoding(ast.literal_eval(node.args[2]))
                if owner == 'NSObject':
                    self.selectors[selector] = types
                else:
                    self.classes[(owner, selector)] = types
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == 'enums':
                for entry in ast.literal_eval(node.value).strip('$').split('$'):
                    name, _, value = entry.partition('@')
                    self.constants[name] = int(value)
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == 'functions':
                for key, value in zip(node.value.keys, node.value.values):
                    entry = value.elts[0] if isinstance(value, ast.Tuple) else value
                    self.functions[text(key.value)] = text(entry.value)
