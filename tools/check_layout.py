#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the house rules that no compiler checks: who includes whom, where API words may stand, file sizes, SPDX lines,
the terms of the field, that the table of operators names their folders, and that docs/map.md names the folders there are.
Prints every breach; exit status 1 when there is one."""
import fnmatch
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MAX_LINES = 600
CODE = ('.h', '.cc', '.inc', '.kernel', '.py', '.java', '.kt', '.m', '.swift')
FOLDERS = ('include', 'src', 'tools', 'tests', 'bench', 'java', 'python', 'objc', 'swift', 'apple', 'examples')

# Layer -> what it may include besides itself. `tf`: headers of include/tensorflow, and the functions behind them in
# src/abi. Libraries are not checked here, CMake's targets do that. Layers are folders below src/, with the files of `ops`
# that speak to the GPU as a layer of their own.
RULES = {
    'abi': ['tf'],
    'base': ['tf'],
    'model': ['base', 'tf'],
    'cpu': ['base'],
    'ops': ['base', 'cpu', 'tf'],
    'ops:gpu': ['ops', 'base', 'tf', 'gpu/lower', 'gpu/desc', 'gpu/graph', 'gpu/plan'],
    'runtime': ['base', 'model', 'tf'],
    'gpu/desc': ['base', 'tf'],
    'gpu/graph': ['gpu/desc', 'base', 'tf'],
    'gpu/legalize': ['gpu/lower', 'gpu/graph', 'gpu/desc', 'base', 'tf'],
    'gpu/fuse': ['gpu/lower', 'gpu/graph', 'gpu/desc', 'base', 'tf'],
    'gpu/lower': ['gpu/graph', 'gpu/desc', 'gpu/plan', 'base', 'tf'],
    'gpu/plan': ['gpu/desc', 'base'],
    'gpu/source': ['gpu/desc', 'base'],
    'gpu/languages': ['gpu/source', 'gpu/desc', 'base'],
    'gpu': ['gpu/legalize', 'gpu/fuse', 'gpu/lower', 'gpu/plan', 'gpu/source', 'gpu/graph', 'gpu/desc', 'base'],
    'gpu/tune': ['gpu', 'gpu/device', 'gpu/lower', 'gpu/graph', 'gpu/plan', 'gpu/desc', 'base'],
    'gpu/partition': ['gpu', 'gpu/tune', 'gpu/device', 'gpu/backends', 'gpu/lower', 'gpu/graph', 'gpu/plan', 'gpu/source',
                      'gpu/desc', 'ops:gpu', 'base', 'tf'],
    'gpu/device': ['gpu/desc', 'gpu/plan', 'gpu/source', 'base'],
    'gpu/backends': ['gpu/device', 'gpu/languages', 'gpu/source', 'gpu/desc', 'gpu/plan', 'base', 'gpu/backends/*'],
    'gpu/backends/*': ['gpu/device', 'gpu/languages', 'gpu/source', 'gpu/desc', 'gpu/plan', 'base', 'gpu/backends'],
    'delegate': ['gpu', 'gpu/legalize', 'gpu/partition', 'gpu/device', 'gpu/graph', 'gpu/desc', 'gpu/plan', 'gpu/lower', 'gpu/source', 'gpu/backends',
                 'gpu/backends/vulkan', 'gpu/tune', 'ops:gpu', 'base', 'tf'],
    'api': ['runtime', 'model', 'ops', 'cpu', 'base', 'tf'],
}
# Within src/ops a file may use its own folder and what stands here for that folder or, in the folder of an op, for its
# layer: CPU forms and lowerings have a kit each, and one for what both look at. '' is src/ops itself.
OP_ROOT = ['cpu_registry.cc', 'cpu_registry.h', 'gpu_registry.cc', 'gpu_registry.h']
OP_RULES = {
    '': ['cpu_kit', 'gpu_kit', *OP_ROOT],
    'cpu_kit': ['rules_kit'],
    'gpu_kit': ['rules_kit'],
    'rules_kit': [],
    'ops': ['cpu_kit', 'rules_kit', 'cpu_registry.h'],
    'ops:gpu': ['gpu_kit', 'rules_kit'],
}
# The other edges between folders of src/ops, by header or kernel: why it is an op that is used there and not a helper.
OP_EDGES = {
    ('cast', 'elementwise/elementwise_gpu.h'): 'a cast is an epilogue op',
    ('compare', 'elementwise/elementwise_gpu.h'): 'a comparison is an epilogue op',
    ('compare', 'elementwise/int64_gpu.h'): 'comparisons of INT64 are rows of the same kernel as its arithmetic',
    ('composite', 'control/branch.h'): 'a composite runs its decomposition as the only branch',
    ('composite', 'softmax/softmax.kernel'): 'attention is softmax between two products',
    ('depthwise_conv_2d', 'conv_2d/conv_2d_gpu.h'): 'with a channel multiplier it is a grouped convolution',
    ('fully_connected', 'conv_2d/conv_2d_gpu.h'): 'over many pixels it is a convolution of one tap',
    ('fully_connected', 'conv_2d/conv_1x1.kernel'): 'the same, with weights in its own order',
    ('fully_connected', 'conv_2d/conv_1x1_lane_loop.kernel'): 'the same, with weights in its own order',
    ('moe', 'elementwise/parameters.h'): 'an expert is gated by GELU',
    ('prelu', 'elementwise/elementwise_gpu.h'): 'it is an epilogue op',
    ('quantize', 'elementwise/elementwise_gpu.h'): 'to dequantize halves is an empty epilogue',
    ('rnn', 'lstm/state_sequence_gpu.h'): 'a plain cell has time steps of states and products with them, too',
    ('svdf', 'lstm/gate_product_gpu.h'): 'steps over what features make',
    ('svdf', 'lstm/state_sequence_gpu.h'): 'its features are a product of rows, as those of cells',
    ('space', 'movement/pad_rules.h'): 'SPACE_TO_BATCH_ND pads first',
    ('space', 'slice/slice_rules.h'): 'BATCH_TO_SPACE_ND crops at last',
}

API_WORDS = re.compile(r'(?i:opencl|gles\b|metal|vulkan)|\begl[A-Z]\w*|\bEGL\w*|\bcl_\w+|\bCL_\w+|\bcl[A-Z]\w+|\bgl[A-Z]\w+|'
                       r'\bGL_\w+|\bMTL\w+')
KERNEL_WORDS = re.compile(API_WORDS.pattern + r'|__kernel|__global|__local|threadgroup|get_global_id|\bgl_\w+|'
                          r'\bfloat\d+\b|\bvec\d\b')
# Where API words belong: the backends, the languages, and the delegate, whose options name them.
API_FOLDERS = ('src/gpu/backends/', 'src/gpu/languages/', 'src/delegate/')
# The words of OpenGL stand in fewer places: its backend, the list of backends, the delegate's options, the older delegate that is
# for it alone, the languages of GLSL, whose extensions have such names, and tests of the delegate. The backend's name, as users
# write it, is no such word.
GL_WORDS = re.compile(r'\begl[A-Z]\w*|\bEGL\w*|\bGLES\w*|\bgl[A-Z]\w+|\bGL_\w+|OpenGL|\bOpenGles\w*')
GL_PLACES = ('src/gpu/backends/gles/*', 'src/gpu/backends/backend_list.*', 'src/delegate/options.*', 'src/delegate/engine.*',
             'src/gpu/languages/glsl_language.cc', 'src/gpu/languages/vulkan_language*', 'src/delegate/gl_delegate.*',
             'src/delegate/*_test.cc', 'src/delegate/testing/*')

# Words -> the term of the field (docs/glossary.md), in comments and documents. Strings are free: users read them.
TERMS = {
    'plain form': 'reference kernel',
    'plain kernel': 'reference kernel',
    'fast form': 'optimized kernel',
    'fast kernel': 'optimized kernel',
    'numbers that they stand for': 'real values',
    'whole number': 'integer',
    'high word': 'high half',
    'low word': 'low half',
    'short curve': 'int16 lookup',
    'short table': 'int16 table',
    'rounding point': 'rounding threshold',
    'line of state': 'time step',
    'lines of state': 'time steps',
    'shared product': 'split-K matrix product',
    'tuned choice': 'tuning parameter',
    'seen as': 'viewed as',
}
# The same of single words and of names, as regular expressions for all of one.
NAMES = {
    r'[Tt]old': 'reported',
    r'[Aa]new': 'again',
    r'[Ll]ikewise': 'the same as',
    r'[Hh]ybrid|\w*Hybrid(?!Op)\w*': 'dynamic-range quantization, DynamicRange',
    r'k(Most|Least)[A-Z0-9]\w*': 'kMax, kMin',
    r'(most|least)_(?!gain_us$)\w+': 'max_, min_',
    r'\w*(Fast|Plain)Forms?': 'OptimizedKernel, ReferenceKernel',
    'WriteKnown': 'WriteConstant',
    'Carry': 'IoConversion',
    'kTruths?': 'kBool',
    r'\w*Elementwise(Chain|Step)|takes_chain': 'Epilogue, EpilogueOp, takes_epilogue',
    r'\w*(LoopRounds|loop_rounds)': 'LoopIterations, loop_iterations',
    r'\w*StateLines': 'StateSequence',
    r'\w*RoundingPoints?': 'RoundingThresholds',
    r'\w*Short(Curve|Table)\w*': 'Int16Lookup, Int16Table',
    r'\w*SplitLongs': 'SplitInt64',
    'kChoices': 'kTuningParameters',
    r'Because|CauseOf': 'Annotate, RefusalReasonOf',
}
TERM_FOLDERS = ('bench', 'docs', 'include', 'python', 'src', 'tests', 'tools')
# These name the words, or quote texts that programs print.
TERM_EXCEPTIONS = ('docs/glossary.md', 'docs/options.md', 'docs/reasons.md', 'tests/check_layout_test.py', 'tools/check_layout.py')


def layer_of(path):
    """The layer of a path below src/ (relative to it), e.g. gpu/plan."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[0] == 'ops':
        name = parts[-1]
        gpu = parts[1] == 'gpu_kit' or re.search(r'(_gpu|^gpu_\w+)\.(cc|h)$', name)
        return 'ops:gpu' if gpu else 'ops'
    if parts[0] != 'gpu' or len(parts) == 2:
        return parts[0]
    if parts[1] == 'backends':
        return 'gpu/backends' if len(parts) == 3 else f'gpu/backends/{parts[2]}'
    return f'gpu/{parts[1]}'


def allowed(layer, target):
    if layer == target:
        return True
    rule = next((r for name, r in RULES.items() if fnmatch.fnmatchcase(layer, name) and ('*' in name) == (
        layer.count('/') == 2)), None)
    if rule is None:
        return False
    if target == 'abi':
        return 'tf' in rule
    return any(fnmatch.fnmatchcase(target, name) and (name.count('/') == target.count('/')) for name in rule)


def without_comments(text):
    text = re.sub(r'/\*.*?\*/', lambda m: '\n' * m.group(0).count('\n'), text, flags=re.S)
    return re.sub(r'//[^\n]*', '', text)


def op_edge(path, target):
    """Returns the edge (folder, header or kernel) from a file to one that it uses of src/ops, both named as below src/;
    None where no list needs to name it."""
    parts, target = pathlib.PurePosixPath(path).parts, target.removeprefix('ops/')
    if parts[0] != 'ops':  # it asks the registries which ops there are
        return (parts[0], target) if '/' in target else None
    folder = parts[1] if len(parts) > 2 else ''
    rule = OP_RULES.get(folder, OP_RULES[layer_of(path)])
    return None if target.split('/')[0] in [folder, *rule] else (folder, target)


def kernel_files():
    """Kernel id -> its file, relative to src/."""
    return {p.stem: p.relative_to(ROOT / 'src').as_posix() for p in (ROOT / 'src/ops').rglob('*.kernel')}


def check_op_edges(sources, edges, kernels):
    """Sources (path below src/ -> text) use other folders of src/ops, by including a header or by naming a kernel, only
    where `edges` says so; each of them is used. `kernels`: id -> path below src/."""
    used = set()
    for path, text in sources.items():
        in_ops = path.startswith('ops/')
        if in_ops and path.count('/') == 1 and path[len('ops/'):] not in OP_ROOT:
            yield f'src/{path}: only the registries and tests over all ops lie in src/ops itself'
            continue
        targets = re.findall(r'^\s*#\s*include\s+"(ops/[^"]+)"', text, re.M)
        if in_ops:
            targets += [kernels[name] for name in re.findall(r'\bKernelId::(\w+)', text) if name in kernels]
        found = {op_edge(path, target) for target in targets} - {None}
        used |= found
        for folder, target in sorted(found - edges.keys()):
            yield f'src/{path}: {folder or "ops"} must not use ops/{target}'
    for folder, target in sorted(edges.keys() - used):
        yield f'tools/check_layout.py: OP_EDGES lets {folder} use ops/{target}, and nothing does'


def check_op_table(sources):
    """Each row of the table of operators names the folder that defines its forms, in so many words or by a row that begins with
    the operator in a table of the folder's own; each folder of operators is named."""
    rows = re.findall(r'^((?:CPU_)?(?:CUSTOM_)?OP)\(("[^"]+"|\w+), (\w+), \d+, \d+, (\w+)', sources['abi/op_table.inc'], re.M)
    folders = {}
    for path, text in sources.items():
        parts = path.split('/')
        if parts[0] == 'ops' and len(parts) > 2 and parts[1] not in OP_RULES:
            folders[parts[1]] = folders.get(parts[1], '') + text
    for macro, name, stem, folder in rows:
        text = folders.get(folder, '')
        in_table = re.search(rf'^\w+\(\w+, {stem}, ', text, re.M)
        if not in_table and f'{stem}Registration(OpForm form) {{' not in text:
            yield f'src/abi/op_table.inc: {name}: src/ops/{folder} does not define {stem}Registration'
        if not macro.startswith('CPU_') and not in_table and f'GpuOp {stem}Gpu()' not in text:
            yield f'src/abi/op_table.inc: {name}: src/ops/{folder} does not define {stem}Gpu'
        if macro == 'CPU_OP' and f'GpuOp {stem}Gpu()' in text:
            yield f'src/abi/op_table.inc: {name}: src/ops/{folder} defines {stem}Gpu, and the row says {macro}'
    for folder in sorted(folders.keys() - {folder for _, _, _, folder in rows}):
        yield f'src/abi/op_table.inc: no row names src/ops/{folder}'


def check_includes(path, text):
    """Include rules of a file below src/ that is no test."""
    layer = layer_of(path.relative_to(ROOT / 'src').as_posix())
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if not found:
            continue
        name = found.group(1)
        if (ROOT / 'src' / name).exists():
            target = layer_of(name)
        elif name.startswith(('tensorflow/', 'tflite/')):
            target = 'tf'
        elif name == 'gpu/desc/kernel_id.h':  # generated
            target = 'gpu/desc'
        else:
            continue
        if not allowed(layer, target):
            yield f'{path.relative_to(ROOT)}:{number}: {layer} must not include {name}'


def check_public_include(path, text, who):
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if found and (ROOT / 'src' / found.group(1)).exists():
            yield f'{path.relative_to(ROOT)}:{number}: {who} must not include {found.group(1)}'


def check_words(path, text):
    relative = path.relative_to(ROOT).as_posix()
    if relative.startswith(API_FOLDERS):
        return
    words = KERNEL_WORDS if path.suffix == '.kernel' else API_WORDS
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        found = words.search(line)
        if found:
            yield f'{relative}:{number}: the API word "{found.group(0)}" belongs to gpu/backends'


def check_gl_words(path, text):
    relative = path.relative_to(ROOT).as_posix()
    if any(fnmatch.fnmatchcase(relative, place) for place in GL_PLACES):
        return
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        found = GL_WORDS.search(line)
        if found:
            yield f'{relative}:{number}: the word "{found.group(0)}" belongs to gpu/backends/gles'


def check_sentences(relative, lines):
    """A sentence of a comment that opens with "What" is a noun that has to be read three times; questions are none. A comment
    is read alone, so that no opening word may point at another one."""
    before = ''
    previous = ''
    for number, line in enumerate(lines, 1):
        points_back = re.match(r'\s*// (Also|And|But|Its|Nor|Or|Then|They|Those) ', line)
        if points_back and not previous.lstrip().startswith('//'):
            yield f'{relative}:{number}: the comment opens with "{points_back.group(1)}": name the subject'
        previous = line
        comment = re.match(r'\s*(?://|#|\*) ?(.*)', line)
        text = comment.group(1) if comment else ''
        opens = text.startswith('What ') and before.rstrip()[-1:] in ('', '.', ':', ';', '!', '?')
        if (opens or re.search(r'[.!?] What ', text)) and '?' not in text:
            yield f'{relative}:{number}: the sentence opens with "What": begin with its subject or its verb'
        before = text


def without_strings(text):
    return re.sub(r'R"(\w*)\(.*?\)\1"|(?<![rfb])"(?:[^"\\\n]|\\.)*"', lambda m: '\n' * m.group(0).count('\n'), text, flags=re.S)


@functools.cache
def better_name(word):
    return next((term for name, term in NAMES.items() if re.fullmatch(name, word)), None)


def check_terms(relative, text):
    """Comments, documents and names use the terms of the field."""
    low = text.lower()
    found = {word: term for word, term in TERMS.items() if word in low}
    found |= {word: better_name(word) for word in set(re.findall(r'[A-Za-z_]\w*', text)) if better_name(word)}
    for word, term in sorted(found.items()):
        at = low.find(word) if word in TERMS else re.search(rf'(?<!\w){word}(?!\w)', text).start()
        yield f'{relative}:{text.count(chr(10), 0, at) + 1}: the field says "{term}", not "{word}" (docs/glossary.md)'


def has_terms(relative):
    return relative.parts[0] in TERM_FOLDERS and 'snippets' not in relative.parts and relative.as_posix() not in TERM_EXCEPTIONS


def is_test(path):
    return path.name.endswith('_test.cc') or 'testing' in path.relative_to(ROOT).parts


def check_file(path):
    text = path.read_text(errors='replace')
    relative = path.relative_to(ROOT)
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        yield f'{relative}: {len(lines)} lines, at most {MAX_LINES}'
    # Snippets are quoted word for word from documents; kernel text goes into every program as it stands.
    if 'snippets' not in relative.parts and path.suffix != '.kernel' and not any('SPDX-License-Identifier: Apache-2.0' in l for l in lines[:3]):
        yield f'{relative}: no SPDX line at the top'
    if 'snippets' not in relative.parts and path.suffix in ('.h', '.cc', '.inc', '.py', '.java', '.kt', '.m'):
        yield from check_sentences(relative, lines)
    if has_terms(relative) and path.suffix in ('.h', '.cc', '.inc'):
        yield from check_terms(relative, without_strings(text))
    if relative.parts[0] == 'src' and path.suffix != '.py' and not is_test(path):
        yield from check_includes(path, text)
        yield from check_words(path, text)
    if relative.parts[0] in ('src', 'tools', 'bench') and path.suffix != '.py':
        yield from check_gl_words(path, text)
    if relative.parts[0] == 'include':
        yield from check_public_include(path, text, 'a public header')
    if relative.parts[0] == 'python':
        yield from check_public_include(path, text, 'the Python package, which sees public headers alone,')


def check_map():
    """Every folder below src/ is in docs/map.md, and every folder named there exists."""
    text = (ROOT / 'docs/map.md').read_text()
    named = set(re.findall(r'`(src/[\w/<>*]+?)/`', text))
    patterns = [re.sub(r'<\w+>', '*', name) for name in named]
    folders = [p.relative_to(ROOT).as_posix() for p in sorted((ROOT / 'src').rglob('*')) if p.is_dir() and p.name != 'testing']
    # Folders without files are left-overs of a checkout, not part of the tree.
    folders = [f for f in folders if any(p.is_file() for p in (ROOT / f).rglob('*'))]
    for folder in folders:
        if not any(fnmatch.fnmatchcase(folder, p) and p.count('/') == folder.count('/') for p in patterns):
            yield f'docs/map.md: {folder}/ is missing'
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(folder, pattern) for folder in folders):
            yield f'docs/map.md: {pattern}/ does not exist'


def main():
    breaches, sources = [], {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob('*')):
            if path.is_file() and path.suffix in CODE:
                breaches += check_file(path)
                if folder == 'src' and not is_test(path):
                    sources[path.relative_to(ROOT / 'src').as_posix()] = path.read_text(errors='replace')
    for path in sorted((ROOT / 'docs').rglob('*.md')):
        if has_terms(path.relative_to(ROOT)):
            breaches += check_terms(path.relative_to(ROOT), path.read_text())
    breaches += check_op_edges(sources, OP_EDGES, kernel_files())
    breaches += check_op_table(sources)
    breaches += check_map()
    for breach in breaches:
        print(breach)
    print(f'{len(breaches)} breaches' if breaches else 'layout: fine')
    return 1 if breaches else 0


if __name__ == '__main__':
    sys.exit(main())
