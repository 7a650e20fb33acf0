# SPDX-License-Identifier: Apache-2.0
"""An interpreter as a text and as a table of a notebook."""
import html as escapes

from tern import _types


def _head(interpreter):
    native = interpreter._interpreter
    delegates = ', '.join(type(delegate).__name__ for delegate in interpreter._delegates)
    threads = interpreter._num_threads
    return (f'{interpreter._source}: {len(native.execution_plan())} nodes, {threads} thread{"s" if threads > 1 else ""}'
            + (f', {delegates}' if delegates else ''))


def _rows(interpreter):
    """(input or output, index, name, type, shape)."""
    native = interpreter._interpreter
    for role, tensors in (('input', native.inputs()), ('output', native.outputs())):
        for tensor in tensors:
            info = native.tensor_info(tensor, 0)
            yield role, tensor, info['name'], _types.type_name(info['type']).lower(), list(info['shape'])


def text(interpreter):
    lines = [f'<tern.Interpreter of {_head(interpreter)}']
    lines += [f'  {role} {tensor} {name!r}: {dtype} {shape}' for role, tensor, name, dtype, shape in _rows(interpreter)]
    return '\n'.join(lines) + '>'


def html(interpreter):
    cells = [('', 'index', 'name', 'type', 'shape'), *_rows(interpreter)]
    rows = ''.join('<tr>' + ''.join(f'<td>{escapes.escape(str(cell))}</td>' for cell in row) + '</tr>' for row in cells)
    return f'<div><b>tern.Interpreter</b> of {escapes.escape(_head(interpreter))}<table>{rows}</table></div>'
