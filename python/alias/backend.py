# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel and the source archive of this folder (PEP 517): a .pth file has to lie beside the module, which
other build tools do not do."""
import base64
import hashlib
import pathlib
import tarfile
import tomllib
import zipfile

FOLDER = pathlib.Path(__file__).resolve().parent
CONTENT = ['tern_alias.py', 'tern_alias.pth']


def _project():
    return tomllib.loads((FOLDER / 'pyproject.toml').read_text(encoding='utf-8'))['project']


def _stem():
    project = _project()
    return f"{project['name'].replace('-', '_')}-{project['version']}"


def _metadata():
    project = _project()
    lines = ['Metadata-Version: 2.1', f"Name: {project['name']}", f"Version: {project['version']}",
             f"Summary: {project['description']}", f"License: {project['license']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f'Requires-Dist: {name}' for name in project['dependencies']]
    return '\n'.join(lines) + '\n'


def _hash(data):
    return 'sha256=' + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f'{_stem()}.dist-info'
    files = {name: (FOLDER / name).read_bytes() for name in CONTENT}
    files[f'{info}/METADATA'] = _metadata().encode()
    files[f'{info}/WHEEL'] = b'Wheel-Version: 1.0\nGenerator: tern\nRoot-Is-Purelib: true\nTag: py3-none-any\n'
    record = [f'{name},{_hash(data)},{len(data)}' for name, data in files.items()] + [f'{info}/RECORD,,']
    files[f'{info}/RECORD'] = ('\n'.join(record) + '\n').encode()
    name = f'{_stem()}-py3-none-any.whl'
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, 'w', zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f'{_stem()}.tar.gz'
    with tarfile.open(pathlib.Path(sdist_directory) / name, 'w:gz') as archive:
        for path in CONTENT + ['pyproject.toml', 'backend.py']:
            archive.add(FOLDER / path, f'{_stem()}/{path}')
    return name
