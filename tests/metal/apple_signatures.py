#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each message and constant that the Metal backend uses is one that Apple's headers declare, with the same types.

apple_signatures.py ROWS FOLDER    ROWS: a program that prints rows, or a file of them; FOLDER: where the wheel is kept
apple_signatures.py --self-test FOLDER
Rows, with tabs between:  message MTLDevice newBufferWithLength:options: @@:QQ   (class for a class method)
                          function MTLCreateSystemDefaultDevice @
                          constant MTLResourceStorageModePrivate 32
Nothing of Apple's is needed: a wheel of pyobjc was compiled against the SDK and carries the protocols' metadata, and tables
beside them. Where it cannot be fetched the status is 77. By hand, with the headers of metal-cpp as the wheel mlx-metal has
them in mlx/include/metal_cpp: `--headers THEM ROWS FOLDER` compares with those too, `--write-owners THEM` renews
apple_owners.tsv."""
import argparse
import collections
import hashlib
import os
import pathlib
import subprocess
import sys
import zipfile

import apple_headers
import macho_protocols
import objc_types
import pyobjc_metadata

HERE = pathlib.Path(__file__).resolve().parent
WHEEL = 'pyobjc_framework_metal-12.2.2-cp312-cp312-macosx_10_13_universal2.whl'
SHA256 = 'fb0421195ded2a02a83c94dbc1bf815b4a879c51804c43bcaf4680a6dc1b4aa2'
PIP = ['-m', 'pip', 'download', '-q', '--retries', '1', '--no-deps', '--only-binary=:all:', '--platform',
       'macosx_10_13_universal2', '--python-version', '3.12', '--implementation', 'cp', '--abi', 'cp312',
       'pyobjc-framework-Metal==12.2.2']
# The wheel has no list of what these declare, though the types of each selector of protocols; apple_owners.tsv has the lists.
PROTOCOLS = ('MTLBuffer', 'MTLCommandBuffer', 'MTLDevice', 'MTLEvent', 'MTLFunction', 'MTLHeap', 'MTLLibrary', 'MTLSharedEvent')
CLASSES = ('MTLArchitecture', 'MTLCaptureDescriptor', 'MTLCaptureManager', 'MTLCommandBufferDescriptor',
           'MTLCommandQueueDescriptor', 'MTLCompileOptions', 'MTLComputePassDescriptor', 'MTLComputePipelineDescriptor',
           'MTLHeapDescriptor', 'MTLSharedEventListener')
OWNED = PROTOCOLS + CLASSES
PARENTS = {'MTLBuffer': 'MTLResource', 'MTLHeap': 'MTLAllocation', 'MTLSharedEvent': 'MTLEvent'}
# Foundation, from Apple's documentation (developer.apple.com/documentation/foundation, read in 2026): instance methods, and
# class methods with a +. A method of NSObject is one of every receiver.
FOUNDATION = {
    'NSObject': '+alloc @@:, +new @@:, +class #@:, init @@:, retain @@:, release v@:, autorelease @@:, retainCount Q@:, '
                'description @@:, hash Q@:, isEqual: B@:@, isKindOfClass: B@:#, respondsToSelector: B@::, '
                'conformsToProtocol: B@:@, copy @@:, +instancesRespondToSelector: B@::',
    'NSString': '+stringWithUTF8String: @@:*, +string @@:, initWithUTF8String: @@:*, '
                'initWithBytes:length:encoding: @@:^vQQ, UTF8String *@:, length Q@:, '
                'lengthOfBytesUsingEncoding: Q@:Q, isEqualToString: B@:@',
    'NSError': 'localizedDescription @@:, domain @@:, code q@:, userInfo @@:',
    'NSArray': '+array @@:, count Q@:, objectAtIndex: @@:Q, firstObject @@:',
    'NSDictionary': 'count Q@:, objectForKey: @@:@, +dictionary @@:',
    'NSNumber': '+numberWithBool: @@:B, +numberWithInt: @@:i, +numberWithUnsignedInteger: @@:Q',
    'NSAutoreleasePool': 'drain v@:',
    'NSProcessInfo': '+processInfo @@:, operatingSystemVersionString @@:, isOperatingSystemAtLeastVersion: B@:{?=qqq}',
}
FOUNDATION_CONSTANTS = {'NSUTF8StringEncoding': 4}
EXAMPLES = '''message\tMTLDevice\tnewBufferWithLength:options:\t@@:QQ
message\tMTLDevice\tnewLibraryWithSource:options:error:\t@@:@@^@
message\tMTLBuffer\tsetLabel:\tv@:@
message\tMTLBuffer\tcontents\t^v@:
message\tMTLCommandBuffer\taddCompletedHandler:\tv@:@?
message\tMTLCommandBuffer\tstatus\tQ@:
message\tMTLSharedEvent\tsetSignaledValue:\tv@:Q
message\tMTLComputeCommandEncoder\tdispatchThreadgroups:threadsPerThreadgroup:\tv@:{MTLSize=QQQ}{MTLSize=QQQ}
message\tMTLComputeCommandEncoder\tsetBytes:length:atIndex:\tv@:r^vQQ
message\tMTLComputeCommandEncoder\tendEncoding\tv@:
message\tMTLComputePipelineState\tthreadExecutionWidth\tQ@:
message\tMTLCompileOptions\tsetFastMathEnabled:\tv@:B
class\tMTLCompileOptions\tnew\t@@:
class\tNSString\tstringWithUTF8String:\t@@:r*
message\tNSError\tlocalizedDescription\t@@:
function\tMTLCreateSystemDefaultDevice\t@
constant\tMTLResourceStorageModePrivate\t32
constant\tMTLGPUFamilyApple7\t1007
'''
Row = collections.namedtuple('Row', 'kind owner name types')  # a constant has its value for types, a function no owner


class Truth:
    def __init__(self, wheel, owners, headers=None):
        with zipfile.ZipFile(wheel) as files:
            self.protocols = macho_protocols.protocols(files.read('Metal/_Metal.cpython-312-darwin.so'))
            self.metadata = pyobjc_metadata.Metadata(files.read('Metal/_metadata.py').decode())
        self.owners = owners
        self.headers = headers
        self.foundation = {}
        for owner, text in FOUNDATION.items():
            for entry in text.split(', '):
                name, types = entry.split(' ')
                self.foundation[(owner, name.startswith('+'), name.lstrip('+'))] = types

    def judge(self, row):
        """How the row was checked, and what is wrong with it or None."""
        if row.kind == 'constant':
            return self.constant(row)
        try:
            types = objc_types.types_of(row.types)
        except objc_types.BadEncoding as error:
            return 'unread', str(error)
        if row.kind == 'function':
            declared = self.metadata.functions.get(row.name)
            if declared is None:
                return 'function', 'no such function'
            return 'function', difference(types, objc_types.types_of(declared), False)
        if types[1:3] != ['@', ':']:
            return 'unread', f'{row.types} lacks the receiver and the selector'
        if len(types) - 3 != row.name.count(':'):
            return 'unread', f'{len(types) - 3} arguments for {row.name.count(":")} colons'
        return self.message(row, types)

    def constant(self, row):
        for how, values in (('enum', self.metadata.constants), ('documentation', FOUNDATION_CONSTANTS)):
            if row.name in values:
                value = values[row.name]
                return how, None if number(row.types) == value else f'{row.types}, declared is {value}'
        return 'enum', 'no such constant'

    def message(self, row, types):
        is_class = row.kind == 'class'
        owner = row.owner
        if owner not in self.protocols and owner not in OWNED and owner not in FOUNDATION:
            return 'unread', f'no receiver {owner} is known'
        while owner:
            if owner in self.protocols and owner != 'NSObject':
                found = macho_protocols.method(self.protocols, owner, is_class, row.name)
                if found:
                    return 'protocol', difference(types, objc_types.types_of(found[1]), False)
            if (owner, is_class, row.name) in self.owners:
                declared = objc_types.types_of(self.owners[(owner, is_class, row.name)])
                wheel = self.metadata.selectors.get(row.name) if owner in PROTOCOLS else None
                if wheel:
                    wheel = wheel[:1] + ['@', ':'] + wheel[1:]
                    return 'selector', difference(types, declared, False) or difference(types, wheel, True)
                wheel = self.metadata.classes.get((owner, row.name))
                return ('documentation', difference(types, declared, False)
                        or wheel and difference(types, wheel[:1] + ['@', ':'] + wheel[1:], True))
            if (owner, is_class, row.name) in self.foundation:
                declared = objc_types.types_of(self.foundation[(owner, is_class, row.name)])
                return 'documentation', difference(types, declared, False)
            owner = PARENTS.get(owner, 'NSObject') if owner != 'NSObject' else None
        return 'selector', f'{row.owner} has no {"class method" if is_class else "method"} {row.name}'

    def by_headers(self, row):
        """The same by metal-cpp: True where the headers have the row, with what is wrong or None."""
        if row.kind == 'constant':
            value = self.headers.value(row.name)
            return value is not None, None if value == number(row.types) else f'{row.types}, the headers have {value}'
        found = self.headers.messages.get((row.owner, row.kind == 'class', row.name))
        if not found:
            return False, None
        types = ['*' if one == '^c' else one for one in objc_types.types_of(row.types)]
        wrong = [difference(types, objc_types.types_of(declared), False) for declared in found]
        return True, None if None in wrong else wrong[0]


def number(text):
    try:
        return int(text, 0)
    except ValueError:
        return None


def difference(types, declared, any_sign):
    """A sentence on where types differ from the declared ones, some of which may be None, or None."""
    if len(types) != len(declared):
        # pyobjc ends a method's list with the last argument that it describes.
        if not any_sign or len(declared) > len(types):
            return f'{len(types)} types, declared are {len(declared)}'
        declared = declared + [None] * (len(types) - len(declared))
    for place, (one, other) in enumerate(zip(types, declared)):
        if other is None:
            continue
        other = objc_types.types_of(other)[0]
        if any_sign:
            one, other = objc_types.without_signs(one), objc_types.without_signs(other)
        if one != other:
            return f'{"result" if place == 0 else f"type {place}"} is {one}, declared is {other}'
    return None


def read_rows(text):
    rows = []
    for line in text.splitlines():
        words = line.split('\t')
        if words[0] in ('message', 'class') and len(words) == 4:
            rows.append(Row(*words))
        elif words[0] in ('constant', 'function') and len(words) == 3:
            rows.append(Row(words[0], '', words[1], words[2]))
        else:
            sys.exit(f'no row: {line!r}')
    return rows


def planted(rows):
    """Wrong rows made of right ones: (the mistake, the row)."""
    for row in rows:
        if row.kind == 'constant':
            yield 'wrong constant', row._replace(types=str(number(row.types) + 1))
            yield 'wrong constant name', row._replace(name=row.name + 'X')
            continue
        types = objc_types.types_of(row.types)
        for place, one in enumerate(types):
            if row.kind != 'function' and place in (1, 2):
                continue
            for other in ('v', 'Q', '@', 'B', '^v', '{?=QQ}'):
                if objc_types.without_signs(other) != objc_types.without_signs(one):
                    yield ('wrong return type' if place == 0 else 'wrong argument type',
                           row._replace(types=''.join(types[:place] + [other] + types[place + 1:])))
        if row.kind == 'function':
            yield 'wrong function', row._replace(name=row.name + 'X')
            continue
        yield 'wrong selector', row._replace(name='x' + row.name)
        yield 'missing argument', row._replace(types='v@:' if row.name.count(':') else 'v@:Q')
        yield 'wrong kind of method', row._replace(kind='class' if row.kind == 'message' else 'message')
        yield 'wrong receiver', row._replace(owner='MTLNothing')


def self_test(truth, rows):
    """Every right example passes, and every wrong row made of the examples and of the rows is found."""
    failed = False
    for row in read_rows(EXAMPLES):
        how, wrong = truth.judge(row)
        if wrong:
            failed = True
            print(f'self-test: a right row is refused: {" ".join(row)}: {wrong}')
    # A receiver that has not the selector, though another one has.
    kinds = collections.Counter()
    stray = [('wrong receiver', Row('message', 'MTLBuffer', 'commit', 'v@:')),
             ('wrong receiver', Row('message', 'MTLCommandQueue', 'endEncoding', 'v@:'))]
    for kind, row in [*planted(read_rows(EXAMPLES)), *planted(rows), *stray]:
        kinds[kind] += 1
        if not truth.judge(row)[1]:
            failed = True
            print(f'self-test: {kind} is not found: {" ".join(row)}')
    print(f'planted and found: {", ".join(f"{count} × {kind}" for kind, count in sorted(kinds.items()))}')
    return not failed


def fetched(folder):
    """The wheel in that folder, downloaded where it is not there."""
    path = pathlib.Path(folder) / WHEEL
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            done = subprocess.run([sys.executable, *PIP, '-d', str(folder)], capture_output=True, text=True, timeout=120)
            reason = ' '.join((done.stderr or done.stdout).strip().splitlines()[-1:])
        except (OSError, subprocess.TimeoutExpired) as error:
            reason = str(error)
        if not path.exists():
            print(f'skipped: {WHEEL} cannot be fetched: {reason}')
            sys.exit(77)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != SHA256:
        sys.exit(f'{path} is not the file that it was: sha256 {digest}')
    return path


def read_owners():
    owners = {}
    for line in (HERE / 'apple_owners.tsv').read_text().splitlines():
        if not line.startswith('#'):
            owner, kind, name, types = line.split('\t')
            owners[(owner, kind == 'class', name)] = types
    return owners


def write_owners(headers):
    lines = ['# SPDX-License-Identifier: Apache-2.0',
             '# Receivers, kinds of methods, selectors and types, as Apple\'s metal-cpp (Apache-2.0) sends them; written by',
             '# apple_signatures.py --write-owners. For receivers whose declarations the wheel of pyobjc does not list.']
    for (owner, is_class, name), types in sorted(headers.messages.items()):
        if owner in OWNED and len(types) == 1:
            lines.append('\t'.join((owner, 'class' if is_class else 'message', name, *types)))
    (HERE / 'apple_owners.tsv').write_text('\n'.join(lines) + '\n')
    print(f'{len(lines) - 3} rows')


def rows_of(path):
    if os.access(path, os.X_OK):
        return read_rows(subprocess.run([os.path.abspath(path)], capture_output=True, text=True, check=True,
                                        timeout=60).stdout)
    return read_rows(pathlib.Path(path).read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows', nargs='?')
    parser.add_argument('folder', nargs='?')
    parser.add_argument('--self-test', action='store_true', help='the planted mistakes alone; ROWS is left out')
    parser.add_argument('--headers', metavar='FOLDER')
    parser.add_argument('--write-owners', metavar='FOLDER')
    given = parser.parse_args()
    if given.write_owners:
        write_owners(apple_headers.Headers(given.write_owners))
        return
    if given.self_test:
        given.rows, given.folder = None, given.folder or given.rows
    if not given.folder or not (given.rows or given.self_test):
        parser.error('ROWS and FOLDER are wanted')
    headers = apple_headers.Headers(given.headers) if given.headers else None
    truth = Truth(fetched(given.folder), read_owners(), headers)
    rows = rows_of(given.rows) if given.rows else []
    if not rows and not given.self_test:
        sys.exit(f'{given.rows} has no rows')
    counts, failed, seen = collections.Counter(), 0, 0
    for row in rows:
        how, wrong = truth.judge(row)
        counts[how] += 1
        if headers:
            known, other = truth.by_headers(row)
            seen += known
            wrong = wrong or (other if known else None)
        if wrong:
            failed += 1
            print(f'MISMATCH {" ".join(row)}: {wrong}')
    texts = {'protocol': 'messages by their protocol', 'selector': 'by their selector and the list of owners',
             'documentation': 'by documentation alone', 'function': 'functions', 'enum': 'constants', 'unread': 'not read'}
    if rows:
        print(f'{len(rows)} rows compared, {failed} differ: '
              + ', '.join(f'{counts[key]} {text}' for key, text in texts.items() if counts[key]))
    if headers:
        print(f'{seen} of them also by the headers of metal-cpp')
    right = self_test(truth, [] if failed else rows)
    sys.exit(0 if right and not failed else 1)


if __name__ == '__main__':
    main()
