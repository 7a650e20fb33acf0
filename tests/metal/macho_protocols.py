# SPDX-License-Identifier: Apache-2.0
"""Reads the protocols that a library for macOS was compiled with: names, methods and their type encodings.

A compiler writes them into the library for the Objective-C runtime, exactly as the SDK's headers declare them, so that they
can be read where no Mac is. Layouts: <mach-o/loader.h>, <mach-o/fat.h>, and objc-runtime-new.h of Apple's objc4."""
import struct

FAT_MAGIC = 0xcafebabe  # big-endian, unlike all that follows
MACHO_64 = 0xfeedfacf
CPU_ARM64 = 0x0100000c
SEGMENT_64 = 0x19
CHAINED_FIXUPS = 0x80000034
RELATIVE_METHODS = 0x80000000  # method_list_t::smallMethodListFlag: offsets in place of pointers
METHODS = ('required', 'required class', 'optional', 'optional class')  # order of the lists in protocol_t


class NotAsExpected(Exception):
    """The file has a form that this reader does not know."""


def arm64_slice(data):
    """The arm64 part of a fat file, or the file itself where it is thin."""
    if struct.unpack_from('>I', data)[0] == FAT_MAGIC:
        for i in range(struct.unpack_from('>I', data, 4)[0]):
            cpu, _, offset, size, _ = struct.unpack_from('>5I', data, 8 + 20 * i)
            if cpu == CPU_ARM64:
                data = data[offset:offset + size]
                break
        else:
            raise NotAsExpected('the fat file has no arm64 slice')
    magic, cpu = struct.unpack_from('<2I', data)
    if magic != MACHO_64 or cpu != CPU_ARM64:
        raise NotAsExpected(f'magic {magic:#x}, processor {cpu:#x}')
    return data


class Image:
    """Addresses of a thin Mach-O file. Its pointers are stored as addresses, which is how files have them whose fixups are
    lists of opcodes (LC_DYLD_INFO_ONLY); chained fixups hide them and are refused."""

    def __init__(self, data):
        self.data = data
        self.segments = []  # (address, size, offset in the file)
        self.sections = {}  # name -> (address, size)
        count = struct.unpack_from('<I', data, 16)[0]
        at = 32
        for _ in range(count):
            command, size = struct.unpack_from('<2I', data, at)
            if command == CHAINED_FIXUPS:
                raise NotAsExpected('chained fixups')
            if command == SEGMENT_64:
                address, _, offset, length = struct.unpack_from('<4Q', data, at + 24)
                self.segments.append((address, length, offset))
                for k in range(struct.unpack_from('<I', data, at + 64)[0]):
                    name, _, start, bytes_ = struct.unpack_from('<16s16s2Q', data, at + 72 + 80 * k)
                    self.sections[name.rstrip(b'\0').decode()] = (start, bytes_)
            at += size

    def offset(self, address):
        for start, size, offset in self.segments:
            if start <= address < start + size:
                return offset + address - start
        raise NotAsExpected(f'address {address:#x} is in no segment')

    def read(self, layout, address):
        return struct.unpack_from(layout, self.data, self.offset(address))

    def pointer(self, address):
        return self.read('<Q', address)[0]

    def text(self, address):
        start = self.offset(address)
        return self.data[start:self.data.index(b'\0', start)].decode()

    def methods(self, address):
        """Selector and types of each entry of a method_list_t; none where the address is 0."""
        if address == 0:
            return []
        flags, count = self.read('<2I', address)
        entries = [address + 8 + k * (flags & 0xfffc) for k in range(count)]
        if not flags & RELATIVE_METHODS:
            return [(self.text(self.pointer(e)), self.text(self.pointer(e + 8))) for e in entries]
        found = []
        for e in entries:  # the name's offset leads to a reference of a selector, that of the types to the text
            name, types = self.read('<2i', e)
            found.append((self.text(self.pointer(e + name)), self.text(e + 4 + types)))
        return found

    def protocol(self, address):
        """A protocol_t: its name, what it inherits from, and its methods with their extended types."""
        name, inherited = self.text(self.pointer(address + 8)), self.pointer(address + 16)
        parents = []
        if inherited:
            parents = [self.text(self.pointer(self.pointer(inherited + 8 + 8 * k) + 8))
                       for k in range(self.pointer(inherited))]
        extended = self.pointer(address + 72)
        methods, number = {}, 0
        for k, kind in enumerate(METHODS):
            for selector, types in self.methods(self.pointer(address + 24 + 8 * k)):
                if extended:
                    types = self.text(self.pointer(extended + 8 * number))
                number += 1
                methods[(kind.endswith('class'), selector)] = (kind, types)
        return name, parents, methods


def protocols(data):
    """Name -> (names of the protocols that it inherits from, {(is a class method, selector): (kind, types)})."""
    image = Image(arm64_slice(data))
    start, size = image.sections['__objc_protolist']
    found = {}
    for k in range(size // 8):
        name, parents, methods = image.protocol(image.pointer(start + 8 * k))
        found[name] = (parents, methods)
    return found


def method(known, protocol, is_class, selector):
    """Kind and types of a protocol's method, or of one that it inherits; None where there is none."""
    parents, methods = known[protocol]
    if (is_class, selector) in methods:
        return methods[(is_class, selector)]
    for parent in parents:
        if parent in known:
            found = method(known, parent, is_class, selector)
            if found:
                return found
    return None
