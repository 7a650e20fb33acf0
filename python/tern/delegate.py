# SPDX-License-Identifier: Apache-2.0
"""Delegates: libraries that run parts of a model elsewhere."""
import ctypes
import json
import os
import pathlib

_GPU_LIBRARY = 'libtensorflowlite_gpu_delegate.so'
_REPORT_ERROR = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


def _find(library):
    """A library of this package by its bare name; anything else as it is, for the system to find."""
    shipped = pathlib.Path(__file__).parent / _GPU_LIBRARY
    return str(shipped) if library == _GPU_LIBRARY and shipped.exists() else library


class Delegate:
    """A delegate from a library that has the plug-in functions of external_delegate_interface.h.

    It may serve several interpreters, and lives until the last of them has ended.
    """

    _pointer = None

    def __init__(self, library, options=None):
        """Loads `library`, a path or a name that the system finds, and makes its delegate.

        options: keys and values for the library; each is passed as str(). The library defines them.

        Raises OSError where the library cannot be loaded, AttributeError where it has not the functions, ValueError
        with the library's own text where it makes no delegate.
        """
        self._library = ctypes.CDLL(_find(library) if isinstance(library, str) else os.fspath(library))
        create = self._library.tflite_plugin_create_delegate
        destroy = self._library.tflite_plugin_destroy_delegate
        texts = ctypes.POINTER(ctypes.c_char_p)
        create.argtypes = [texts, texts, ctypes.c_size_t, _REPORT_ERROR]
        create.restype = ctypes.c_void_p
        destroy.argtypes = [ctypes.c_void_p]
        destroy.restype = None
        self._destroy = destroy

        pairs = [(str(key).encode(), str(value).encode()) for key, value in (options or {}).items()]
        keys = (ctypes.c_char_p * len(pairs))(*(key for key, _ in pairs))
        values = (ctypes.c_char_p * len(pairs))(*(value for _, value in pairs))
        reported = []
        pointer = create(keys, values, len(pairs), _REPORT_ERROR(lambda text: reported.append(text or b'')))
        if pointer is None:
            raise ValueError(b'\n'.join(reported).decode(errors='replace').strip() or 'the library gave no reason')
        self._pointer = pointer

    def __del__(self):
        if self._pointer is not None:
            pointer, self._pointer = self._pointer, None
            self._destroy(pointer)

    def _get_native_delegate_pointer(self):
        """The TfLiteDelegate* as an int; it ends with this object."""
        return self._pointer


def load_delegate(library, options=None):
    """Returns a Delegate; ValueError, with the library's name, where the library makes none. See Delegate."""
    try:
        return Delegate(library, options)
    except ValueError as error:
        raise ValueError(f'Failed to load delegate from {library}\n{error}') from error


class GpuDelegate(Delegate):
    """The GPU delegate of this package, made by gpu_delegate()."""

    def __repr__(self):
        if self._pointer is None:
            return '<tern.GpuDelegate: ended>'
        reported = self.report()
        where = f"{reported['engine']} on {reported['device']}"
        if not reported['nodes']:
            return f'<tern.GpuDelegate: {where}, no graph yet>'
        return f"<tern.GpuDelegate: {where}, {reported['precision']}, {reported['delegated']} of {reported['nodes']} nodes>"

    def report(self):
        """Returns the decisions of the delegate for the graphs of the interpreters that live, as a dict: engine, choice,
        device, nodes, delegated, decisions, ... (docs/explain.md)."""
        if self._pointer is None:
            raise ValueError('The delegate has no native object any more.')
        tell = self._library.TfLiteGpuDelegateV2Report
        tell.argtypes = [ctypes.c_void_p]
        tell.restype = ctypes.c_char_p
        return json.loads(tell(self._pointer))

    def _reason_text(self, what, reason):
        """'Code', 'Meaning' or 'Suggestion' of a TfLiteGpuReason."""
        tell = self._library[f'TfLiteGpuDelegateV2Reason{what}']
        tell.argtypes = [ctypes.c_int]
        tell.restype = ctypes.c_char_p
        return tell(reason).decode()


def gpu_delegate(precision='f32', backend=None, max_partitions=None, **options):
    """The GPU delegate of this package.

    precision: 'f32', or 'f16' for half-precision memory with float arithmetic. backend: 'opencl' or 'gles'; None lets
    the delegate choose. max_partitions: how many parts of a model go to the GPU, 1 unless given. options: more keys of
    the plug-in entry, such as inference_preference=1.

    ValueError where no GPU can be used, or for an option or a value that the delegate has not.
    """
    keys = {'tern_precision': precision}
    if backend is not None:
        keys['tern_backend'] = backend
    if max_partitions is not None:
        if max_partitions < 1:
            raise ValueError(f'max_partitions should be >= 1, got {max_partitions}')
        keys['max_delegated_partitions'] = max_partitions
    keys.update(options)
    return GpuDelegate(_GPU_LIBRARY, keys)
