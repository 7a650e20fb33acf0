# SPDX-License-Identifier: Apache-2.0
"""Mesa's compilers for GPUs that are not there.

Debian packages these drivers, and libraries (mesa-drm-shim) that stand in for the kernel's side of a driver: with one of
them loaded, a driver believes that its GPU is there, compiles as ever, and what it submits is dropped. Drivers of mobile
GPUs are packaged for ARM alone and run in emulation. Packages are unpacked into a folder, none is installed.
"""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess

import disassembly

RELEASE = 'trixie'
PACKAGES = ['libegl1', 'libegl-mesa0', 'libgles2', 'libgl1-mesa-dri', 'mesa-drm-shim', 'mesa-opencl-icd', 'ocl-icd-libopencl1']
COMPILERS = {'amd64': 'gcc', 'arm64': 'aarch64-linux-gnu-gcc'}
TRIPLETS = {'amd64': 'x86_64-linux-gnu', 'arm64': 'aarch64-linux-gnu'}
LIMITS = ['storage buffers', 'items of a group', 'x', 'y', 'z', 'shared bytes', 'bytes of a buffer']


@dataclasses.dataclass(frozen=True)
class Gpu:
    """A GPU of the table."""
    name: str
    title: str
    device: str  # the invented device whose kernels it gets
    arch: str    # of Debian's package of its driver
    shim: str    # which stand-in
    select: tuple  # the variable that tells that which GPU to be
    listing: tuple  # the variable that has the driver disassemble, and the function that reads it
    language: str = 'glsl'


ADRENO = ('IR3_SHADER_DEBUG', 'cs,disasm', disassembly.read_adreno)
GPUS = [
    Gpu('a630', 'Adreno 630', 'adreno', 'arm64', 'freedreno', ('FD_GPU_ID', '630'), ADRENO),
    Gpu('a740', 'Adreno 740', 'adreno', 'arm64', 'freedreno', ('FD_GPU_ID', '740'), ADRENO),
    Gpu('g76', 'Mali-G76', 'mali', 'arm64', 'panfrost', ('PAN_GPU_ID', '7211'),
        ('BIFROST_MESA_DEBUG', 'shaders', disassembly.read_bifrost)),
    Gpu('g610', 'Mali-G610', 'mali', 'arm64', 'panfrost', ('PAN_GPU_ID', 'a867'),
        ('BIFROST_MESA_DEBUG', 'shaders', disassembly.read_valhall)),
    Gpu('v3d', 'VideoCore VI', 'videocore', 'arm64', 'v3d', (), ('V3D_DEBUG', 'cs', disassembly.read_videocore)),
    Gpu('navi21', 'Radeon RX 6800', 'amd', 'amd64', 'amdgpu', ('AMDGPU_GPU_ID', 'navi21'),
        ('AMD_DEBUG', 'cs,asm', disassembly.read_amd)),
    # In OpenCL C only the kernels of works are compiled: each takes seconds.
    Gpu('a740-cl', 'Adreno 740, OpenCL C', 'adreno', 'arm64', 'freedreno', ('FD_GPU_ID', '740'), ADRENO, 'opencl'),
    Gpu('g76-cl', 'Mali-G76, OpenCL C', 'mali', 'arm64', 'panfrost', ('PAN_GPU_ID', '7211'),
        ('BIFROST_MESA_DEBUG', 'shaders,shaderdb', disassembly.read_bifrost), 'opencl'),
    Gpu('g610-cl', 'Mali-G610, OpenCL C', 'mali', 'arm64', 'panfrost', ('PAN_GPU_ID', 'a867'),
        ('BIFROST_MESA_DEBUG', 'shaders,shaderdb', disassembly.read_valhall), 'opencl'),
]
PROGRAMS = {'glsl': ('compile_shaders', ['libEGL.so.1', 'libGLESv2.so.2']), 'opencl': ('compile_kernels', ['libOpenCL.so.1'])}


@dataclasses.dataclass
class ShaderStats:
    """The figures that a compiler reports about a shader. Registers: of four numbers (Adreno), of one (VideoCore, AMD),
    not reported (Mali). Spill: instructions that spill or fill, on AMD bytes of memory for it. Waves: groups of work-items that
    a processor holds at a time (Adreno, AMD), or 1 of 2 where registers are for half of them (Mali, VideoCore: of 4)."""
    instructions: int
    registers: int | None
    spill: int
    waves: int | None = None
    program: disassembly.Program | None = None


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else None


def read_words(text):
    """The numbers in a driver's own words; None where it says nothing that is known."""
    if 'VGPRS:' in text:
        return ShaderStats(number(r'Code Size: (\d+)', text) // 4, number(r'VGPRS: (\d+)', text), number(r'Scratch: (\d+)', text),
                           number(r'Max Waves: (\d+)', text))
    instructions = number(r'(\d+) inst\b', text)
    if instructions is None:
        return None
    pair = re.search(r'(\d+):(\d+) spills:fills', text)
    if pair:
        return ShaderStats(instructions, number(r'(\d+) max-temps', text), int(pair.group(1)) + int(pair.group(2)),
                           number(r'(\d+) threads', text))
    stores, loads = number(r'(\d+) stp\b', text), number(r'(\d+) ldp\b', text)
    if stores is None or loads is None:
        return None
    return ShaderStats(instructions, number(r'(\d+) full\b', text), stores + loads, number(r'(\d+) waves', text))


def read_listed_words(text):
    """The same from a listing. It has two forms of a kernel; the last one is for launches from the origin of the grid, as ours are."""
    if 'SHADER-DB:' in text:
        return read_words(text.rpartition('SHADER-DB:')[2])
    text = text.rpartition('Native code for')[2]
    instructions, registers = number(r'(\d+) instr,', text), number(r'(\d+) full,', text)
    if instructions is None or registers is None:
        return None
    # 96 registers for two waves each, and at most 16 waves.
    return ShaderStats(instructions, registers, len(re.findall(r'\b(?:stp|ldp)\.', text)), min(16, 96 // registers * 2))


def run(command, **more):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **more)


class Drivers:
    """Drivers and the program that asks them, below a folder, where they are found again."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()

    def prepare(self, arch):
        """Fetches what is missing for an architecture, through the package manager's own sources."""
        root = self.folder / f'root-{arch}'
        complete, packages = root / 'complete', '\n'.join(PACKAGES)
        if not complete.exists() or complete.read_text() != packages:
            shutil.rmtree(root, ignore_errors=True)
            self.unpack(arch, root)
            complete.write_text(packages)
        libraries = root / 'usr/lib' / TRIPLETS[arch]
        headers = self.folder / 'include'
        headers.mkdir(exist_ok=True)
        for name in ('CL', 'EGL', 'GLES2', 'GLES3', 'KHR'):  # the same for all; a cross compiler does not look there
            if not (headers / name).exists():
                (headers / name).symlink_to(f'/usr/include/{name}')
        for language, (program, names) in PROGRAMS.items():
            source = pathlib.Path(__file__).with_name(f'{program}.c')
            run([COMPILERS[arch], '-std=c11', '-O1', '-Wall', '-Wextra', '-Werror', f'-I{headers}', source, '-o',
                 self.program(arch, language), *(libraries / name for name in names), '-Wl,--unresolved-symbols=ignore-in-shared-libs'])

    def program(self, arch, language):
        return self.folder / f'{PROGRAMS[language][0]}-{arch}'

    def unpack(self, arch, root):
        apt = self.folder / f'apt-{arch}'
        shutil.rmtree(apt, ignore_errors=True)
        for part in ('state/lists/partial', 'cache/archives/partial'):
            (apt / part).mkdir(parents=True)
        (apt / 'status').touch()
        (apt / 'sources.list').write_text(
            f'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {mirror()} {RELEASE} main\n')
        settings = {
            'Dir::State': apt / 'state', 'Dir::State::status': apt / 'status', 'Dir::Cache': apt / 'cache',
            'Dir::Etc::sourcelist': apt / 'sources.list', 'Dir::Etc::sourceparts': '/dev/null',
            'Dir::Etc::preferences': '/dev/null', 'Dir::Etc::preferencesparts': '/dev/null',
            'APT::Architecture': arch, 'APT::Architectures': arch, 'APT::Install-Recommends': 'false',
            'APT::Sandbox::User': 'root', 'Acquire::Languages': 'none',
        }
        command = ['apt-get', '-qq'] + [word for key, value in settings.items() for word in ('-o', f'{key}={value}')]
        run([*command, 'update'])
        run([*command, 'install', '-y', '--download-only', *PACKAGES])
        for name in ('lib', 'lib64', 'bin', 'sbin'):  # packages of a merged /usr expect these
            (root / 'usr' / name).mkdir(parents=True)
            (root / name).symlink_to(f'usr/{name}')
        for package in sorted((apt / 'cache/archives').glob('*.deb')):
            files = subprocess.run(['dpkg-deb', '--fsys-tarfile', package], check=True, capture_output=True).stdout
            run(['tar', '-x', '--keep-directory-symlink', '-C', root], input=files)
        shutil.rmtree(apt)

    def compile(self, gpu, files, seconds):
        """(version and limits of the driver, file -> ShaderStats or why there is none). Files for which the time does
        not suffice are missing."""
        root = self.folder / f'root-{gpu.arch}'
        libraries = root / 'usr/lib' / TRIPLETS[gpu.arch]
        shim = libraries / f'lib{gpu.shim}_noop_drm_shim.so'
        settings = dict([gpu.select] if gpu.select else [])
        settings.update({
            '__EGL_VENDOR_LIBRARY_FILENAMES': root / 'usr/share/glvnd/egl_vendor.d/50_mesa.json',
            'GBM_BACKENDS_PATH': libraries / 'gbm', 'LIBGL_DRIVERS_PATH': libraries / 'dri',
            'OCL_ICD_VENDORS': root / 'etc/OpenCL/vendors/rusticl.icd', 'RUSTICL_ENABLE': gpu.shim, 'RUSTICL_FEATURES': 'fp16',
            'MESA_SHADER_CACHE_DISABLE': 'true',
            'GALLIUM_THREAD': '0',         # with threads of the driver its messages do not arrive
            'FD_MESA_DEBUG': 'shaderdb',   # without this Adreno's tells nothing
        })
        settings = {key: str(value) for key, value in settings.items()}
        if gpu.arch == 'arm64':
            # A processor without pointer authentication, which takes most of the time where it is emulated.
            command = ['qemu-aarch64-static', '-cpu', 'cortex-a72', '-L', root]
            for key, value in dict(settings, LD_LIBRARY_PATH=libraries, LD_PRELOAD=shim).items():
                command += ['-E', f'{key}={value}']
            environment = dict(os.environ)
        else:
            command = [root / 'lib64/ld-linux-x86-64.so.2', '--library-path', libraries, '--preload', shim]
            environment = dict(os.environ, **settings)
        variable, words, read_listing = gpu.listing
        environment[variable] = words  # here, because qemu's option ends at a comma
        log = self.folder / f'{gpu.name}.log'
        with open(log, 'w') as errors:
            process = subprocess.Popen([*command, self.program(gpu.arch, gpu.language), *files], env=environment, text=True,
                                       stdout=subprocess.PIPE, stderr=errors)
            try:
                lines = process.communicate(timeout=seconds)[0].splitlines()
            except subprocess.TimeoutExpired:
                process.kill()
                lines = process.communicate()[0].splitlines()
        listings = by_file(lines), by_file(log.read_text(errors='replace').splitlines())
        listing_of = {file: '\n'.join(part.get(file, '') for part in listings) for file in listings[0]}
        device, reported = None, {}
        for line in lines:
            kind, *fields = line.split('\t')
            if kind == 'device':
                device = (fields[0], fields[1], dict(zip(LIMITS, map(int, fields[2:]))))
            elif kind == 'told':
                reported[fields[0]] = read_words(fields[1]) or f'the driver tells nothing of it: {fields[1]!r}'
            elif kind == 'listed':
                reported[fields[0]] = read_listed_words(listing_of[fields[0]]) or 'the driver lists nothing of it'
            elif kind == 'refused':
                reported[fields[0]] = fields[1]
        if device is None:
            raise RuntimeError(f'{gpu.title}: the driver does not start: {log.read_text()[-500:]}')
        for file, stats in reported.items():
            if isinstance(stats, ShaderStats):
                stats.program = read_listing(listing_of[file])
        return device, reported


def by_file(lines):
    """file -> the lines behind its beginning, of an output of the program."""
    parts = {}
    for line in lines:
        kind, _, file = line.partition('\t')
        if kind == 'begin':
            part = parts.setdefault(file, [])
        elif parts:
            part.append(line)
    return {file: '\n'.join(part) for file, part in parts.items()}


def mirror():
    """The mirror that this machine takes its own packages from."""
    sources = subprocess.run(['apt-get', 'indextargets', '--format', '$(REPO_URI) $(COMPONENT)', 'Created-By: Packages'],
                             check=True, capture_output=True, text=True).stdout.split('\n')
    for line in sources:
        if line.endswith(' main') and 'security' not in line:
            return line.split()[0]
    raise RuntimeError('apt knows no source with the component main')
